"""Whatever is typed: an answer of bounded size, or one sentence that a person can act on."""

import json
import math
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as some

from tests import tiny
from viz_core import checkpoints, probe, ui
from viz_core.probe import (
    bert as probe_bert,
    characters as probe_characters,
    own_model,
    rnn as probe_rnn,
    tasks as probe_tasks,
)
from viz_core.traces import AttentionTrace, Translation
from viz_core.traces.rnn import LocalTrace
from viz_core.traces.search import BeamTrace

NASTY = (
    "",
    " \t\n\u00a0",
    "\x00\x07\x1b[31m",
    "\ud800 half a pair",
    "\u202eright to left\u202c \u200b\u2060\ufeff",
    "🙂👩\u200d👩\u200d👧🏿 🏳️\u200d🌈",
    "این یک جمله است",
    "这是一个没有空格的句子",
    "e" + "\u0301" * 300,
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "$\\frac{1}{0}$ **bold** [x](javascript:alert(1)) :red[z] `code`",
    "'; DROP TABLE students; --",
    "../../../../etc/passwd",
    "{{7*7}} ${7*7} %s %n {0}",
    "[CLS] [SEP] [MASK] [PAD] [UNK] <s> </s> <pad> <unk> ▁ ##",
    "a" * 3000,
    "word " * 5000,
    "1e309 -0 NaN Infinity",
    "ﬁ ǅ İ ß Å",
)
TEXTS = some.one_of(some.sampled_from(NASTY), some.text(max_size=40))
NUMBERS = some.one_of(
    some.sampled_from([math.nan, math.inf, -math.inf, 1e308, -1e308]), some.floats(-2, 2)
)
LONGEST = 120  # tokens of a translation
FEW = settings(max_examples=20)


def answered(call):
    """The answer, or None where a sentence was the answer; anything else fails the test."""
    try:
        return call()
    except ValueError as error:
        sentence = str(error)
        assert sentence and "\n" not in sentence and len(sentence) < 300, repr(sentence)
        first = sentence.split()[0]
        assert first[0].isupper() or "/" in first, sentence  # or the file that it is about
        assert sentence.rstrip().endswith("."), sentence
        assert type(error).__name__ in ("ValueError", "CheckpointError"), type(error)
        return None


def assert_sound(trace: AttentionTrace, sums_to_one: bool = True) -> None:
    assert np.isfinite(trace.weights).all()
    assert trace.weights.size <= 12 * 512**2
    if sums_to_one:
        np.testing.assert_allclose(trace.weights.sum(-1), 1, atol=1e-4)


# ---- writers ----------------------------------------------------------------------------------


@FEW
@given(TEXTS, some.integers(-2, 8), NUMBERS, some.integers(-2, 9), some.integers(-9, 9))
def test_a_gpt_writes_on_from_any_text(text, tokens, temperature, top_k, seed):
    found = answered(lambda: probe.generate(tiny.gpt(), text, tokens, temperature, top_k, seed))
    if found is not None:
        assert 1 <= len(found.tokens) <= tokens
        assert_sound(found.attention)


@FEW
@given(TEXTS)
def test_a_gpt_reads_any_text(text):
    for call in (probe.encode, probe.lens, probe.language_loss, probe.continuations):
        answered(lambda: call(tiny.gpt(), text))  # noqa: B023


# ---- translators ------------------------------------------------------------------------------


@FEW
@given(TEXTS, some.sampled_from(["rnn-additive", "rnn-location", "transformer"]))
def test_translate_answers_any_text(bundle_of, text, name):
    found = answered(lambda: probe.translate(bundle_of(name), text, beam=2))
    if found is not None:
        assert isinstance(found, Translation) and len(found.target) <= LONGEST
        assert_sound(found.words().cross)


@FEW
@given(TEXTS, TEXTS)
def test_align_and_log_prob_answer_any_pair(bundle_of, source, target):
    bundle = bundle_of("rnn-dot")
    found = answered(lambda: probe.align(bundle, source, target))
    if found is not None:
        assert_sound(found.cross)
        total = probe.log_prob(bundle, source, target)
        assert math.isfinite(total) and total <= 1e-3


@FEW
@given(
    TEXTS,
    some.integers(-2, 12),
    NUMBERS,
    some.lists(some.integers(-5, 2**70), max_size=3),
)
def test_beam_answers_any_setting(bundle_of, text, size, penalty, prefix):
    bundle = bundle_of("rnn-additive")
    found = answered(lambda: probe.beam(bundle, text[:60], size, penalty, prefix, limit=6))
    if found is not None:
        assert isinstance(found, BeamTrace)
        assert len(found.nodes) <= 1 + 6 * size * (max(size, 5) + 1)
        assert all(math.isfinite(node.score) for node in found.nodes)


def test_beam_settings_that_work_are_among_those_that_were_tried(bundle_of):
    found = probe.beam(bundle_of("rnn-additive"), "The cat sees the dog.", 3, 0.6, [5], limit=6)
    assert len(found.nodes) > 3


@FEW
@given(TEXTS, TEXTS, some.sampled_from(["rnn-none", "rnn-search", "transformer"]))
def test_a_machine_answers_any_pair_and_opens_any_box(bundle_of, text, target, name):
    found = answered(lambda: probe.machine(bundle_of(name), text, target))
    if found is not None:
        assert all(np.isfinite(box.values).all() for box in found.boxes)
        assert len(found.said) <= LONGEST
        assert answered(lambda: probe.inside(bundle_of(name), text, target, "Softmax"))
    assert answered(lambda: probe.inside(bundle_of(name), text, target, text)) is None


@FEW
@given(TEXTS)
def test_local_attention_answers_any_text(bundle_of, text):
    found = answered(lambda: probe.local(bundle_of("rnn-local-p"), text))
    if found is not None:
        assert isinstance(found, LocalTrace)
        assert_sound(found.attention, sums_to_one=False)


@FEW
@given(TEXTS)
def test_memory_answers_any_text(bundle_of, text):
    found = answered(lambda: probe_rnn.memory(bundle_of("rnn-additive"), text))
    if found is not None:
        assert np.isfinite(found.forward).all() and np.isfinite(found.backward).all()
        assert len(found.words) <= LONGEST


@FEW
@given(TEXTS)
def test_readers_of_running_text_answer_any_text(text):
    for bundle in (tiny.lstmn(), tiny.elmo()):
        found = answered(lambda bundle=bundle: probe.language_loss(bundle, text))
        assert found is None or math.isfinite(found[0])
    read = answered(lambda: probe.read(tiny.lstmn(), text))
    assert read is None or not np.triu(read.matrix()).any()
    states = answered(lambda: probe.states(tiny.elmo(), text))
    assert states is None or np.isfinite(states.values).all()


@FEW
@given(TEXTS, some.lists(some.integers(-5, 2**70), max_size=3))
def test_a_document_answers_any_text(text, without):
    for read, bundle in ((probe.document, tiny.han()), (probe.last_state, tiny.gru_last())):
        found = answered(lambda read=read, bundle=bundle: read(bundle, text, without))
        if found is not None:
            assert np.isfinite(found.positive).all()


@FEW
@given(TEXTS, some.integers(-(2**70), 2**70), NUMBERS)
@example("The cat sees the dog.", 1, math.nan)
@example("The cat sees the dog.", 1, math.inf)
def test_a_window_moves_by_any_number_or_says_why_not(bundle_of, text, row, shift):
    found = answered(lambda: probe.move(bundle_of("rnn-local-p"), text[:60], row, shift))
    if found is not None:
        assert_sound(found.local.attention, sums_to_one=False)
        assert all(0 <= chance <= 1 for chance in (*found.before, *found.after))


@FEW
@given(TEXTS, some.sampled_from(["lstm", "gru"]))
def test_gates_answer_any_text(characters_of, text, cell):
    found = answered(lambda: probe.gates(characters_of(cell), text))
    if found is not None:
        assert ((found.values >= 0) & (found.values <= 1)).all()
        assert len(found.tokens) <= probe_characters.LONGEST_TEXT


# ---- BERT -------------------------------------------------------------------------------------


@FEW
@given(TEXTS, some.one_of(some.none(), TEXTS))
def test_encode_answers_any_text_or_pair(bert_of, text, pair):
    found = answered(lambda: probe.encode(bert_of("bert-mini"), text, pair))
    if found is not None:
        assert_sound(found)
        assert_sound(found.words())


@FEW
@given(TEXTS, some.integers(-3, 10**9))
def test_fill_mask_answers_any_text(bert_of, text, top):
    found = answered(lambda: probe.fill_mask(bert_of("bert-mini"), f"{text[:50]} [MASK]", top))
    for guesses in found or []:
        assert 1 <= len(guesses) <= 160
        assert all(0 <= chance <= 1 for _, chance in guesses)


@FEW
@given(TEXTS, TEXTS)
def test_next_sentence_and_classify_give_probabilities(bert_of, first, second):
    follows = answered(lambda: probe.next_sentence(bert_of("bert-mini"), first, second))
    assert follows is None or 0 <= follows <= 1
    labels = answered(lambda: probe.classify(bert_of("bert-sentiment"), first))
    assert labels is None or sum(labels.values()) == pytest.approx(1, abs=1e-4)


@FEW
@given(some.lists(TEXTS.map(lambda text: text[:200]), max_size=6))
def test_tag_gives_one_tag_for_each_given_word(bert_of, words):
    found = answered(lambda: probe.tag(bert_of("bert-entities"), words))
    assert found is None or len(found) == len(words)


@FEW
@given(TEXTS, TEXTS)
def test_an_answer_is_a_part_of_its_context(bert_of, question, context):
    found = answered(lambda: probe.answer(bert_of("bert-answers"), question, context[:2000]))
    if found is not None:
        assert found.text == context[:2000][found.start : found.end]
        assert 0 <= found.probability <= 1


WORDS = some.lists(some.integers(-3, 2**70), max_size=4)


@FEW
@given(TEXTS, WORDS, WORDS, some.integers(-3, 10**9))
def test_holes_are_filled_in_any_text(bert_of, text, hidden, left_out, top):
    bundle = bert_of("bert-mini")
    found = answered(
        lambda: probe_bert.filled(bundle, f"{text[:50]} [MASK]", hidden, left_out, top)
    )
    if found is not None:
        assert len(found.guesses) == len(found.places) == len(found.wanted) >= 1
        np.testing.assert_allclose(found.probabilities.sum(-1), 1, atol=1e-4)
        assert_sound(found.trace)


@FEW
@given(TEXTS, some.one_of(some.none(), TEXTS), some.integers(-2, 4), some.integers(-2, 4))
def test_query_key_and_embeddings_answer_any_text_or_pair(bert_of, text, pair, layer, head):
    bundle = bert_of("bert-mini")
    apart = answered(lambda: probe_bert.query_key(bundle, text, layer, head, pair))
    assert apart is None or np.isfinite(apart.query @ apart.key.T).all()
    parts = answered(lambda: probe_bert.embeddings(bundle, text, pair))
    if parts is not None:
        assert np.isfinite(parts.total).all() and len(parts.total) == len(parts.tokens) <= 64


@FEW
@given(TEXTS)
def test_importance_answers_any_text(bert_of, text):
    found = answered(lambda: probe_tasks.importance(bert_of("bert-sentiment"), text))
    if found is not None:
        assert 0 <= found.probability <= 1
        for way in (found.attention, found.gradient, found.left_out):
            assert np.isfinite(way).all() and len(way) == len(found.words)


# ---- typed text inside a sentence --------------------------------------------------------------

SPECIAL = some.text("\\`*_{}[]()#+-!|<>~$:&=./@ \n1aw", max_size=30)


@given(some.one_of(TEXTS, SPECIAL))
@example("http://www.x.y &lt; a@b.cd :smile: -> -- 1. 2.\n\n3. \n    code\n===")
def test_escaped_text_is_one_paragraph_that_says_the_same(text):
    """How it looks in a browser is in tests/browser: test_stage.py, test_self_attention.py."""
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark")  # from import-linter
    blocks = markdown.enable(["table", "strikethrough"]).parse(ui.escape(text).strip())
    kinds = [block.type for block in blocks]
    assert kinds in ([], ["paragraph_open", "inline", "paragraph_close"])
    inside = blocks[1].children if blocks else []
    assert {part.type for part in inside} <= {"text", "softbreak", "hardbreak"}
    said = " ".join(part.content if part.type == "text" else "\n" for part in inside)
    assert said.replace("\u2060", "").split() == plain(text).split()
    # and what Streamlit looks for afterwards
    assert not re.search(r"https?://|www\.|\w@\w|(?<!\S)(<?->|<-|--|[<>~]=)(?!\S)", said)


def plain(text: str) -> str:
    return text.replace("\u2060", "").replace("\x00", "\ufffd")  # as CommonMark reads it


# ---- files and names --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NASTY, "/etc", "rnn-additive/../rnn-additive", ".", "..", "*"])
def test_a_checkpoint_is_one_of_the_registry_or_a_sentence(name):
    for call in (checkpoints.card, checkpoints.load, checkpoints.snapshots):
        with pytest.raises(checkpoints.CheckpointError):
            call(name)


@pytest.fixture
def registry(tmp_path, monkeypatch, bundle_of):
    """A folder with one tiny checkpoint, to be spoilt."""
    bundle = bundle_of("rnn-dot")
    described = {
        name: getattr(bundle.card, name)
        for name in ("name", "title", "paper", "architecture", "data", "command", "seed", "steps")
    }
    described |= {"metrics": {}, "examples": []}
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    checkpoints.save(bundle.model, bundle.tokenizer, described, folder=tmp_path)
    assert checkpoints.load("rnn-dot").card.name == "rnn-dot"
    return tmp_path / "rnn-dot"


def spoil(folder: Path, file: str, content: bytes) -> None:
    """Other content under a card that vouches for it."""
    import hashlib

    (folder / file).write_bytes(content)
    card = json.loads((folder / "card.json").read_text())
    card["sha256"][file] = hashlib.sha256(content).hexdigest()
    (folder / "card.json").write_text(json.dumps(card))


@pytest.mark.parametrize(
    "content",
    [b"", b"[" * 200_000, b"{", b"null", b'{"name": 1}', b"\xff\xfe", b'{"a":' * 50_000],
    ids=["empty", "bomb", "open", "null", "short", "bytes", "nested"],
)
def test_a_card_that_is_no_card_gets_a_sentence_and_hides_no_other(registry, content):
    (registry / "card.json").write_bytes(content)
    assert answered(lambda: checkpoints.load("rnn-dot")) is None
    assert checkpoints.cards() == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{" * 100_000,
        b"\xff\xfe",
        b'{"version": "1.0"}',
        b'{"model": {"type": "BPE", "vocab": "x"}}',
    ],
)
def test_a_tokeniser_that_is_none_gets_a_sentence(registry, content):
    spoil(registry, "tokenizer.json", content)
    with pytest.raises(checkpoints.CheckpointError, match=r"rnn-dot/tokenizer\.json is not a"):
        checkpoints.load("rnn-dot")


HUGE = json.dumps(
    {"embedding.weight": {"dtype": "F16", "shape": [2**40, 2**20], "data_offsets": [0, 2**61]}}
).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 10**6) + b"{" * 10**6,
        struct.pack("<Q", len(HUGE)) + HUGE,
        b"\x80\x04\x95 a pickle",
    ],
    ids=["empty", "length", "bomb", "huge", "pickle"],
)
def test_hostile_weights_get_a_sentence(registry, content):
    spoil(registry, "model.safetensors", content)
    with pytest.raises(checkpoints.CheckpointError, match="does not fit its card"):
        checkpoints.load("rnn-dot")


@pytest.mark.parametrize("given_name", [name for name in NASTY if name.strip()])
def test_an_own_model_is_a_folder_or_a_sentence(given_name, monkeypatch):
    monkeypatch.setattr(own_model, "installed", lambda: True)
    monkeypatch.setattr(own_model, "_load", lambda *_: pytest.fail("this must not be loaded"))
    with pytest.raises(ValueError):
        own_model.load(given_name)


# ---- thinkers ---------------------------------------------------------------------------------


@FEW
@given(some.lists(TEXTS, max_size=4), TEXTS)
@example(["Mary got the milk."] * 3, "Where is the milk?")
@example(["Mary got the milk."] * 500, "Where is the milk?")
def test_ponder_answers_any_story(story, question):
    found = answered(lambda: probe.ponder(tiny.universal(), story, question))
    if found is not None:
        assert len(found.sentences) <= 7
        assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-4)


@FEW
@given(TEXTS, some.integers(1, 3))
@example("word " * 2000, 1)
def test_any_text_gets_a_title_or_a_sentence(text, beam):
    found = answered(lambda: probe.summarise(tiny.summary(), text, beam))
    if found is not None:
        assert found.copying.weights.sum(1) == pytest.approx(1, abs=1e-4)


@FEW
@given(TEXTS, some.lists(some.integers(-2, 9), max_size=8))
@example("A" * 132, [0, 1, 2, 3, 4])
@example("_" * 130 + "8=", [0, 1, 2, 3, 4])
def test_a_drawing_of_any_text_gets_a_label_or_a_sentence(text, labels):
    examples = ("8" * 130 + "8=",) * max(len(labels), 1)
    found = answered(lambda: probe.drawn_few_shot(tiny.snail(), examples, tuple(labels), text))
    assert found is None or found.probabilities.sum() == pytest.approx(1, abs=1e-4)
