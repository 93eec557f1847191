"""BERT, every head: the views on one trace, the query and the key, and what was measured."""

import json

import pytest


def test_it_opens_with_it_in_focus_and_all_heads_beside_it(opened, findings):
    lines, tiles, *_ = findings(opened("bert"))
    assert lines.startswith("it attends most to ")
    assert tiles.startswith("Sharpest is layer ")


def test_the_formula_ends_in_the_weight_of_the_picture(opened, findings):
    app = opened("bert", layer="2", heads="3", level="sub-words")
    weight = float(findings(app)[0].split(", ")[1])
    computed = float(app.latex[1].value.split("= ")[-1].strip("\n$"))
    assert computed == pytest.approx(weight, abs=0.0051)


def test_what_a_link_asks_for_and_is_not_here_is_named_and_the_page_opens_as_usual(
    opened, findings
):
    app = opened("bert", layer="99", heads="77")
    assert [warning.value for warning in app.warning] == [
        f"The link asks for {asked}, which is not here: you see what is."
        for asked in ("layer 99", "heads 77")
    ]
    assert findings(app) == findings(opened("bert"))


def test_a_score_near_chance_is_called_luck(opened, said):
    told = said(opened("bert"))
    assert "no better than luck" in told and "**51%**" in told


@pytest.mark.parametrize("summary", ["mean of heads", "rollout"])
def test_summaries_draw_other_weights_than_the_head(summary, opened, findings):
    head, summed = findings(opened("bert"))[0], findings(opened("bert", summary=summary))[0]
    assert "attends most to" in summed
    assert summed != head


def test_a_pair_can_be_cut_into_blocks(opened, findings):
    pair = {"text": "The cat sees it.", "pair": "The dog is red."}
    app = opened("bert", **pair, block="A → B")
    attended = findings(app)[0].split(" attends most to ")[1].split(", ")[0]
    assert attended in ("the", "dog", "is", "red", ".", "[SEP]")
    sentence = ["[CLS]", "the", "cat", "sees", "it", ".", "[SEP]"]
    assert app.selectbox(key="focus").options[1:] == [
        f"{i + 1}: {word}" for i, word in enumerate(sentence)
    ]


def test_no_head_chosen_gets_a_sentence_in_place_of_lines(opened, findings):
    app = opened("bert")
    heads = next(group for group in app.get("button_group") if group.key == "heads")
    heads.set_value([]).run()
    assert not app.exception
    assert "Choose at least one head." in findings(app)


def test_the_matrix_shows_the_same_weight_as_the_lines(opened, findings):
    lines, cells = (findings(opened("bert", view=view))[0] for view in ("lines", "matrix"))
    assert lines == cells


def test_a_new_sentence_moves_the_focus_to_its_own_it(opened):
    app = opened("bert")
    app.text_input(key="text").set_value("The dog sees it.").run()
    assert not app.exception
    assert app.selectbox(key="focus").value == 4
    app.text_input(key="text").set_value("The dog sees.").run()
    assert not app.exception
    assert app.selectbox(key="focus").value == -1


def test_a_long_text_is_windowed_with_a_notice(opened, specs):
    app = opened("bert", text="the cat sees the dog " * 60)
    assert any("42 of them are drawn" in caption.value for caption in app.caption)
    assert "a dot is the largest weight of several" in json.dumps(specs(app)[1])


def test_a_long_matrix_is_cut_around_the_focus(opened, findings):
    lines, cells = (
        findings(opened("bert", text="the cat sees the dog " * 40 + "it", view=view))[0]
        for view in ("lines", "matrix")
    )
    assert lines.startswith("it attends most to ") and cells.startswith("it attends most to ")


def test_without_the_checkpoint_the_page_says_so_in_a_sentence(opened_at, tmp_path):
    app = opened_at(tmp_path, "bert")
    assert "There is no checkpoint 'bert-mini'" in app.error[0].value


@pytest.mark.parametrize("view", ["lines", "matrix"])
def test_a_mean_and_a_rollout_are_called_so(view, opened, findings, specs):
    def titles(app):
        return [spec["title"]["text"] for spec in specs(app)]

    mean = opened("bert", view=view, summary="mean of heads", layer="2")
    assert titles(mean)[0] == "Layer 2, mean of heads"
    assert findings(mean)[0].endswith("layer 2, mean of heads")
    assert titles(opened("bert", view=view, summary="rollout"))[0] == "Rollout of all layers"


def test_no_line_is_explained_and_one_line_is_enough_not_to(opened):
    def told(**settings):
        return [c.value for c in opened("bert", **settings).caption if "No weight" in c.value]

    assert told(threshold="0.9", heads="1") and "of it reaches 0.9" in told(threshold="0.9")[0]
    assert not told(threshold="0.0", heads="1")


def test_the_focus_stays_with_its_word_when_the_words_are_cut_otherwise(opened):
    app = opened("bert", text="The cat didn't see the dog because it is red.", focus="7: dog")
    app.button_group(key="level").select("sub-words").run()
    focus = app.selectbox(key="focus")
    pieces = [option.split(": ")[1] for option in focus.options[1:]]
    assert focus.value > 6  # didn't, before it, has become several
    assert "dog".startswith(pieces[focus.value])
