"""A translator bound to its sources, one decoder step after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from viz_core.checkpoints import Bundle
from viz_core.decoding import Next, State
from viz_core.models.rnn import AS_TRAINED, Look
from viz_core.models.transformer import Transformer
from viz_core.models.transformer_step import Stepper
from viz_core.probe.heads import Head, silence
from viz_core.text import Encoded, language_name

LONGEST = 100  # source tokens: the translators were trained on sentences, not on pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a view may change about a running model, without changing the model."""

    look: Look = AS_TRAINED  # RNN: temperature, window
    off: tuple[Head, ...] = ()  # Transformer: heads that are silent
    place: bool = True  # Transformer: False leaves the positions out


PLAIN = Options()


class Translating:
    """A translator bound to its sources and options, as decoding.Steps."""

    def __init__(self, bundle: Bundle, source: Tensor, options: Options = PLAIN) -> None:
        self.model = bundle.model
        keep = silence(bundle, options.off) if options.off else None
        heads = {"keep": keep, "place": options.place}
        recurrent = is_recurrent(self.model)
        self.memory, self.state = self.model.start(source, **({} if recurrent else heads))
        self.options = {"look": options.look} if recurrent else heads
        self.stepper = None
        if isinstance(bundle.model, Transformer) and len(source) == 1:
            self.stepper = Stepper(bundle.model, self.memory, keep, options.place)

    def first(self) -> State:
        return self.state

    def run(self, state: State, tokens: Tensor) -> Any:
        memory = self.memory
        if len(memory.mask) != len(tokens):
            memory = memory.repeat(len(tokens))
        return self.model.decode(memory, state, tokens, **self.options)

    def step(self, state: State, tokens: Tensor) -> Next:
        if self.stepper is not None:
            found = self.stepper.step(state, tokens)
            return Next(found.logits.log_softmax(-1), found.weights, found.state)
        step = self.run(state, tokens.unsqueeze(1))
        weights = step.weights[..., -1, :]  # (hypothesis, ..., key)
        if weights.dim() > 2:  # layers and heads: the mean of all
            weights = weights.mean(dim=tuple(range(1, weights.dim() - 1)))
        return Next(self.model.logits(step.features[:, -1]).log_softmax(-1), weights, step.state)


def is_recurrent(model: Any) -> bool:
    """Whether it reads with states and can be told how to look; each such model says so itself."""
    return getattr(model, "recurrent", False)


def read(bundle: Bundle, text: str) -> Encoded:
    """The source as the model reads it; a sentence that a person can act on if it cannot."""
    encoded: Encoded = bundle.tokenizer.encode_source(text)
    if len(encoded.ids) <= 1:
        language = language_name(bundle.card.source)
        article = "an" if language[:1] in "AEIOU" else "a"
        raise ValueError(f"There is nothing to read yet: type {article} {language} sentence.")
    if len(encoded.ids) > LONGEST:
        raise ValueError(
            f"This text has {len(encoded.ids)} tokens; the model reads {LONGEST} at most. "
            "Shorten it to one or two sentences."
        )
    return encoded


def room(source: Encoded) -> int:
    """How long a translation of this source may become."""
    return min(2 * len(source.ids) + 8, 120)
