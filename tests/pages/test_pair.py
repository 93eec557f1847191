"""Does it follow? Two probabilities that are one, and the row of [CLS]."""

import pytest

from viz_core import checkpoints, probe


def test_the_formula_gives_the_probability_of_the_model(opened, findings):
    app = opened("pair", text="The cat sees the dog.", pair="It's my red umbrella.")
    chance = probe.next_sentence(
        checkpoints.load("bert-mini"), "The cat sees the dog.", "It's my red umbrella."
    )
    assert f"= {chance:.3f}" in app.latex[0].value
    side = "it follows" if chance > 0.5 else "it does not"
    assert findings(app)[0].startswith(f"{side} is highest, {max(chance, 1 - chance):.2f}")


def test_the_lines_are_those_of_cls(opened, findings):
    assert findings(opened("pair"))[2].startswith("[CLS] attends most to ")


@pytest.mark.parametrize("key", ["text", "pair"])
def test_a_missing_sentence_is_asked_for(key, opened):
    app = opened("pair")
    app.text_input(key=key).set_value("").run()
    assert not app.exception
    which = "first" if key == "text" else "second"
    assert any(f"type the {which} sentence" in info.value for info in app.info)
