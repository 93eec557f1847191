"""BERT's tokeniser: lower-case WordPiece, [CLS] in front, [SEP] behind each sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokenizers import (
    AddedToken,
    Encoding as Found,
    Tokenizer as Engine,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)
from tokenizers.trainers import WordPieceTrainer

from viz_core.text.bpe import ASCII_WORD, CONTINUED, WORD, Encoded, Tokenizer

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, CLS, SEP, MASK = SPECIAL
_MASK = re.compile(r"\[mask\]", re.IGNORECASE)
# One character for another, so that offsets stay: BERT's vocabulary knows the straight quotes best.
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"'})
_WORDS = pre_tokenizers.Split(WORD, behavior="isolated")


@dataclass(frozen=True, slots=True)
class Pieces:
    """Given words as pieces; firsts has (place, word) for the first piece of each word."""

    ids: tuple[int, ...]
    firsts: tuple[tuple[int, int], ...]


class WordPiece(Tokenizer):
    """The same interface as the translators' tokeniser, for one sentence or two."""

    def __init__(self, engine: Engine) -> None:
        engine.no_truncation()  # a published tokenizer.json may cut and fill without a word
        engine.no_padding()
        super().__init__(engine)
        engine.encode_special_tokens = (
            False  # a typed [MASK] is the mask, a typed [SEP] a separator
        )
        known = engine.get_vocab()
        missing = [token for token in SPECIAL if token not in known]
        if missing:
            raise ValueError(f"This is no BERT vocabulary: {', '.join(missing)} missing.")
        self.special: dict[str, int] = {token: known[token] for token in SPECIAL}

    @classmethod
    def train(cls, lines: Iterable[str], size: int) -> WordPiece:
        """A vocabulary of its own; bert-mini has BERT's 30,522 pieces. Of pieces that are equally
        common the trainer takes any: two runs may differ."""
        engine = cls.of(()).engine
        special = [AddedToken(token, special=True, normalized=False) for token in SPECIAL]
        trainer = WordPieceTrainer(vocab_size=size, special_tokens=special, show_progress=False)
        engine.train_from_iterator(lines, trainer)
        return cls(engine)

    @classmethod
    def of(cls, pieces: Iterable[str]) -> WordPiece:
        """The special tokens, then these pieces."""
        known = {token: number for number, token in enumerate((*SPECIAL, *pieces))}
        engine = Engine(models.WordPiece(known, unk_token=UNKNOWN))
        engine.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
        engine.normalizer = normalizers.BertNormalizer()
        engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        engine.decoder = decoders.WordPiece()
        engine.post_processor = processors.TemplateProcessing(
            single=f"{CLS} $A {SEP}",
            pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
            special_tokens=[(token, known[token]) for token in (CLS, SEP)],
        )
        return cls(engine)

    @classmethod
    def from_json(cls, text: str) -> WordPiece:
        return cls(Engine.from_str(text))

    @staticmethod
    def mark(text: str) -> str:
        whole = text.encode("utf-8", "replace").decode()  # half a pair of surrogates is no text
        return _MASK.sub(MASK, whole).translate(_STRAIGHT)

    def encode(self, text: str, pair: str | None = None) -> Encoded:
        """[CLS] text [SEP], or [CLS] text [SEP] pair [SEP]; [MASK] in the text is the mask."""
        texts = [self.mark(side) for side in (text, *([] if pair is None else [pair]))]
        found = self.engine.encode(texts[0], *texts[1:])  # type: ignore[arg-type]
        tokens: list[str] = []
        unknown: list[str] = []
        for token, side, span in zip(found.tokens, found.sequence_ids, found.offsets, strict=True):
            if token == UNKNOWN and side is not None:  # keeps its own letters on show
                token = texts[side][slice(*span)]
                unknown.append(token)
            tokens.append(token)
        return Encoded(
            ids=tuple(found.ids),
            tokens=tuple(tokens),
            words=_words(found, texts),
            unknown=tuple(unknown),
            segments=tuple(found.type_ids),
            offsets=tuple(found.offsets),
        )

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids alone, without [CLS] and [SEP]."""
        found = self.engine.encode_batch_fast(
            [self.mark(text) for text in texts], add_special_tokens=False
        )
        return [one.ids for one in found]

    def word_windows(self, words: Sequence[str], most: int) -> Iterator[Pieces]:
        """Words that are given as such, each in one window of at most `most` tokens."""
        cls, sep = self.special[CLS], self.special[SEP]
        ids: list[int] = []
        firsts: list[tuple[int, int]] = []
        for word, pieces in enumerate(self.encode_batch(words)):
            pieces = pieces[: most - 2]
            if len(ids) + len(pieces) > most - 2:
                yield Pieces((cls, *ids, sep), tuple(firsts))
                ids, firsts = [], []
            if pieces:  # a word of nothing but control characters has none
                firsts.append((len(ids) + 1, word))
            ids += pieces
        yield Pieces((cls, *ids, sep), tuple(firsts))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token stands in the text, as character offsets, [CLS] and [SEP] left out."""
        return list(self.engine.encode(self.mark(text), add_special_tokens=False).offsets)

    def show(self, ids: Sequence[int]) -> Encoded:
        tokens = tuple(self.vocabulary[i] for i in ids)
        words: list[int] = []
        for token in tokens:
            opens = not words or not token.startswith(CONTINUED)
            words.append((words[-1] if words else -1) + opens)
        return Encoded(ids=tuple(ids), tokens=tokens, words=tuple(words))

    def decode(self, ids: Iterable[int]) -> str:
        return str(self.engine.decode(list(ids)))

    def label(self, token: int) -> str:
        return self.vocabulary[token]


def word_starts(text: str) -> list[int]:
    """Where each word begins, as character offsets."""
    if text.isascii():
        return [word.start() for word in ASCII_WORD.finditer(text)]
    return [span[0] for _, span in _WORDS.pre_tokenize_str(text)]


def _words(found: Found, texts: Sequence[str]) -> tuple[int, ...]:
    """The word of each token, by the rule of the translators: didn ' t is one word, didn't."""
    starts = [word_starts(text) for text in texts]
    places = [
        (side, i if side is None else bisect_right(starts[side], span[0]))
        for i, (side, span) in enumerate(zip(found.sequence_ids, found.offsets, strict=True))
    ]
    words: list[int] = []
    for i, place in enumerate(places):
        opens = i == 0 or place != places[i - 1]
        words.append((words[-1] if words else -1) + opens)
    return tuple(words)
