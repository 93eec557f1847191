"""What units follow: properties of a text, correlations, and what is said of them."""

import numpy as np
import pytest

from viz_core.analysis import units
from viz_core.traces.characters import GateTrace


def test_properties_of_a_text():
    text = 'a "b c".\n"d'
    assert units.inside_quotes(text).tolist() == [0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1]
    assert units.into_word("ab c").tolist() == [1, 2, 0, 1]
    assert units.after_space("a b").tolist() == [0, 1, 0]
    np.testing.assert_allclose(units.into_sentence("ab.c"), np.log([2, 3, 1, 2]))


def test_correlation_is_pearsons():
    rng = np.random.default_rng(1)
    values, wanted = rng.normal(size=(2, 3, 50)), rng.normal(size=50)
    found = units.correlation(values, wanted)
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(np.corrcoef(values[1, 2], wanted)[0, 1])
    assert units.correlation(np.ones((1, 50)), wanted).tolist() == [0.0]


def planted(text, unit=2, row=1):
    """A trace of noise in which one gate of one unit is open inside quotation marks."""
    rng = np.random.default_rng(len(text))
    values = rng.uniform(0.3, 0.7, size=(2, 5, len(text))).astype(np.float32)
    values[row, unit] = 1 - units.inside_quotes(text) * 0.9
    return GateTrace(
        tokens=tuple(text),
        gates=("reset", "update"),
        values=values,
        candidates=np.zeros((5, len(text)), np.float32),
        memory=rng.normal(size=(5, len(text) + 1)).astype(np.float32),
        expected=np.zeros(len(text), np.float32),
        predictions=(),
    )


def test_a_planted_follower_is_found_with_its_sign_and_noise_scores_low():
    texts = ['He said "no way" to them.', 'A "b" c.', '"Yes" and "no", then.', 'It is "so".'] * 3
    found = {f.follows: f for f in units.followers([planted(text, 3, 1) for text in texts])}
    best = found["inside quotes"]
    assert (best.row, best.unit) == ("update", 3)
    assert best.r == pytest.approx(-1, abs=1e-3)
    assert not best.is_weak
    assert found["into the word"].is_weak


# ---- what is said of a unit -------------------------------------------------------------------


def follower(r):
    return units.Follower(follows="inside quotes", row="update", unit=2, r=r)


@pytest.mark.parametrize(("r", "weak"), [(0.8, False), (-0.8, False), (0.2, True)])
def test_a_weak_follower_is_called_weak(r, weak):
    said = units.verdict(planted('a "b"'), follower(r))
    assert "update gate of unit 3" in said
    assert f"r = {r:.2f}".replace("-", "−") in said
    assert ("weak" in said) == weak


def test_a_text_without_the_property_is_told_so():
    assert "nothing to follow" in units.verdict(planted("abcd"), follower(0.8))


def test_which_unit_is_chosen():
    known = {"inside quotes": follower(0.8)}
    assert units.choose(known, "inside quotes", 7) == 2
    assert units.choose(known, units.BY_NUMBER, 7) == 6
    assert units.choose(known, units.MEAN, 7) is None


def test_a_card_is_read_as_far_as_it_is_understood():
    known = {"follows": "inside quotes", "row": "memory", "unit": 4, "r": 0.7}
    found = units.read({"followers": [known, {**known, "follows": "the moon"}]})
    assert found == {"inside quotes": units.Follower(**known)}
    assert units.read({}) == {}
