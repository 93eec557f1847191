from functools import partial

import pytest

from tests.opening import page

opened = partial(page, "norms")


def test_a_word_alone_keeps_its_layer_norm_and_loses_its_batch_norm():
    app = opened()
    assert not app.exception
    told = next(text.value for text in app.markdown if "Look for" in text.value)
    assert "layer norm changes it by 0.00, batch norm by up to 0.84" in told


def test_a_batch_of_one_leaves_zeros():
    app = opened()
    app.button_group(key="example").select("a batch of one").run()
    assert not app.exception
    assert app.text_input(key="values").value == "1 2 3 4"
    assert any("its own mean" in text.value for text in app.markdown)


@pytest.mark.parametrize("typed", ["", "one", "1 2; 3", "1e400", "nan", "1 " * 9])
def test_numbers_that_do_not_work_get_a_sentence(typed):
    app = opened()
    app.text_input(key="values").set_value(typed).run()
    assert not app.exception
    assert [info.value.startswith("Numbers") for info in app.info] == [True]
