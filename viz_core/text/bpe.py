"""Text <-> ids <-> display tokens. Words stay recognisable: sub-words can be merged back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer as Engine,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

from viz_core.text.languages import UNSPACED, closed_up

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
SPACE = "▁"  # stands for a space inside a token, as in SentencePiece
CONTINUED = "##"  # shown before a token that continues a word, as in BERT

# A word is what a lecturer would write under one column of an alignment matrix: French elisions
# stand alone (l' accord), English clitics too (it 's), but didn't and aujourd'hui stay whole.
_WORD = (
    SPACE + "?(?:"
    r"(?i:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=\p{L})"
    r"|[\p{L}\p{M}]+(?:'(?!(?i:s|re|ve|ll|d|m)\b)[\p{L}\p{M}]+)*"
    r"|'(?i:s|re|ve|ll|d|m)\b"
    r"|\p{N}+|\.\.+|.)"
)
WORD = Regex(_WORD)
# The same for plain English letters, by Python itself: ten times as fast as a tokeniser's split.
ASCII_WORD = re.compile(
    _WORD.replace(r"[\p{L}\p{M}]", "[A-Za-z]")
    .replace(r"\p{L}", "[A-Za-z]")
    .replace(r"\p{N}", "[0-9]"),
    re.ASCII,
)
_SPLIT = pre_tokenizers.Split(WORD, behavior="isolated")
# The same for any language: a sign of a script without spaces is a word, and so are its marks;
# the half space of Persian (U+200C) stays inside a word.
_ANY_WORD = Regex(
    f"{SPACE}?(?:[{UNSPACED}]" + r"\p{M}*"
    rf"|(?:(?![{UNSPACED}])[\p{{L}}\p{{M}}\u200c])+(?:'(?:(?![{UNSPACED}])[\p{{L}}\p{{M}}])+)*"
    r"|\p{N}+|\.\.+|.)"
)
_ANY_SPLIT = pre_tokenizers.Split(_ANY_WORD, behavior="isolated")
_HALF_SPACE = re.compile("(?<=[\u0600-\u06ff])\u200c(?=[\u0600-\u06ff])")
_OPENED = re.compile(r'(?<!\S)(["“«(\[])([^\W\d_]+)')
_DIGITS = pre_tokenizers.Split(Regex(SPACE + r"?\p{N}"), behavior="isolated")
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", SPACE: "_"})


def dotted(token: str) -> str:
    """A token as people see it, with a dot where it goes on with the word before it: um ·brel ·la
    for um ##brel ##la."""
    goes_on = len(token) > len(CONTINUED) and token.startswith(CONTINUED)
    return "·" + token.removeprefix(CONTINUED) if goes_on else token


def normalise(text: str) -> str:
    """One form for what looks the same: composed letters, plain spaces, straight apostrophes."""
    text = " ".join(unicodedata.normalize("NFC", text).translate(_SAME).split())
    if text.isprintable():  # nothing to take out: nearly always, and ten times as fast
        return text
    joined = {match.start() for match in _HALF_SPACE.finditer(text)}
    text = "".join(
        c if unicodedata.category(c)[0] != "C" or i in joined else " " for i, c in enumerate(text)
    )
    return " ".join(text.split())


def french_spacing(text: str) -> str:
    """French sets a space before ? ! : ; and inside « »; corpora disagree, we do it always."""
    text = re.sub(r"\s*([?!;»]+|:(?!\d))", r" \1", text)
    return re.sub(r"«\s*", "« ", text).strip()


def join_words(words: Sequence[str]) -> tuple[str, list[int]]:
    """Tokenised words back to ordinary text, and the character at which each word starts."""
    text, starts = "", []
    for word in words:
        if (
            text
            and not re.fullmatch(r"[,.)\]%]|'s|n't|'(re|ve|ll|d|m)", word)
            and text[-1] not in "'(["
            and closed_up(f"{text[-1]} {word[:1]}") != text[-1] + word[:1]
        ):
            text += " "
        starts.append(len(text))
        text += word
    return text, starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """A text as the model reads it. words[i] numbers the word that token i belongs to."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    words: tuple[int, ...]
    unknown: tuple[str, ...] = ()
    segments: tuple[int, ...] = ()  # BERT: 0 for the first sentence, 1 for the second
    offsets: tuple[tuple[int, int], ...] = ()  # BERT: characters of its own sentence


def _trained(
    engine: Engine, words: pre_tokenizers.Split, lines: Iterable[str], size: int, letters: int
) -> Engine:
    # A number is read digit by digit, so that one that was never seen can be copied.
    engine.pre_tokenizer = pre_tokenizers.Sequence([words, _DIGITS])
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=2,
        special_tokens=[AddedToken(token, special=True) for token in SPECIAL],
        limit_alphabet=letters,
        show_progress=False,
    )
    engine.train_from_iterator(lines, trainer)
    return engine


class Tokenizer:
    """Joint byte-pair encoding for both languages, casing kept."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        engine.encode_special_tokens = True  # a typed <s> is text, never a control sign
        self.size = engine.get_vocab_size()
        # Tokenisers made before this one read numbers as words, and all words as they are written.
        self.careful = isinstance(engine.pre_tokenizer, pre_tokenizers.Sequence)
        # One for any language brings its normaliser; those of English and French have none.
        self.french = engine.normalizer is None
        self.split = _SPLIT if self.french else _ANY_SPLIT

    @classmethod
    def train(cls, lines: Iterable[str], size: int) -> Tokenizer:
        """For English and French."""
        engine = Engine(models.BPE(unk_token=SPECIAL[UNKNOWN], fuse_unk=True))
        return cls(_trained(engine, _SPLIT, map(cls.mark, lines), size, letters=160))

    @classmethod
    def train_any(cls, lines: Iterable[str], size: int) -> Tokenizer:
        """For any two languages, whatever their scripts: a Chinese text has thousands of signs."""
        engine = Engine(models.BPE(unk_token=SPECIAL[UNKNOWN], fuse_unk=True))
        engine.normalizer = normalizers.NFC()
        return cls(_trained(engine, _ANY_SPLIT, map(cls.mark, lines), size, letters=size // 2))

    @classmethod
    def from_json(cls, text: str) -> Tokenizer:
        return cls(Engine.from_str(text))

    def to_json(self) -> str:
        return self.engine.to_str()

    @staticmethod
    def mark(text: str) -> str:
        text = normalise(text)
        return SPACE + text.replace(" ", SPACE) if text else ""

    def as_written(self, text: str) -> str:
        """A given translation the way the model writes: French sets spaces of its own."""
        return french_spacing(normalise(text)) if self.french else normalise(text)

    def as_read(self, text: str) -> str:
        """A first word that is known better in small letters is read so: "Machine", "machine"."""
        first = ASCII_WORD.match(text)
        if not self.careful or not first or not first[0].istitle():
            return text
        whole, small = (self.engine.encode(self.mark(w)).ids for w in (first[0], first[0].lower()))
        return text[0].lower() + text[1:] if len(small) < len(whole) else text

    def opened(self, text: str) -> str:
        """A word behind a quotation mark or a bracket, set apart if it is known better so: "This"
        would be read as T, h and is."""

        def known(match: re.Match[str]) -> str:
            forms = (match[0], f"{match[1]} {match[2]}")
            if match[1] in "([":  # the corpora have few: even "(a" is not understood
                return forms[1]
            return min(forms, key=lambda form: len(self.engine.encode(self.mark(form)).ids))

        return _OPENED.sub(known, text) if self.careful else text

    def encode_source(self, text: str) -> Encoded:
        """A sentence to be translated; its first word is shown as it was written."""
        read = self.as_read(self.opened(text))
        encoded = self.encode(read)
        first = encoded.tokens[0]
        if read == text or first[0] != read[0]:  # a first token may be the mark of a space alone
            return encoded
        return replace(encoded, tokens=(text[0] + first[1:], *encoded.tokens[1:]))

    def encode(self, text: str) -> Encoded:
        """Ids with the closing </s>; a token the model never saw keeps its own letters on show."""
        written = Tokenizer.mark(text)
        found = self.engine.encode(self.mark(text), add_special_tokens=False)
        pieces = [written[slice(*span)] for span in found.offsets]
        unknown = tuple(
            piece.strip(SPACE)
            for i, piece in zip(found.ids, pieces, strict=True)
            if i == UNKNOWN and piece.strip(SPACE)
        )
        tokens, words = self._display([*pieces, SPECIAL[END]])
        return Encoded(ids=(*found.ids, END), tokens=tokens, words=words, unknown=unknown)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        found = self.engine.encode_batch_fast(
            [self.mark(text) for text in texts], add_special_tokens=False
        )
        return [[*one.ids, END] for one in found]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where each token stands in the normalised text, as character offsets; </s> has none."""
        found = self.engine.encode(self.mark(text), add_special_tokens=False).offsets
        return [(max(start - 1, 0), end - 1) for start, end in found]  # the first mark is not text

    def show(self, ids: Sequence[int]) -> Encoded:
        """Generated ids as display tokens."""
        tokens, words = self._display([self.vocabulary[i] for i in ids])
        return Encoded(ids=tuple(ids), tokens=tokens, words=words)

    def decode(self, ids: Iterable[int]) -> str:
        text = "".join(self.vocabulary[i] for i in ids if i >= len(SPECIAL))
        return text.replace(SPACE, " ").strip()

    def label(self, token: int) -> str:
        """One token out of context: what does not open a word is shown as a continuation."""
        piece = self.vocabulary[token]
        if piece in SPECIAL or not piece[0].isalpha():
            return piece.removeprefix(SPACE) or SPACE
        return CONTINUED + piece

    def labels(self, before: Sequence[int], tokens: Iterable[int]) -> tuple[str, ...]:
        """Tokens that may stand after others, as each would be shown there: after an apostrophe
        or a hyphen a word opens without a space."""
        run = ""
        for token in reversed(before):
            piece = self.vocabulary[token]
            if piece in SPECIAL:
                break
            run = piece + run
            if piece.startswith(SPACE):
                break
        return tuple(self._label_after(run, self.vocabulary[token]) for token in tokens)

    def _label_after(self, run: str, piece: str) -> str:
        if piece in SPECIAL or piece.startswith(SPACE) or not run:
            return piece if piece in SPECIAL else piece.removeprefix(SPACE) or SPACE
        after = "a" if piece.endswith("'") else ""  # an elision is one only before a letter
        starts = {span[0] for _, span in self.split.pre_tokenize_str(run + piece + after)}
        return piece if len(run) in starts else CONTINUED + piece

    @cached_property
    def vocabulary(self) -> list[str]:
        return sorted(self.engine.get_vocab(), key=self.engine.get_vocab().__getitem__)

    def _display(self, pieces: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Display tokens, and which word each belongs to, by the same rule that split the text."""
        special = [i for i, piece in enumerate(pieces) if piece in SPECIAL]
        tokens: list[str] = []
        words: list[int] = []
        number = -1
        for first, last in pairwise([-1, *special, len(pieces)]):
            if first >= 0:
                number += 1
                tokens.append(pieces[first])
                words.append(number)
            run = pieces[first + 1 : last]
            starts = {span[0] for _, span in self.split.pre_tokenize_str("".join(run))}
            at = 0
            for piece in run:
                opens = at in starts or not words
                number += opens
                bare = piece.removeprefix(SPACE) or SPACE
                tokens.append(bare if opens else CONTINUED + bare)
                words.append(number)
                at += len(piece)
        return tuple(tokens), tuple(words)


def word_count(text: str) -> int:
    """Words and punctuation marks of a text, whatever tokeniser reads it."""
    return len(_SPLIT.pre_tokenize_str(Tokenizer.mark(text)))


class RunningTokenizer(Tokenizer):
    """For a model that writes on: a text has no closing mark, as it may go on."""

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [ids[:-1] for ids in super().encode_batch(texts)]


class SmallTokenizer(Tokenizer):
    """For a model that reads and writes small letters; a text is still shown as it was typed."""

    @staticmethod
    def mark(text: str) -> str:
        marked = Tokenizer.mark(text)
        small = marked.lower()
        if len(small) == len(marked):
            return small
        # A few letters become two when small: they stay, so that every place is still the same.
        return "".join(c.lower() if len(c.lower()) == 1 else c for c in marked)


def merge_words(tokens: Sequence[str], words: Sequence[int]) -> tuple[str, ...]:
    """Sub-words back to words: ('anim', '##al') with numbers (0, 0) is ('animal',)."""
    merged = []
    for _, group in groupby(zip(words, tokens, strict=True), key=lambda pair: pair[0]):
        first, *rest = (token for _, token in group)
        word = first + "".join(token.removeprefix(CONTINUED) for token in rest)
        merged.append(word.removeprefix(SPACE) or SPACE)
    return tuple(merged)
