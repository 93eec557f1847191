"""Ours against the tools that people use today, in the same run, one thread, ratios first.

python -m benchmarks [--only traces pictures translations pages]
"""

from __future__ import annotations

import argparse

PARTS = ("traces", "pictures", "translations", "pages")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    visit = ["transformer", "alignment", "mask", "bert", "local", "scores", "beam", "decoder"]
    parser.add_argument("--visit", nargs="+", default=visit, help="pages with a text box")
    only = parser.parse_args()
    from benchmarks import timing

    if {"traces", "pictures"} & set(only.only):
        from benchmarks import models

        bundle = models.encoder()
        if "traces" in only.only:
            rows = models.traces(bundle)
            timing.show("Text to attention, 6 layers x 12 heads: Hugging Face, eager", rows)
            print(models.growth(rows))
        if "pictures" in only.only:
            from benchmarks import pictures

            sizes, times = pictures.head_views(bundle)
            timing.show("Sent to the browser", sizes)
            timing.show("Time to build it", times)
    if "translations" in only.only:
        from benchmarks import models

        rows = models.translations()
        timing.show("Translation: Hugging Face generate, Marian of the same shape", rows)
    if "pages" in only.only:
        from benchmarks import browsing

        rows, notes = browsing.latencies(only.visit)
        timing.show("In Chromium, wall clock", rows)
        print("\n".join([*notes, browsing.session_weight()]))


if __name__ == "__main__":
    main()
