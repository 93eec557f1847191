"""The bAbI files: stories, parts, batches."""

import numpy as np
import pytest
import torch

from viz_core.models.universal import Halting
from viz_core.text.stories import StoryWords
from viz_core.training import universal

FILE = """1 Mary went to the garden.
2 John got the milk there.
3 Where is Mary? \tgarden\t1
4 Mary went to the kitchen.
5 Where is Mary? \tkitchen\t4 1
1 John went to the kitchen.
2 Where is John?\tkitchen\t1
"""


def asked():
    return [one for story in universal.stories(FILE) for one in universal.questions(1, story)]


def test_a_question_knows_the_facts_before_it_and_not_those_after():
    first, second, third = asked()
    assert [len(one.facts) for one in (first, second, third)] == [2, 3, 1]
    assert second.words == ("where", "is", "mary") and second.answer == "kitchen"
    assert (first.needed, second.needed) == (1, 2)


def test_the_same_story_is_always_in_the_same_part():
    story, other = universal.stories(FILE)
    assert universal.part_of(story) == universal.part_of(list(story))
    assert {universal.part_of(story), universal.part_of(other)} <= set(universal.PARTS)


def test_a_batch_has_the_question_first_and_then_the_facts_from_the_last_on():
    words, answers = universal.words(asked())
    assert answers == 2 and words[:2] == ["garden", "kitchen"]
    tokenizer = StoryWords.of(words)
    encoded = universal.encode(asked(), tokenizer, width=8)
    (numbers, batch), *_ = encoded.batches([1, 2])
    assert numbers == [2, 1]  # fewer facts first
    assert batch.sentences.shape == (2, 4, 5) and batch.real.sum(1).tolist() == [2, 4]
    row = [[words[i] for i in line if i < len(words)] for line in batch.sentences[1].tolist()]
    assert row[0] == ["where", "is", "mary"]
    assert row[1] == ["mary", "went", "to", "the", "kitchen"]
    assert batch.answers.tolist() == [1, 1]


def test_ponder_time_is_steps_and_remainder_over_real_sentences():
    halting = Halting(
        torch.zeros(1, 1, 3), torch.tensor([[2, 4, 0]]), torch.tensor([[0.5, 0.1, 0]])
    )
    found = universal.pondered(halting, torch.tensor([[True, True, False]]))
    assert float(found) == pytest.approx((2.5 + 4.1) / 2)


def test_every_task_has_a_name():
    assert list(universal.TASKS) == list(np.arange(1, 21))
