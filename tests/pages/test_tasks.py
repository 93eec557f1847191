"""Three tasks on top: with whichever checkpoints are there, a sentence for those that are not."""

import shutil

import pytest

from viz_core import checkpoints, probe

TASKS = {
    "Sentiment": "bert-sentiment",
    "Entities": "bert-entities",
    "Answers": "bert-answers",
}


def test_sentiment_shows_three_ways_and_whether_they_agree(opened, findings, said):
    app = opened("tasks")
    assert findings(app)[0].startswith("[CLS] attention: ")
    assert " agree most, " in findings(app)[1]
    assert "not what decided" in said(app)


def test_names_are_those_of_the_probe(opened, findings):
    app = opened("tasks", task="Entities", news="The cat sees the dog")
    tags = probe.tag(checkpoints.load("bert-entities"), ["The", "cat", "sees", "the", "dog"])
    assert findings(app)[0].count("(") == sum(tag.startswith("B-") for tag in tags)


def test_the_answer_is_that_of_the_probe(opened, findings):
    story = "The cat sees the dog. It's my red umbrella."
    app = opened("tasks", task="Answers", question="Who sees?", story=story)
    found = probe.answer(checkpoints.load("bert-answers"), "Who sees?", story)
    assert findings(app)[0] == f"The answer is {found.text}, probability {found.probability:.2f}"
    assert f"= {found.probability:.3f}" in app.latex[0].value


@pytest.mark.parametrize("task", TASKS)
def test_a_task_that_is_not_trained_yet_is_named_and_drawn(task, opened_at, tmp_path, findings):
    app = opened_at(tmp_path, "tasks", task=task)
    assert not app.error
    assert f"{TASKS[task]} is not trained yet" in app.info[0].value
    assert findings(app)[0].startswith("Read from ")


def test_one_task_alone_works(opened_at, tiny_folder, tmp_path, findings):
    for name in ("bert-mini", "bert-sentiment"):
        shutil.copytree(tiny_folder / name, tmp_path / name)
    app = opened_at(tmp_path, "tasks")
    assert not app.info
    assert findings(app)[0].startswith("[CLS] attention: ")


@pytest.mark.parametrize(("key", "task"), [("text", "Sentiment"), ("news", "Entities")])
def test_nothing_typed_gets_a_sentence(key, task, opened):
    app = opened("tasks", task=task)
    app.text_input(key=key).set_value("").run()
    assert not app.exception
    assert any("nothing to read yet" in info.value for info in app.info)
