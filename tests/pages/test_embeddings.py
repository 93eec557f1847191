"""What BERT reads: the sum with its own numbers, and places compared."""

import re

import pytest


def test_the_numbers_of_the_sum_add_up(opened):
    terms = opened("embeddings").latex[1].value
    *parts, total = map(float, re.findall(r"[+-]?\d+\.\d+", terms.replace(" ", "")))
    assert len(parts) == 3
    assert sum(parts) == pytest.approx(total, abs=0.0021)


def test_a_single_sentence_has_no_second_segment(opened, findings):
    app = opened("embeddings", text="The cat.", pair="")
    assert findings(app)[0].startswith("Mean length of the vectors: token ")


def test_sines_depend_on_the_distance_alone_and_learned_places_do_not(opened, findings):
    learned, waves = findings(opened("embeddings"))[1:3]
    assert waves == "The dot product of two positions depends on their distance alone"
    assert learned.startswith("At one distance dot products differ by up to ")
