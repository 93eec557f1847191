"""The nine recurrent translators on board differ in their attention and in nothing else."""

from typing import get_args

import pytest

from viz_core import checkpoints
from viz_core.models.rnn import Attention
from viz_core.training.rnn import SCHEDULE

NINE = [f"rnn-{kind}" for kind in get_args(Attention)]
LUONG = ("BLEU", "perplexity")


@pytest.fixture(scope="module")
def cards():
    return {name: checkpoints.card(name) for name in NINE}


def test_they_learned_from_nothing_for_as_many_steps_from_the_same_data(cards):
    assert {card.steps for card in cards.values()} == {SCHEDULE.steps}
    assert len({str(card.data) for card in cards.values()}) == 1
    assert {card.curve[0]["step"] for card in cards.values()} == {SCHEDULE.check_every}
    assert not any(card.start for card in cards.values())
    for card in cards.values():  # no other's weights, and no clock that would end one earlier
        assert not {"--grow", "--further", "--minutes"} & set(card.command.split())


def test_they_have_the_same_shape_and_tokeniser(cards):
    shapes = [{**card.config, "attention": ""} for card in cards.values()]
    assert all(shape == shapes[0] for shape in shapes)
    assert len({card.sha256["tokenizer.json"] for card in cards.values()}) == 1
    assert [card.config["attention"] for card in cards.values()] == list(get_args(Attention))


def test_they_are_measured_the_same_way(cards):
    for name, card in cards.items():
        for split in ("tatoeba test", "europarl test"):
            assert set(LUONG) <= card.metrics[split].keys()
        assert ("hansards dev" in card.metrics) == (name != "rnn-none")
        assert checkpoints.megabytes(name) <= 8


def test_attention_pays_and_most_on_long_sentences(cards):
    def bleu(name: str) -> list[float]:
        return [row["BLEU"] for row in cards[name].measured["BLEU by length"]]

    gains = [more - less for more, less in zip(bleu("rnn-additive"), bleu("rnn-none"), strict=True)]
    assert min(gains) > 0
    assert gains[-1] == max(gains)


def test_the_best_alignment_is_close_to_what_people_drew(cards):
    errors = [
        card.metrics["hansards dev"]["AER"] for card in cards.values() if "none" not in card.name
    ]
    assert min(errors) <= 0.38
