"""What it costs to record the whole search tree: the same beam search with and without.

    python -m benchmarks.beam_recording --model rnn-additive --size 5

Both sides find the same output. Recording includes turning the tree into a BeamTrace, as pages
get it. The two take turns, and processor time is counted, so that a busy machine favours neither.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from viz_core import checkpoints, decoding, probe
from viz_core.probe.translator import read

SENTENCES = (
    "I lost my red umbrella on the train.",
    "Where did you buy those black shoes?",
    "The agreement on the European Economic Area was signed in August 1992.",
    "She doesn't want to go home.",
    "Tom is my friend.",
)
ALLOWED = 1.3


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


@torch.inference_mode()
def measure(bundle: checkpoints.Bundle, text: str, size: int) -> tuple[float, float]:
    """Processor seconds without and with recording."""
    source = read(bundle, text)
    steps = probe.Translating(bundle, torch.tensor([source.ids]))
    plain, full = (decoding.Beam(size=size, limit=40, record=on) for on in (False, True))

    def recorded() -> object:
        return probe.record(decoding.beam(steps, full), bundle.tokenizer.label, source.tokens)

    return seconds(lambda: decoding.beam(steps, plain)), seconds(recorded)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", default="rnn-additive", choices=checkpoints.names())
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    bundle = checkpoints.load(given.model)
    measure(bundle, SENTENCES[0], given.size)  # the first run warms up
    ratios = []
    for text in SENTENCES:
        pairs = [measure(bundle, text, given.size) for _ in range(given.rounds)]
        without, with_ = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratios.append(with_ / without)
        print(f"{without * 1000:7.1f} ms {with_ * 1000:7.1f} ms  x {ratios[-1]:.2f}  {text}")
    ratio = statistics.mean(ratios)
    verdict = "kept" if ratio <= ALLOWED else "MISSED"
    print(
        f"{given.model}, k = {given.size}: recording costs {ratio:.2f} times; {ALLOWED} {verdict}"
    )


if __name__ == "__main__":
    main()
