"""The address of a page, also where its name ends like that of another."""

import pytest

from viz_core.ui import address


@pytest.mark.parametrize(
    ("url", "stem", "found"),
    [
        ("http://host/inside_gpt", "inside_gpt", "http://host/inside_gpt"),
        ("http://host/gpt/", "inside_gpt", "http://host/inside_gpt"),
        ("http://host:8501", "it", "http://host:8501/it"),
        ("https://host/atlas/it", "bert", "https://host/atlas/bert"),
        ("https://host/atlas/bert", "home", "https://host/atlas"),
        ("", "it", "/it"),
    ],
)
def test_the_name_of_a_page_is_taken_off_as_a_whole(url, stem, found):
    assert address.joined(url, stem) == found
