"""Drawings as text."""

import numpy as np
import pytest

from viz_core.text import ink


def test_a_drawing_comes_back_as_it_was_and_fits_into_an_address():
    drawing = np.random.default_rng(1).integers(2, size=(28, 28))
    text = ink.write(drawing)
    np.testing.assert_array_equal(ink.read(text), drawing)
    assert len(text) == 132 and set(text) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no stroke yet"),
        ("  ", "no stroke yet"),
        ("abc", "no drawing"),
        ("<b>" * 44, "no drawing"),
        ("این یک جمله", "no drawing"),
        ("A" * 5000, "no drawing"),
    ],
)
def test_what_is_no_drawing_gets_a_sentence(text, said):
    with pytest.raises(ValueError, match=said):
        ink.read(text)
