import pytest
from hypothesis import given, strategies as st

from viz_core.decoding import prefix as prefixes
from viz_core.text import END


def test_words_are_read_as_the_model_would_write_them(tokenizer):
    ids = prefixes.read(tokenizer, "Le chat voit")
    assert tokenizer.decode(ids) == "Le chat voit"
    assert ids == tokenizer.encode("Le chat voit").ids[:-1]


def test_nothing_typed_forces_nothing(tokenizer):
    assert prefixes.read(tokenizer, " ") == ()
    assert prefixes.write(tokenizer, ()) == ""


def test_a_whole_output_ends_with_the_closing_token(tokenizer):
    ids = prefixes.read(tokenizer, "Le chat </s>")
    assert ids[-1] == END
    assert prefixes.write(tokenizer, ids) == "Le chat </s>"


@given(st.lists(st.integers(0, 89), max_size=8))
def test_any_clicked_path_is_read_back_from_its_link(tokenizer, ids):
    assert prefixes.read(tokenizer, prefixes.write(tokenizer, ids)) == tuple(ids)


def test_an_elision_can_be_forced_alone(tokenizer):
    ids = tokenizer.encode("l'accord").ids
    opening = next(n for n in range(1, 4) if tokenizer.decode(ids[:n]).endswith("'"))
    assert prefixes.read(tokenizer, prefixes.write(tokenizer, ids[:opening])) == ids[:opening]


@pytest.mark.parametrize("typed", ["日本", "chat 😀", "<pad>", "<s>", "a <unk>"])
def test_what_the_model_cannot_write_gets_a_sentence(typed, tokenizer):
    with pytest.raises(ValueError, match="outside its vocabulary"):
        prefixes.read(tokenizer, typed)
