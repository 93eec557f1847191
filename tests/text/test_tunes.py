"""Tunes in ABC notation: pitches, lengths, bars, and their sound."""

import io
import wave

import numpy as np
import pytest

from viz_core import probe
from viz_core.analysis import sound
from viz_core.charts import tune as chart
from viz_core.text import tunes

SCALE = "M:4/4 K:D Major D E F G|A B c d|"


def test_a_major_scale_goes_up_by_whole_and_half_tones():
    pitches = [note.pitch for note in tunes.read(SCALE).notes]
    assert pitches[0] == 62  # D above middle C
    assert np.diff(pitches).tolist() == [2, 2, 1, 2, 2, 2, 1]


@pytest.mark.parametrize(
    ("key", "steps"),
    [
        ("A Dorian", [2, 1, 2, 2, 2, 1, 2]),
        ("D Mixolydian", [2, 2, 1, 2, 2, 1, 2]),
        ("E Minor", [2, 1, 2, 2, 1, 2, 2]),
        ("F Major", [2, 2, 1, 2, 2, 2, 1]),
    ],
)
def test_every_mode_has_its_own_steps_and_transposing_keeps_them(key, steps):
    letters = [tunes.raised(key[0], step) for step in range(8)]
    found = tunes.read(f"M:4/4 K:{key} {' '.join(letters)}|")
    assert np.diff([note.pitch for note in found.notes]).tolist() == steps


def test_lengths_triplets_and_signs_are_read():
    found = tunes.read("M:6/8 K:G Major G2A (3Bcd ^c=c|A>B c/d/ f3|z3 c,|")
    lengths = [round(note.length, 3) for note in found.notes]
    assert lengths == [2, 1, 0.667, 0.667, 0.667, 1, 1, 1.5, 0.5, 0.5, 0.5, 3, 3, 1]
    assert [note.pitch for note in found.notes][5:7] == [73, 72]
    assert found.notes[12].step is None
    assert found.bars == pytest.approx((7, 6, 4))
    assert found.notes[7].bar == 1


def test_transposing_there_and_back_changes_nothing():
    notes = "G,2A c'b (3ABc|"
    assert tunes.transposed(tunes.transposed(notes, 5), -5) == notes


def test_the_sound_is_as_long_as_the_tune_and_has_its_pitch():
    tune = tunes.read("M:4/4 K:C Major A8|")
    with wave.open(io.BytesIO(sound.wav(tune))) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
        assert file.getnframes() == int((8 / sound.BEATS + 1) * sound.RATE)
    spectrum = np.abs(np.fft.rfft(samples))
    loudest = spectrum.argmax() * sound.RATE / len(samples)
    assert loudest == pytest.approx(440, abs=2)


def test_the_staff_says_how_many_bars_are_full():
    tune = tunes.read("M:6/8 K:G Major B|GAB c2d|e3|gfe d3|G3|")
    assert tune.full == pytest.approx(2 / 3)
    assert chart.staff(tune).to_dict()["description"] == sound.finding(tune)


@pytest.mark.parametrize("line", ["", "GAB", "M:5/4 K:G Major G", "M:6/8 K:H Major G"])
def test_what_is_no_tune_gets_a_sentence(line):
    with pytest.raises(ValueError, match="metre and its key"):
        tunes.read(line)


def test_the_same_number_writes_the_same_tune_and_strange_signs_get_a_sentence(characters_of):
    bundle = characters_of("gru")
    first, second = (probe.compose(bundle, "", 0.7, 3, most=30) for _ in range(2))
    assert first == second
    assert "\ufffd" not in probe.compose(bundle, "", 1.5, 4, most=60)
    with pytest.raises(ValueError, match="Not a sign of a tune"):
        probe.compose(bundle, "漢", 0.7, 1)
