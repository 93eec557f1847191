"""What a page's translator says."""

import pytest

from viz_core import checkpoints, probe, ui

TEXT = "We are not going to the cinema tonight."


@pytest.mark.parametrize("name", ["transformer", "rnn-additive"])
def test_a_page_shows_a_better_translation_than_the_likeliest_words_or_the_same(name):
    def score(found):
        return found.log_prob / len(found.target) ** probe.PENALTY

    greedy = probe.translate(checkpoints.load(name), TEXT)
    assert score(ui.translated(name, TEXT)) >= score(greedy) - 1e-5
    assert ui.translated(name, TEXT, beam=1).text == greedy.text
