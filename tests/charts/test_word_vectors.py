"""Pictures of word vectors: what they say, and that every one of them can be drawn."""

import pytest

from viz_core import probe
from viz_core.charts import export, skip_gram, word_vectors as charts
from viz_core.charts.kit.room import PAGE, Room
from viz_core.probe.skip_gram import STORY

STAGE = Room(1810, 720, 720, 1.5)


@pytest.fixture(scope="module")
def analogy(word_vectors):
    return probe.parallelogram(word_vectors, "man", "king", "woman")


def texts(chart):
    """The words that are written into a picture."""
    return [
        row["word"]
        for layer in chart.to_dict()["layer"]
        if layer["mark"]["type"] == "text"
        for row in chart.to_dict()["datasets"][layer["data"]["name"]]
    ]


def test_the_finding_names_the_answer_and_the_runner_up(analogy):
    said = charts.finding(analogy)
    assert said.startswith(f"{analogy.answers[0]} is nearest to king − man + woman")
    assert f"{analogy.similarities[0]:.2f}" in said and analogy.answers[1] in said


@pytest.mark.parametrize(("step", "there", "arrows"), [(0, 3, 0), (1, 3, 1), (2, 4, 2), (3, 9, 2)])
def test_each_step_draws_more_and_nothing_of_the_answer_before_the_last(
    analogy, step, there, arrows
):
    chart = charts.parallelogram(analogy, step)
    assert len(texts(chart)) == there
    heads = [
        layer for layer in chart.to_dict()["layer"] if layer["mark"].get("shape") == "triangle"
    ]
    assert len(heads) == arrows
    told = str(chart.to_dict())
    assert (analogy.answers[0] in told) == (step == 3)


def test_the_formula_comes_to_the_cosine(analogy):
    assert charts.formula(analogy).endswith(f"= {analogy.similarities[0]:.2f}")


def test_a_family_tells_how_parallel_it_is_beside_mixed_up_pairs(word_vectors):
    found = probe.arrows(word_vectors, "king queen, man woman, w4 w5")
    said = charts.finding_of_arrows(found)
    for number in (found.agreement, found.shuffled, min(found.along)):
        assert f"{number:.2f}".replace("-", "−") in said
    assert set(texts(charts.family(found))) == {"king", "queen", "man", "woman", "w4", "w5"}


def test_neighbours_of_one_kind_and_of_both_get_another_verdict(word_vectors):
    found = probe.neighbours(word_vectors, "king", "w10", "w20")
    assert "mixes both meanings" in charts.finding_of_neighbours(found)
    one = type(found)(
        word="bank",
        words=("money", "loan"),
        similarities=(0.9, 0.8),
        readings=("cash", "river"),
        ranks=(3, 2000),
        sides=(0, 0),
    )
    said = charts.finding_of_neighbours(one)
    assert "pushed the other out of sight" in said
    assert "river is neighbour number 2,000" in said


@pytest.mark.parametrize("room", [PAGE, PAGE.part(0.4), STAGE])
def test_every_picture_can_be_drawn(word_vectors, analogy, room):
    lesson = probe.course(STORY, 1, 20, 10)[-1]
    for chart in (
        charts.parallelogram(analogy, room=room),
        charts.answers(analogy, room=room),
        charts.rows(analogy, scale=room.scale),
        charts.family(probe.arrows(word_vectors, "king queen, man woman, w4 w5"), room=room),
        charts.neighbours(probe.neighbours(word_vectors, "king", "w10", "w20"), room=room),
        skip_gram.word_map(lesson, "king", room=room),
        skip_gram.losses(lesson, 300, room=room),
    ):
        assert export.png(chart, "a picture").startswith(b"\x89PNG")
        assert chart.description
