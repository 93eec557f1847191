import math

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from viz_core import probe
from viz_core.probe import tasks as probe_tasks
from viz_core.text.wordpiece import WordPiece

TEXT = "The cat didn't see the red umbrella."
CONTEXT = "The cat sees the dog. The dog didn't see it. It's my red umbrella."


# ---- sentiment --------------------------------------------------------------------------------


def test_the_labels_share_one_probability(bert_of):
    found = probe.classify(bert_of("bert-sentiment"), TEXT)
    assert list(found) == ["negative", "positive"]
    assert math.isclose(sum(found.values()), 1, abs_tol=1e-6)


def test_importance_is_one_number_a_word_in_three_ways(bert_of):
    bundle = bert_of("bert-sentiment")
    found = probe_tasks.importance(bundle, TEXT)
    assert found.words[0] == "[CLS]" and "didn't" in found.words and found.words[-1] == "[SEP]"
    chances = probe.classify(bundle, TEXT)
    assert found.label == max(chances, key=lambda label: chances[label])
    assert math.isclose(found.probability, chances[found.label], abs_tol=1e-6)
    trace = probe.encode(bundle, TEXT).words()
    np.testing.assert_allclose(found.attention, trace.weights[-1, :, 0].mean(0), atol=1e-6)


def test_leaving_a_word_out_is_classifying_the_text_without_it(bert_of):
    bundle = bert_of("bert-sentiment")
    found = probe_tasks.importance(bundle, "The dog sees it")

    def odds(chance: float) -> float:
        return math.log(chance / (1 - chance))

    for number, rest in ((1, "dog sees it"), (3, "The dog it"), (4, "The dog sees")):
        fall = odds(found.probability) - odds(probe.classify(bundle, rest)[found.label])
        assert math.isclose(found.left_out[number], fall, abs_tol=1e-4)
    assert found.left_out[0] == pytest.approx(0, abs=1e-5)  # [CLS] always stays


def test_log_odds_still_tell_apart_what_is_nearly_certain():
    logits = torch.tensor([[30.0, 0.0], [40.0, 0.0]])
    assert torch.equal(logits.softmax(-1)[:, 0], torch.ones(2))
    torch.testing.assert_close(probe_tasks.log_odds(logits, 0), torch.tensor([30.0, 40.0]))
    three = torch.tensor([1.0, 2.0, 0.5])
    chance = three.softmax(-1)[1]
    torch.testing.assert_close(probe_tasks.log_odds(three, 1), (chance / (1 - chance)).log())


def test_gradient_times_input_is_the_slope_along_each_word(bert_of, wordpiece):
    """Finite differences: scale a token's embedding by 1 + e and see how the score moves."""
    bundle = bert_of("bert-sentiment")
    model = bundle.model
    text = "The dog sees it"
    found = probe_tasks.importance(bundle, text)
    encoded = wordpiece.encode(text)
    ids, segments = torch.tensor([encoded.ids]), torch.tensor([encoded.segments])
    token, segment, position = (part.double() for part in model.parts(ids, segments))
    label = model.config.labels.index(found.label)

    def score(scale: torch.Tensor) -> float:
        total = token * scale.view(1, -1, 1) + segment + position
        states = model.encode(model.norm(total.float())).states
        return float(probe_tasks.log_odds(model.task_logits(states)[0], label))

    for place in range(len(encoded.ids)):
        step = torch.zeros(len(encoded.ids), dtype=torch.double)
        step[place] = 1e-2
        slope = (score(1 + step) - score(1 - step)) / 2e-2
        assert found.gradient[encoded.words[place]] == pytest.approx(slope, abs=5e-2, rel=5e-2)


def test_a_text_too_long_to_explain_gets_a_sentence(bert_of):
    bundle = bert_of("bert-sentiment")
    with pytest.raises(ValueError, match="64 at most"):
        probe_tasks.importance(bundle, "cat " * 200)


# ---- entities ---------------------------------------------------------------------------------


def test_every_given_word_has_one_tag(bert_of):
    bundle = bert_of("bert-entities")
    words = ["The", "umbrella", "didn't", "see", "گربه", "\u200b", "", "😀", "it", "."]
    tags = probe.tag(bundle, words)
    assert len(tags) == len(words)
    assert tags[5] == tags[6] == "O"  # nothing there to tag
    assert set(tags) <= set(bundle.model.config.labels)


def test_tags_are_those_of_the_first_piece(bert_of, wordpiece: WordPiece):
    bundle = bert_of("bert-entities")
    words = ["the", "umbrella", "sees", "dog"]
    ids = torch.tensor([wordpiece.encode(" ".join(words)).ids])
    best = bundle.model.task_logits(bundle.model(ids, torch.zeros_like(ids)).states)[0].argmax(-1)
    (pieces,) = wordpiece.word_windows(words, 64)
    assert pieces.ids == tuple(ids[0].tolist())
    raw = [bundle.model.config.labels[int(best[place])] for place, _ in pieces.firsts]
    assert probe.tag(bundle, words) == probe_tasks.valid_bio(raw)


def test_a_long_list_of_words_is_read_in_windows(bert_of):
    assert len(probe.tag(bert_of("bert-entities"), ["cat", "umbrella"] * 300)) == 600


def test_windows_hold_every_word_once_and_never_too_much(wordpiece):
    words = ["umbrella", "cat", "", "x" * 300, "dog"] * 20
    windows = list(wordpiece.word_windows(words, 32))
    assert max(len(window.ids) for window in windows) <= 32
    numbers = [word for window in windows for _, word in window.firsts]
    assert numbers == [i for i, word in enumerate(words) if word]


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        (["I-PER", "I-PER"], ["B-PER", "I-PER"]),
        (["B-PER", "I-LOC"], ["B-PER", "B-LOC"]),
        (["O", "I-PER", "O"], ["O", "B-PER", "O"]),
        (["B-PER", "B-PER", "I-PER"], ["B-PER", "B-PER", "I-PER"]),
    ],
)
def test_an_entity_begins_with_b(tags, wanted):
    assert probe_tasks.valid_bio(tags) == wanted


@pytest.mark.parametrize("words", [[], ["", " "]])
def test_no_words_get_a_sentence(bert_of, words):
    with pytest.raises(ValueError, match="nothing to read yet"):
        probe.tag(bert_of("bert-entities"), words)


# ---- answers ----------------------------------------------------------------------------------


def test_an_answer_is_a_part_of_the_context(bert_of):
    found = probe.answer(bert_of("bert-answers"), "Who sees?", CONTEXT)
    assert found.text == CONTEXT[found.start : found.end] and found.text
    assert 0 < found.probability <= 1


def test_an_answer_s_probability_is_that_of_its_start_and_end(bert_of):
    found = probe_tasks.answer_trace(bert_of("bert-answers"), "Who sees?", CONTEXT)
    assert found.start.sum() == pytest.approx(1, abs=1e-5)
    assert found.end.sum() == pytest.approx(1, abs=1e-5)
    assert len(found.tokens) == len(found.offsets) == len(found.start) == len(found.end)
    first = [start for start, _ in found.offsets].index(found.answer.start)
    last = [end for _, end in found.offsets].index(found.answer.end)
    joint = float(found.start[first] * found.end[last])
    assert found.answer.probability == pytest.approx(joint)
    assert all(
        joint >= found.start[i] * found.end[j] - 1e-7
        for i in range(len(found.start))
        for j in range(i, min(len(found.end), i + probe_tasks.ANSWER))
    )


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=12),
    st.integers(1, 5),
)
def test_the_best_span_is_the_best_of_all(thousandths, longest):
    start, end = (np.array(side) / 1000 for side in zip(*thousandths, strict=True))
    brute = max(
        (start[i] * end[j], -(j - i), -i)
        for i in range(len(start))
        for j in range(i, min(len(start), i + longest))
    )
    first, last = probe_tasks.best_span(start, end, longest)
    assert 0 <= last - first < longest
    assert start[first] * end[last] == pytest.approx(brute[0])


def test_a_long_context_is_read_to_its_end(bert_of, monkeypatch):
    monkeypatch.setattr(probe_tasks, "OVERLAP", 16)
    context = " ".join([CONTEXT] * 8)
    found = probe_tasks.answer_trace(bert_of("bert-answers"), "Who sees?", context)
    assert found.offsets[-1][1] == len(context)
    assert np.isfinite(found.start).all() and (found.start > 0).all()


@pytest.mark.parametrize(
    ("question", "context", "said"),
    [
        ("", CONTEXT, "no question yet"),
        ("Who?", " ", "no text to look into"),
        ("who " * 40, CONTEXT, "16 at most leave room"),
    ],
)
def test_a_missing_or_endless_part_gets_a_sentence(bert_of, question, context, said):
    with pytest.raises(ValueError, match=said):
        probe.answer(bert_of("bert-answers"), question, context)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Angela Merkel, in Paris.", ["Angela", "Merkel", ",", "in", "Paris", "."]),
        ("It's U.S. well-known", ["It's", "U.S", ".", "well-known"]),
        ("", []),
        ("🙂 <b>", ["🙂", "<", "b", ">"]),
    ],
)
def test_running_text_is_split_into_words_to_tag(text, words):
    assert probe_tasks.split(text) == words
