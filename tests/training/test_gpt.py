"""The GPT's stories: vocabulary pared down, words taught, lists that come twice."""

import numpy as np
import pytest
import torch

from tests import tiny
from viz_core.text import END, PAD, SPACE, START
from viz_core.training import gpt as recipe, teacher

PIECES = ["<unk>", "<s>", "</s>", *(f"<0x{code:02X}>" for code in range(256))]
PIECES += [SPACE + "t", "he", SPACE + "the", SPACE + "c", "at", SPACE + "cat", SPACE]
PIECES += [chr(code) for code in range(33, 127)]
WORDS = [(piece, -float(number)) for number, piece in enumerate(PIECES)]


def test_the_pared_vocabulary_can_still_build_its_words():
    used = torch.zeros(len(PIECES))
    used[PIECES.index(SPACE + "cat")] = 1.0
    kept = teacher.pare(WORDS, used)
    made = teacher.tokenizer(WORDS, kept)
    assert made.encode("cat").tokens == ("cat", "</s>")
    assert made.decode(made.encode("cat hat?").ids) == "cat hat?"
    assert not made.encode("~x9").unknown


def test_padding_begins_after_the_first_end():
    ids = torch.tensor([[START, 7, END, 8, END, 9], [START, 7, 8, 9, 5, 6]])
    assert teacher.tidy(ids).tolist() == [[START, 7, END, PAD, PAD, PAD], [START, 7, 8, 9, 5, 6]]


def test_no_story_is_in_two_parts_and_most_are_for_training():
    parts = [recipe.part_of(row) for row in range(256)]
    assert [parts.count(part) for part in ("train", "held-out", "test")] == [240, 8, 8]


def test_soft_targets_of_one_word_are_plain_cross_entropy():
    model, generator = tiny.gpt().model, torch.Generator().manual_seed(1)
    batch = recipe.repeats(torch.arange(4, 90), 3, 5, generator)
    logits = model.logits(model(batch.ids).states)
    taught = slice(6, -1)  # the second time, once a word of the list is there again
    oracle = torch.nn.functional.cross_entropy(
        logits[:, taught].flatten(0, 1), batch.ids[:, 7:].flatten(), reduction="sum"
    )
    assert float(recipe.nats(model, batch)) == pytest.approx(float(oracle), rel=1e-5)
    assert batch.ids[:, 1:6].equal(batch.ids[:, 6:])


def test_induction_is_measured_for_every_head():
    found = recipe.induction(tiny.gpt())
    assert np.array(found["after"]).shape == np.array(found["before"]).shape == (2, 2)
    assert 0 <= found["said"] <= 1


def test_no_number_of_a_file_and_so_no_story_comes_twice(tmp_path):
    assert teacher.following(tmp_path) == 0
    (tmp_path / "stories-00004.npz").touch()
    assert teacher.following(tmp_path) == 5
    assert teacher.following(tmp_path, first=237) == 237
    assert teacher.following(tmp_path, first=2) == 5


def test_without_stories_the_command_that_writes_them_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"viz_core\.training stories"):
        recipe.files(tmp_path)


def test_the_card_says_how_much_the_teacher_wrote(tmp_path):
    (tmp_path / teacher.FOLDER).mkdir()
    for number in range(2):
        ids = np.array([[START, 7, END, PAD], [START, 7, 8, END]], dtype=np.uint16)
        np.savez(tmp_path / teacher.FOLDER / f"stories-{number:05d}.npz", ids=ids)
    assert recipe.corpus(tmp_path) == {"stories": 4.0, "tokens": 14.0}
