"""The strip of a caption: it fits, it is lit where it was looked at, and it can be drawn."""

import base64
import io
import json

import numpy as np
import pytest
import vl_convert
from PIL import Image

from viz_core.analysis import image as told
from viz_core.charts import gaze, gaze_formulas
from viz_core.charts.kit.room import PAGE, Room
from viz_core.traces import Prediction
from viz_core.traces.image import Caption
from viz_core.traces.photo import Photo

PHOTO = Photo.of(np.full((60, 90, 3), 120, np.uint8))
STAGE = Room(1810, 720, 720, 1.5)


def caption(words=6, hard=False):
    weights = np.random.default_rng(4).dirichlet(np.full(49, 0.2), words).reshape(words, 7, 7)
    tokens = ("a", "photographer", "dog", "in", "the", "grass", "running")
    return Caption(
        text="",
        tokens=tuple(tokens[i % 7] for i in range(words)),
        weights=weights.astype(np.float32),
        probabilities=(0.25,) * words,
        predictions=(Prediction(tokens=("a", "cat"), probabilities=(0.5, 0.25)),) * words,
        places=tuple(divmod(int(w.argmax()), 7) for w in weights) if hard else (),
    )


def decoded(address):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))))


def test_it_is_bright_where_the_weight_is_and_dark_elsewhere():
    light = np.zeros((7, 7))
    light[1, 5] = 1
    pixels = decoded(gaze.lit(PHOTO, (70, 70), light)).mean(-1)
    row, column = np.unravel_index(pixels.argmax(), pixels.shape)
    assert abs(row - 15) < 6 and abs(column - 55) < 6
    assert pixels.max() > 120 > 40 > pixels[60, 10]


@pytest.mark.parametrize("room", [PAGE, STAGE])
@pytest.mark.parametrize("words", [1, 6, 12, 24])
@pytest.mark.parametrize("ratio", [0.4, 1.0, 2.0])
def test_every_strip_fits_into_its_room(room, words, ratio):
    columns, wide = gaze.layout(words + 1, ratio, room)
    rows = -(-(words + 1) // columns)
    assert columns * wide + gaze.SCALE_BAR * room.scale <= room.width
    assert rows * (wide * ratio + 2 * gaze.LINE * room.scale) <= room.height
    assert wide > 20 * room.scale


@pytest.mark.parametrize("hard", [False, True])
def test_it_is_drawn_with_its_words_and_its_scale(hard):
    chart = gaze.strip(PHOTO, caption(hard=hard), name="Soft", doubtful=(2,), chosen=1)
    written = json.dumps(chart.to_dict())
    for word in ("photographer", "dog?", "0.25", "bright", "dark", "the picture"):
        assert word in written
    assert vl_convert.vegalite_to_png(written)[:4] == b"\x89PNG"


def test_what_comes_later_is_not_drawn_yet():
    chart = gaze.strip(PHOTO, caption(), until=1)
    assert "grass" not in json.dumps(chart.to_dict()["datasets"])


def test_the_formula_has_the_weights_of_the_word():
    soft, hard = caption(), caption(hard=True)
    assert f"{soft.weights[2].max():.3f}" in gaze_formulas.look(soft, 2)[0]
    row, column = hard.places[2]
    assert f"a_{{{row + 1},{column + 1}}}" in gaze_formulas.look(hard, 2)[0]


def test_words_that_nobody_sees_are_marked_and_small_words_are_not():
    assert told.doubtful(caption(), {"grass", "photographer"}) == (2,)
    assert "“dog”" in told.verdict(caption(), {"grass", "photographer"})


def test_where_it_looked_is_said_in_words():
    light = np.zeros((7, 7))
    light[0, 6] = 1
    assert told.where(light) == "the top right"
    assert told.where(np.ones((7, 7))) == "the middle"
    assert told.places(light) == 1 and told.places(np.ones((7, 7))) == 25


def test_weights_by_hand_sum_to_one_and_a_cut_has_an_edge():
    cut = told.by_hand(4, 4, 3, (7, 7), soft=False)
    faded = told.by_hand(4, 4, 3, (7, 7), soft=True)
    assert cut.sum() == pytest.approx(1) and faded.sum() == pytest.approx(1)
    assert (cut > 0).sum() == 9 and (faded > 0).all()


def test_three_readings_by_hand_all_sum_to_one_and_are_drawn_side_by_side():
    lights = told.lights(2, 6, 3, (7, 7))
    assert [light.sum() for light in lights.values()] == pytest.approx([1, 1, 1])
    even, cut, faded = lights.values()
    assert np.ptp(even) == 0 and cut[1, 5] > faded[1, 5] > even[1, 5]
    drawn = json.dumps(gaze.readings(PHOTO, lights).to_dict())
    assert all(title in drawn for title in lights)
    assert "8 more" in gaze_formulas.by_hand(cut, 2, 6)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("two men climb", "two"),
        ("a group of people", "group"),
        ("a man with two dogs", "one"),
        ("", "none"),
    ],
)
def test_a_caption_counts_by_its_first_words(words, count):
    tokens = tuple(words.split())
    written = Caption(
        text=words,
        tokens=tokens,
        weights=np.full((len(tokens), 7, 7), 1 / 49, np.float32),
        probabilities=(1.0,) * len(tokens),
        predictions=(),
    )
    assert told.counted(written) == count


def test_what_it_might_have_counted_is_told_with_its_chance():
    first = Prediction(tokens=("a", "two"), probabilities=(0.6, 0.25))
    written = Caption(
        text="a man", tokens=("a",), weights=np.full((1, 7, 7), 1 / 49), predictions=(first,)
    )
    said = told.read_by_hand("Cut out", written, first)
    assert "counts one (“two” had a chance of 0.25)" in said


def test_another_word_is_forced_behind_those_before_it():
    assert told.other_beginnings(caption(), 1)["cat 0.25"] == {"beginning": "a cat"}


def test_two_strips_on_a_stage_are_equally_wide():
    short, long = (
        gaze.strip(PHOTO, caption(words), filled=True, room=STAGE).to_dict()["width"]
        for words in (4, 12)
    )
    assert short == long == STAGE.width


def test_the_papers_scores_are_told_by_kind():
    said = told.printed({"soft": {"BLEU-1": 67.0, "BLEU-4": 19.5}})
    assert "Published" in said and "soft BLEU-1 67 and BLEU-4 19.5" in said
