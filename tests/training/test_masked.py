"""The text that BERT reads, how it is masked and paired, and its pre-training task."""

import io
import json
import tarfile
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from viz_core.models.bert import Bert, BertConfig
from viz_core.text.wordpiece import CLS, MASK, SEP, WordPiece
from viz_core.training import loop, masked, state
from viz_core.training.data import bert as bert_data
from viz_core.training.data.bert import Corpus, part_of, sentences
from viz_core.training.loop import Schedule
from viz_core.training.masked import FOLLOWING, NO_PAIR, Drawing, MaskedTask, log_frequencies
from viz_core.training.measure import bert as bert_measure

KINDS = pytest.mark.parametrize("kind", ["window", "pair", "single"])
WORDS = [a + b for a in "bcdfgklmnp" for b in ("an", "on", "il")]  # 30 words of one token each


@pytest.fixture(scope="module")
def wordpiece() -> WordPiece:
    return WordPiece.train([" ".join([*WORDS, "."])] * 3, size=120)


def make_corpus(tokenizer, seed=0, documents=8, size=30) -> Corpus:
    """Documents with words of their own: the first letter of a word tells where it is from."""
    rng = np.random.default_rng(seed)
    ids, starts, where = [], [0], []
    for number in range(documents):
        own = tokenizer.encode_batch([" ".join(WORDS[3 * number : 3 * number + 3])])[0]
        for _ in range(size):
            ids += rng.choice(own, rng.integers(2, 14)).tolist()
            starts.append(len(ids))
            where.append(number)
    return Corpus(np.array(ids, dtype=np.uint16), np.array(starts), np.array(where))


@pytest.fixture(scope="module")
def corpora(wordpiece) -> list[Corpus]:
    return [make_corpus(wordpiece, 0), make_corpus(wordpiece, 1)]


@pytest.fixture(scope="module")
def drawing(wordpiece, corpora) -> Drawing:
    return Drawing(wordpiece, corpora, length=32)


def document(wordpiece, ids) -> set[str]:
    return {wordpiece.vocabulary[i][0] for i in ids}


class Knowing:
    """A model that reads from the words whether both halves of a pair are of one document."""

    def __init__(self, wordpiece) -> None:
        self.wordpiece = wordpiece

    def __call__(self, ids, segments, places):
        assert places.shape[1] == 1  # [CLS] alone is asked
        rows = zip(ids, segments, strict=True)
        return SimpleNamespace(states=[self.one_document(*row) for row in rows])

    def one_document(self, ids, segments) -> bool:
        first, second = (ids[segments == half].tolist() for half in (0, 1))
        return document(self.wordpiece, first[1:-1]) == document(self.wordpiece, second[:-1])

    def task_logits(self, states):
        return torch.nn.functional.one_hot(torch.tensor(states).long(), 2)


@pytest.mark.parametrize("kind", ["window", "pair"])
def test_pairs_are_judged_without_their_masks(kind, drawing, wordpiece):
    batch = drawing.batch(kind, 640, np.random.default_rng(3))
    judged = bert_measure.follows_rightly(Knowing(wordpiece), batch)
    assert judged == [True] * len(batch.ids)
    assert (batch.ids == wordpiece.special[MASK]).any()  # which would have misled it


# ---- sentences and documents ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It rained. We left! Why?", ["It rained.", "We left!", "Why?"]),
        ("Mr. Smith saw J. R. Brown.  He smiled.", ["Mr. Smith saw J. R. Brown.", "He smiled."]),
        ('"Go." "No," he said. (He meant it.)', ['"Go."', '"No," he said.', "(He meant it.)"]),
        ("It cost 3.50 dollars... and more.", ["It cost 3.50 dollars... and more."]),
        ("One line\nanother line\n\n* * *\n", ["One line", "another line"]),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, wanted):
    assert sentences(text) == wanted


def write_archives(folder) -> None:
    book = "# Title: A\n\n## Author: B\n\n-------\n## CHAPTER I\n\n_It_ rained\\. We left.\r\n"
    files = {
        bert_data.BOOKS.file: {f"./A/book {n}.md": book for n in range(200)},
        bert_data.REVIEWS.file: {
            "aclImdb/README": "Read me.",
            "aclImdb/train/urls_pos.txt": "http://nothing",
            **{f"aclImdb/train/pos/{n}_9.txt": "Fine.<br /><br />See it." for n in range(200)},
        },
    }
    for name, members in files.items():
        (folder / name).parent.mkdir(parents=True)
        with tarfile.open(folder / name, "w:gz") as archive:
            for member, text in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))


def test_archives_are_read_without_markup(tmp_path):
    write_archives(tmp_path)
    books, reviews = dict(bert_data.books(tmp_path)), dict(bert_data.reviews(tmp_path))
    assert len(books) == len(reviews) == 200
    assert sentences(books["./A/book 7.md"]) == ["It rained.", "We left."]
    assert sentences(reviews["aclImdb/train/pos/3_9.txt"]) == ["Fine.", "See it."]


def test_each_document_is_in_one_part_and_most_are_for_training():
    parts = Counter(part_of(f"document {n}") for n in range(5000))
    assert set(parts) == {"train", "held-out", "test"}
    assert parts["train"] > 4600 and parts["test"] > 100 and parts["held-out"] > 50


def test_parts_are_apart_and_together_are_everything(tmp_path, wordpiece):
    write_archives(tmp_path)
    found = [
        bert_data.tokenise("reviews", part, tmp_path, wordpiece)
        for part in ("train", "held-out", "test")
    ]
    numbers = [set(corpus.documents.tolist()) for corpus in found]
    assert sum(map(len, numbers)) == len(set.union(*numbers)) == 200
    assert all(numbers)


def test_a_corpus_is_tokenised_once_and_then_mapped(tmp_path, wordpiece, capsys):
    write_archives(tmp_path)
    first = bert_data.corpus("books", "test", tmp_path, tmp_path / "runs", wordpiece)
    again = bert_data.corpus("books", "test", tmp_path / "gone", tmp_path / "runs", wordpiece)
    assert capsys.readouterr().out.count("Tokenising") == 1
    assert isinstance(again.ids, np.memmap)
    assert np.array_equal(first.ids, again.ids) and np.array_equal(first.starts, again.starts)
    assert len(again.documents) == 2 * len(set(again.documents.tolist()))


def test_a_missing_archive_is_named_with_its_source(tmp_path, wordpiece):
    with pytest.raises(ValueError, match=r"classic-books.tar.gz is missing. Its public source"):
        bert_data.tokenise("books", "test", tmp_path, wordpiece)


def test_what_a_corpus_knows_of_its_sentences(corpora):
    corpus = corpora[0]
    brute_ends = [
        corpus.starts[np.flatnonzero(corpus.documents == number).max() + 1]
        for number in corpus.documents
    ]
    assert corpus.ends.tolist() == brute_ends
    for i, size in enumerate(corpus.pair_sizes.tolist()):
        last = i + 1 == len(corpus.documents) or corpus.documents[i + 1] != corpus.documents[i]
        assert size == (0 if last else corpus.starts[i + 2] - corpus.starts[i])
    for size in (2, 7, 13):
        assert corpus.by_size[size].tolist() == np.flatnonzero(corpus.sizes == size).tolist()


# ---- pairs ------------------------------------------------------------------------------------


@KINDS
def test_rows_are_full_and_their_segments_right(kind, drawing, wordpiece):
    cls, sep = wordpiece.special[CLS], wordpiece.special[SEP]
    rng = np.random.default_rng(3)
    for _ in range(20):
        batch = drawing.batch(kind, 300, rng)
        assert batch.ids.shape[1] <= 32 and (batch.ids[:, 0] == cls).all()
        assert (batch.ids[:, 1:] != cls).all()
        for ids, segments in zip(batch.ids, batch.segments, strict=True):
            ends = (ids == sep).nonzero().flatten().tolist()
            assert ends[-1] == len(ids) - 1 and len(ends) == (1 if kind == "single" else 2)
            wanted = [int(kind != "single" and i > ends[0]) for i in range(len(ids))]
            assert segments.tolist() == wanted


@pytest.mark.parametrize("kind", ["window", "pair"])
def test_the_label_says_whether_both_sentences_are_of_one_document(kind, drawing, corpora):
    rng = np.random.default_rng(4)
    labels = []
    for corpus in corpora:
        home = dict(
            zip(corpus.ids.tolist(), np.repeat(corpus.documents, corpus.sizes), strict=True)
        )
        for first, second, follows in masked.draw(corpus, kind, 20, 300, rng):
            assert len(first) + len(second) == 20 and len(first) and len(second)
            same = {home[i] for i in first.tolist()} == {home[i] for i in second.tolist()}
            assert same == bool(follows)
            labels.append(follows)
    assert 0.4 < np.mean(labels) < 0.6


def test_a_second_sentence_that_follows_is_the_very_next_one(corpora):
    corpus = corpora[0]
    text = corpus.ids.tolist()
    rows = masked.draw(corpus, "window", 20, 200, np.random.default_rng(5))
    for first, second, follows in rows:
        if follows:
            run = [*first.tolist(), *second.tolist()]
            places = [i for i in range(len(text)) if text[i : i + 20] == run]
            assert any(i + len(first) in corpus.starts for i in places)


@KINDS
def test_a_single_sentence_has_no_label_and_a_pair_always_has(kind, drawing):
    batch = drawing.batch(kind, 300, np.random.default_rng(6))
    assert ((batch.follows == NO_PAIR) == (kind == "single")).all()


def test_every_corpus_has_an_equal_part(wordpiece):
    corpora = [make_corpus(wordpiece, 0, documents=2), make_corpus(wordpiece, 1, documents=8)]
    batch = Drawing(wordpiece, corpora, length=32).batch("window", 640, np.random.default_rng(1))
    few = set(corpora[0].ids.tolist())
    own = [set(row.tolist()) & few for row in batch.wanted]
    assert len(batch.ids) == 20 and all(own[:10])


# ---- masking ----------------------------------------------------------------------------------


@KINDS
def test_fifteen_in_a_hundred_are_asked_and_only_these_are_changed(kind, drawing, wordpiece):
    rng = np.random.default_rng(7)
    batch = drawing.batch(kind, 2000, rng)
    room = batch.ids.shape[1] - (2 if kind == "single" else 3)
    assert batch.wanted.shape[1] == max(1, round(0.15 * room))
    assert (batch.places[:, 0] == 0).all()
    places = batch.places[:, 1:]
    assert all(len(set(row.tolist())) == places.shape[1] for row in places)
    special = {wordpiece.special[CLS], wordpiece.special[SEP]}
    assert special.isdisjoint(batch.wanted.flatten().tolist())
    restored = batch.ids.scatter(1, places, batch.wanted)
    assert wordpiece.special[MASK] not in restored


def test_eighty_are_masked_ten_random_and_ten_stay(drawing, wordpiece):
    rng = np.random.default_rng(8)
    seen: Counter[str] = Counter()
    for _ in range(40):
        batch = drawing.batch("window", 3000, rng)
        now = batch.ids.gather(1, batch.places[:, 1:])
        hidden, same = now == wordpiece.special[MASK], now == batch.wanted
        seen += Counter(masked=int(hidden.sum()), same=int(same.sum()), all=now.numel())
    assert abs(seen["masked"] / seen["all"] - 0.8) < 0.01
    # a random token is the same one now and then
    chance = 0.1 / len(drawing.masking.ordinary)
    assert abs(seen["same"] / seen["all"] - 0.1 - chance) < 0.01


def test_the_same_generator_draws_the_same_batch(drawing):
    one, two = (drawing.batch("pair", 500, np.random.default_rng(9)) for _ in range(2))
    assert all(torch.equal(getattr(one, name), getattr(two, name)) for name in one.__slots__)


# ---- the task ---------------------------------------------------------------------------------


def make_task(wordpiece, corpora, out, **changes) -> MaskedTask:
    torch.manual_seed(1)
    config = BertConfig(vocabulary=wordpiece.size, width=16, heads=2, layers=2, inner=32)
    settings = {"length": 32, "batch_tokens": 320, "checked": 3, **changes}
    return MaskedTask(Bert(config), wordpiece, corpora, corpora, out=out, **settings)


@KINDS
@pytest.mark.parametrize("training", [True, False])
def test_the_loss_is_the_mean_over_masks_plus_the_mean_over_pairs(
    kind, training, wordpiece, corpora, tmp_path
):
    task = make_task(wordpiece, corpora, tmp_path)
    task.model.train(training)
    batch = task.drawing.batch(kind, 320, np.random.default_rng(1))
    states = task.model(batch.ids, batch.segments).states
    rows = torch.arange(len(batch.ids))[:, None]
    logits = task.model.mask_logits(states[rows, batch.places[:, 1:]])
    wanted = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.wanted.flatten())
    if kind != "single":
        pairs = torch.nn.functional.cross_entropy(task.model.task_logits(states), batch.follows)
        wanted += pairs * (FOLLOWING if training else 1.0)
    found = task.loss(task.model, batch) / batch.count
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


def test_shares_of_a_batch_have_the_loss_of_the_whole(wordpiece, corpora, tmp_path):
    task = make_task(wordpiece, corpora, tmp_path)
    for kind in ("window", "single"):
        batch = task.drawing.batch(kind, 320, np.random.default_rng(1))
        parts = [task.loss(task.model, batch.share(rank, 3)) for rank in range(3)]
        torch.testing.assert_close(sum(parts), task.loss(task.model, batch), rtol=1e-4, atol=1e-3)
        assert sum(batch.share(rank, 3).count for rank in range(3)) == batch.count


@KINDS
def test_every_batch_gives_every_weight_a_gradient(kind, wordpiece, corpora, tmp_path):
    """Several processes wait for each other's gradients, and Adam for its first step."""
    task = make_task(wordpiece, corpora, tmp_path)
    task.loss(task.model, task.drawing.batch(kind, 320, np.random.default_rng(1))).backward()
    assert all(parameter.grad is not None for parameter in task.model.parameters())


def test_training_learns_and_resumes_where_it_stopped(wordpiece, corpora, tmp_path):
    schedule = Schedule(steps=60, peak=5e-3, warmup=5, check_every=20)
    task = make_task(wordpiece, corpora, tmp_path)
    before = sum(task.held_out_losses().values())
    loop.train(task, schedule, tmp_path)
    progress = state.read_progress(tmp_path)
    assert progress.step == 60 and progress.best < before - 0.5
    resumed = make_task(wordpiece, corpora, tmp_path)
    loop.train(resumed, Schedule(steps=61, check_every=20), tmp_path, resume=True)
    assert state.read_progress(tmp_path).step == 61
    assert abs(sum(resumed.held_out_losses().values()) - sum(task.held_out_losses().values())) < 0.2


def test_snapshots_say_what_stands_in_the_gaps(wordpiece, corpora, tmp_path):
    task = make_task(wordpiece, corpora, tmp_path)
    task.snapshot(5)
    kept = json.loads((tmp_path / "snapshots.jsonl").read_text())
    assert kept["step"] == 5 and list(kept["guesses"]) == list(masked.WATCHED)
    for guesses in kept["guesses"].values():
        assert len(guesses) == 5 and all(0 <= value <= 1 for _, value in guesses)


def test_the_output_starts_at_how_often_each_token_occurs(corpora, wordpiece):
    found = log_frequencies(corpora, wordpiece.size)
    assert abs(float(found.exp().sum()) - 1) < 1e-5
    counts = Counter(np.concatenate([corpus.ids for corpus in corpora]).tolist())
    most, _ = counts.most_common(1)[0]
    assert int(found.argmax()) == most
