"""Fill in the mask: words are hidden by a click, and the rule of training is drawn."""

import pytest


def group(app, key):
    return next(one for one in app.get("button_group") if one.key == key)


def test_it_opens_with_the_last_word_hidden(opened, findings):
    guesses, lines, *_ = findings(opened("mask"))
    assert "the hidden word, mat, is number " in guesses or "more than one token" in guesses
    assert lines.startswith("[MASK] attends most to ")


def test_hiding_another_word_asks_for_both(opened, findings):
    app = opened("mask", text="The cat sees the dog.")
    group(app, "hidden").set_value([2, 5]).run()
    assert not app.exception
    assert app.selectbox(key="mask").options == ["1: cat", "2: dog"]
    assert any(one.startswith("Surest word") for one in findings(app))


def test_a_typed_mask_is_a_mask(opened, findings):
    app = opened("mask", text="The cat sees the [mask].")
    assert group(app, "hidden").value == []
    assert "is guessed first" in findings(app)[0] and "hidden word" not in findings(app)[0]


def test_nothing_hidden_gets_a_sentence(opened):
    app = opened("mask", text="The cat sees the dog.")
    group(app, "hidden").set_value([]).run()
    assert not app.exception
    assert any("nothing to fill in" in info.value for info in app.info)


def test_leaving_out_a_word_changes_the_guess(opened, said, findings):
    app = opened("mask", text="The cat sees the dog.")
    group(app, "without").set_value([2]).run()
    assert "Without “cat”, " in said(app)
    both = next(one for one in findings(app) if one.startswith("the whole sentence: "))
    assert "; without cat: " in both


def test_a_mask_that_is_asked_for_stays_though_it_is_left_out(opened):
    app = opened("mask", text="The [MASK] sees the [MASK].", mask="1")
    group(app, "without").set_value([2]).run()
    assert not app.exception


def test_each_draw_of_the_rule_is_another_one(opened, findings):
    draws = {findings(opened("mask", draw=str(number)))[-2] for number in (1, 2, 3, 4)}
    assert len(draws) > 1
    assert all(" is replaced by " in draw or " is left as it is" in draw for draw in draws)


@pytest.mark.parametrize("text", ["", "🙂", "!!! ???", "word " * 700])
def test_whatever_is_typed_gets_an_answer(text, opened):
    app = opened("mask")
    app.text_input(key="text").set_value(text).run()
    assert not app.exception
