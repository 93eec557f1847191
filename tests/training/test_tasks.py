"""Fine-tuning BERT: the labelled texts and the three tasks."""

import gzip
import json
import random
from itertools import pairwise

import numpy as np
import pytest
import torch

from viz_core.analysis.passages import PASSAGES
from viz_core.training import loop, tasks
from viz_core.training.data import tasks as task_data
from viz_core.training.data.tasks import (
    Question,
    bio,
    entities,
    natural,
    opinions,
    overlap,
    questions,
    sentences,
)
from viz_core.training.loop import Schedule
from viz_core.training.measure import bert as bert_measure, bert_heads
from viz_core.training.tasks import NONE, FineTuning, Row, answer_row, collate, on_top

# ---- the texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("iob1", "wanted"),
    [
        ("I-PER I-PER O I-LOC", "B-PER I-PER O B-LOC"),
        ("I-PER B-PER I-PER", "B-PER B-PER I-PER"),
        ("I-PER I-LOC I-LOC", "B-PER B-LOC I-LOC"),
        ("O O", "O O"),
    ],
)
def test_iob1_becomes_bio(iob1, wanted):
    assert bio(iob1.split()) == tuple(wanted.split())


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        ("B-PER I-PER O B-LOC", {(0, 1, "PER"), (3, 3, "LOC")}),
        ("B-PER B-PER I-PER", {(0, 0, "PER"), (1, 2, "PER")}),
        ("B-PER I-LOC", {(0, 0, "PER")}),
        ("O O", set()),
    ],
)
def test_entities_are_spans_of_one_kind(tags, wanted):
    assert entities(tuple(tags.split())) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("it 's not bad .", "it's not bad."),
        ("i do n't know , really !", "i don't know, really!"),
        ("( a joke )", "(a joke)"),
    ],
)
def test_text_in_pieces_is_put_together_again(text, wanted):
    assert natural(text) == wanted


@pytest.mark.parametrize(
    ("found", "wanted", "f1"),
    [
        ("The cat.", "a cat", 1.0),
        ("black cat", "the cat", 2 / 3),
        ("dog", "cat", 0.0),
        ("the", "the", 1.0),
        ("", "cat", 0.0),
    ],
)
def test_answers_are_compared_as_squad_does(found, wanted, f1):
    assert overlap(found, wanted) == pytest.approx(f1)


def test_the_usual_answer_is_the_one_most_annotators_gave():
    asked = Question("?", "two big delegates", ((0, "two big"), (4, "big"), (4, "big")))
    assert asked.usual == (4, "big")


PHRASE = "umbrella number {0} is red"
SENTENCE = f"the dog sees that {PHRASE} and not blue ."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All three corpora as they are downloaded, with texts enough for each part."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("sst2", "conll2003", "squad", "pronouns"):
        (folder / name).mkdir()
    rows = [f"{n % 2}\tthe {'dog' if n % 2 else 'cat'} {n} ." for n in range(300)]
    rows += [f"1\t{one}" for n in range(200) for one in (PHRASE.format(n), SENTENCE.format(n))]
    with gzip.open(folder / "sst2/train.tsv.gz", "wt") as file:
        file.write("\n".join(["label\tsentence", *rows]))
    (folder / "sst2/dev.tsv").write_text("\n".join(["label\tcontent", *rows[:20]]))
    lines = [
        f"The DT I-NP O\ndog{'s' * (n % 2)} NN I-NP I-PER\nsees VB O O\nit{n} PRP O I-LOC\n"
        for n in range(200)
    ]
    text = "-DOCSTART- -X- O O\n\n" + "\n".join(lines)
    with gzip.open(folder / "conll2003/eng.train.gz", "wt") as file:
        file.write(text)
    (folder / "conll2003/eng.testa").write_text("\n".join(lines[:10]))
    for source in task_data.SQUAD:
        with gzip.open(folder / source.file, "wt") as file:
            json.dump({"data": [{"paragraphs": [paragraph(n) for n in range(100)]}]}, file)
    riddle = "The {0} sees the umbrella because it {1}.\nit\nThe {0},the umbrella\n{2}\n"
    (folder / "pronouns/dpr-train.txt").write_text(
        "\n".join(
            riddle.format(noun, *rest)
            for noun in ("dog", "cat", "dog")
            for rest in (("is red", "the umbrella"), ("sees me", f"The {noun}"))
        )
        + "\nShe sees.\nshe\nA,B\nA\n"
    )
    return folder


def paragraph(number):
    context = f"The dog {number} sees my red umbrella."
    answers = [{"text": "red umbrella", "answer_start": context.index("red")}]
    return {"context": context, "qas": [{"question": "What sees it?", "answers": answers}]}


READERS = {
    "classify": lambda *where: {one.text.replace(" ", "") for one in opinions(*where)},
    "tag": lambda *where: {one.words for one in sentences(*where)},
    "answer": lambda *where: {one.context for one in questions(*where)},
}


@pytest.mark.parametrize("task", READERS)
def test_held_out_texts_are_not_trained_on(task, folder, wordpiece):
    read = READERS[task]
    train, held_out, test = (read(folder, part) for part in ("train", "held-out", "test"))
    assert len(train) > len(held_out) > 0 and test
    assert not train & held_out
    if task == "answer":
        assert not train & test and not held_out & test
    assert all(tasks.ROWS[task](wordpiece, folder, part) for part in ("train", "held-out"))


def test_no_phrase_of_a_held_out_sentence_is_trained_on(folder):
    held_out = {one.text for one in opinions(folder, "held-out")}
    train = {one.text for one in opinions(folder, "train")}
    numbers = [n for n in range(200) if natural(SENTENCE.format(n)) in map(natural, held_out)]
    assert 5 <= len(numbers) == len(held_out) <= 25  # whole sentences alone
    for n in range(200):
        assert (PHRASE.format(n) in train) == (n not in numbers)


def test_whole_sentences_are_those_that_no_longer_one_contains():
    long = " ".join(f"w{i}" for i in range(12))
    other = " ".join(f"v{i}" for i in range(10))
    assert task_data.whole([long[:-4], other, "w3 w4", long]) == [long, other]


def test_a_missing_corpus_is_named(tmp_path, wordpiece):
    for rows in tasks.ROWS.values():
        with pytest.raises(ValueError, match=r"is missing. Its public source"):
            rows(wordpiece, tmp_path, "train")


# ---- rows and batches -------------------------------------------------------------------------


def test_an_answer_is_found_again_at_its_tokens(wordpiece):
    context = "The cat sees the dog. It's my red umbrella, isn't it?"
    for text in ("The cat", "my red umbrella", "it?", "dog"):
        asked = Question("What?", context, ((context.index(text), text),))
        for longest in (64, 24):
            row = answer_row(wordpiece, asked, longest)
            assert row is not None and len(row.ids) <= longest
            first, last = row.wanted
            assert row.segments[first] == row.segments[last] == 1
            shown = wordpiece.decode(row.ids[first : last + 1]).replace(" ", "")
            assert shown == text.lower().replace(" ", "")


def test_an_answer_that_is_not_in_the_text_is_left_out(wordpiece):
    assert answer_row(wordpiece, Question("What?", "The cat.", ((0, "dog"),))) is None
    assert answer_row(wordpiece, Question("What?", "The cat.", ((0, ""),))) is None


def test_a_word_is_labelled_once_at_its_first_piece(folder, wordpiece):
    sentence = task_data.sentences(folder, "test")[1]
    row = tasks.entity_rows(wordpiece, folder, "test")[1]
    labels = [task_data.TAGS[label] for label in row.wanted if label != NONE]
    assert tuple(labels) == sentence.tags and len(row.ids) > len(labels) + 2


def test_batches_hold_every_row_once_and_are_of_like_length(wordpiece, folder):
    rows = tasks.sentiment_rows(wordpiece, folder, "train")
    batches = tasks.bucketed(rows, 100, random.Random(1))
    again = [row for batch in batches for row in batch]
    assert sorted(again, key=lambda r: r.ids) == sorted(rows, key=lambda r: r.ids)
    sizes = sorted(sorted(len(row.ids) for row in batch) for batch in batches)
    assert all(size[-1] * len(size) <= 100 + size[-1] for size in sizes)
    assert all(short[-1] <= long[0] for short, long in pairwise(sizes))


def test_padding_is_masked_and_has_no_label():
    batch = collate([Row((1, 2, 3), (0, 0, 0), (5, 6, 7)), Row((1,), (0,), (5,))], pad=9)
    assert batch.ids.tolist() == [[1, 2, 3], [1, 9, 9]]
    assert batch.mask.tolist() == [[True] * 3, [True, False, False]]
    assert batch.wanted.tolist() == [[5, 6, 7], [5, NONE, NONE]] and batch.count == 4


# ---- the task ---------------------------------------------------------------------------------


def test_only_the_last_layers_start_from_other_weights(bert_of):
    base = bert_of("bert-mini").model
    model, other = on_top(base, "classify", trained=1), on_top(base, "classify", trained=1)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.add_(1.0)
    tasks.start_from(model, other, 1)
    kept, taken = (
        torch.equal(model.layers[place].rise.weight, whose.layers[place].rise.weight)
        for place, whose in ((0, base), (-1, other))
    )
    assert kept and taken and torch.equal(model.token.weight, base.token.weight)


def tuning(task, bert_of, wordpiece, folder, **settings) -> FineTuning:
    torch.manual_seed(1)
    model = on_top(bert_of("bert-mini").model, task, trained=1)
    train, held_out = (tasks.ROWS[task](wordpiece, folder, part) for part in ("train", "held-out"))
    return FineTuning(model, wordpiece, train, held_out, batch_tokens=200, **settings)


@pytest.mark.parametrize("task", ["classify", "tag", "answer"])
def test_training_learns_and_leaves_the_lower_layers_alone(
    task, bert_of, wordpiece, folder, tmp_path
):
    made = tuning(task, bert_of, wordpiece, folder, hidden=0.0)
    before = sum(made.held_out_losses().values())
    schedule = Schedule(steps=40, peak=5e-3, warmup=2, check_every=10)
    progress = loop.train(made, schedule, tmp_path)
    assert progress.best < 0.7 * before
    base, tuned = bert_of("bert-mini").model.state_dict(), made.model.state_dict()
    for name in tuned:
        learned = name.startswith(("layers.1.", "head.", "pooler."))
        same = base[name].shape == tuned[name].shape and torch.equal(base[name], tuned[name])
        assert same != learned or name.endswith("key.bias"), name  # softmax ignores a key's bias


def test_an_answer_never_lies_outside_the_context(bert_of, wordpiece, folder):
    made = tuning("answer", bert_of, wordpiece, folder)
    batch = collate(list(made.train[:3]), made.pad)
    right = made.loss(made.model, batch)
    assert torch.isfinite(right)
    for place in (0, 1, batch.ids.shape[1] - 1):
        wrong = collate([Row(r.ids, r.segments, (place, place)) for r in made.train[:3]], made.pad)
        assert torch.isinf(made.loss(made.model, wrong))


def test_hidden_tokens_are_never_cls_sep_or_padding(bert_of, wordpiece, folder):
    made = tuning("classify", bert_of, wordpiece, folder, hidden=0.9)
    for batch in made.batches(0.0, 0):
        assert (batch.ids[:, 0] == wordpiece.special["[CLS]"]).all()
        assert ((batch.ids == wordpiece.special["[SEP]"]).sum(1) == 1).all()
        assert (batch.ids[~batch.mask] == wordpiece.special["[PAD]"]).all()
    assert (batch.ids == wordpiece.special["[MASK]"]).float().mean() > 0.3


# ---- what is measured -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "split", "figure"),
    [
        ("bert-sentiment", "SST-2 dev", "accuracy"),
        ("bert-entities", "CoNLL-2003 testa", "F1"),
        ("bert-answers", "SQuADShifts test", "F1"),
    ],
)
def test_each_task_has_its_figure(name, split, figure, bert_of, folder):
    found = bert_measure.measure(bert_of(name), folder)["metrics"][split]
    assert 0 <= found[figure] <= 1


def test_a_perfect_tagger_scores_one(bert_of, folder, monkeypatch):
    tags = {s.words: list(s.tags) for s in task_data.sentences(folder, "test")}
    monkeypatch.setattr(bert_measure.probe_tasks, "tag", lambda _, words: tags[words])
    found = bert_measure.entities(bert_of("bert-entities"), folder)["metrics"]
    assert found["CoNLL-2003 testa"]["F1"] == 1


def test_riddles_are_the_items_about_it(folder):
    found = bert_heads.riddles(folder)
    assert len(found) == 6
    assert bert_heads.twins(found).tolist() == [1, 1, 2, 2, 3, 3]
    assert {one.right.lower() for one in found} == {"the dog", "the cat", "the umbrella"}
    assert all(
        one.sentence[bert_heads.spot(one, one.right) :][:3] in ("dog", "cat", "umb")
        for one in found
    )


def test_a_head_is_scored_on_riddles_it_was_not_chosen_on():
    """Heads that answer at random: the best of many looks good only where it was chosen."""
    wins = np.random.default_rng(1).random((120, 6, 12)) < 0.5
    found = bert_heads.coreference(wins, np.arange(120) // 2)
    assert found["it resolved where chosen"] > 0.6
    assert abs(found["it resolved"] - 0.5) < 0.2 and found["sentences"] == 120


def test_the_heads_of_a_bert_are_measured(bert_of, folder, monkeypatch):
    monkeypatch.setattr(bert_heads, "PASSAGES", (("The cat sees it.", "The dog didn't."),))
    monkeypatch.setattr(bert_heads, "CLASSIC", "the animal, the street, it")
    short = [one for one in bert_heads.syntax.corpus(600) if len(one.text) < 48]
    monkeypatch.setattr(bert_heads.syntax, "corpus", lambda: short)
    found = bert_heads.measure(bert_of("bert-mini"), folder)
    assert "syntax, object" in found["metrics"]
    assert np.array(found["measured"]["it resolved"]).shape == (2, 3)
    assert len(found["measured"]["profiles"]) == 2
    row = found["metrics"]["it, classic"]
    assert 0 < row["it to animal"] <= 1 and 1 <= row["layer"] <= 2 and 1 <= row["head"] <= 3


def test_passages_are_long_enough_for_a_broad_head():
    words = [len(f"{first} {second}".split()) for first, second in PASSAGES]
    assert len(PASSAGES) == 10 and min(words) > 75
