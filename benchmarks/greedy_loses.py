"""Everyday sentences on which greedy search loses to the beam, to be offered as examples.

    python -m benchmarks.greedy_loses sentences.txt --model rnn-additive --top 20

The file has one English sentence a line; what follows a tab is ignored, as in Tatoeba's fra.txt.
Pages check again while they run whether a sentence still does what it is shown for.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from viz_core import checkpoints, probe


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--model", default="rnn-additive", choices=checkpoints.names())
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--sample", type=int, default=400, help="sentences that are tried")
    parser.add_argument("--top", type=int, default=20)
    given = parser.parse_args()
    bundle = checkpoints.load(given.model)
    lines = given.sentences.read_text(encoding="utf-8").splitlines()
    texts = sorted({line.split("\t")[0].strip() for line in lines})
    texts = [text for text in texts if 4 <= len(text.split()) <= 10]
    found = []
    tried = random.Random(1).sample(texts, min(given.sample, len(texts)))
    for text in tried:
        greedy = probe.translate(bundle, text)
        wide = probe.translate(bundle, text, beam=given.size)
        if greedy.complete and wide.complete and wide.log_prob > greedy.log_prob + 0.005:
            found.append((wide.log_prob - greedy.log_prob, text, greedy.text, wide.text))
    print(
        f"{given.model}, k = {given.size}: greedy loses on {len(found)} of {len(tried)} sentences"
    )
    for gap, text, greedy_text, wide_text in sorted(found, reverse=True)[: given.top]:
        print(f"{gap:5.2f}  {text}\n       greedy {greedy_text}\n       beam   {wide_text}")


if __name__ == "__main__":
    main()
