"""What was seen while a document was read: its sentences, its words, and what they weigh."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.traces.attention import Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTrace:
    """Two levels of weights (Yang et al. 2016): words in their sentence, sentences in the document.

    A sentence that was left out keeps its words and has no weight.
    """

    sentences: tuple[tuple[str, ...], ...]  # words as they were typed
    word_weights: tuple[Weights, ...]  # by sentence (word,): each sums to one
    sentence_weights: Weights  # (sentence,): sums to one
    probabilities: dict[str, float]  # by label
    word_scores: tuple[Weights, ...]  # before the softmax
    sentence_scores: Weights  # (sentence,); of a sentence that was left out 0
    without: (
        Weights  # (sentence,): P(positive) if this sentence were not there; nan for the last one
    )
    left_out: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()  # typed words that the model does not know

    def __post_init__(self) -> None:
        for name in ("word_weights", "sentence_weights", "word_scores", "sentence_scores"):
            if len(getattr(self, name)) != len(self.sentences):
                raise ValueError(
                    f"{len(self.sentences)} sentences but {len(getattr(self, name))} {name}"
                )
        for words, weights in zip(self.sentences, self.word_weights, strict=True):
            if len(words) != len(weights):
                raise ValueError(f"{len(words)} words but {len(weights)} weights")

    @property
    def label(self) -> str:
        return max(self.probabilities, key=self.probabilities.__getitem__)

    @property
    def positive(self) -> float:
        return self.probabilities["positive"]

    @property
    def products(self) -> tuple[Weights, ...]:
        """Word weight times sentence weight: what each word has of the whole; all sum to one."""
        pairs = zip(self.sentence_weights, self.word_weights, strict=True)
        return tuple(sentence * words for sentence, words in pairs)

    @property
    def count(self) -> int:
        """Words."""
        return sum(map(len, self.sentences))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTrace:
    """The verdict of a plain reader after each word: what it would say if the text ended there."""

    words: tuple[str, ...]
    sentence: tuple[int, ...]  # of each word
    positive: Weights  # (word,)

    def __post_init__(self) -> None:
        if not len(self.words) == len(self.sentence) == len(self.positive):
            raise ValueError(f"{len(self.words)} words but {len(self.positive)} verdicts")
