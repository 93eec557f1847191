"""A whole model at work on one sentence: what comes out of every box, and what happens in one."""

from __future__ import annotations

from typing import Any

import torch

from viz_core import decoding
from viz_core.checkpoints import Bundle
from viz_core.models.bert import Bert
from viz_core.models.gpt import GPT
from viz_core.models.rnn import RNN
from viz_core.models.rnn_search import RNNSearch
from viz_core.models.transformer import Transformer
from viz_core.probe import bert, machine_gpt, machine_parts as parts
from viz_core.probe.machine_parts import EMBEDDING, OUTPUT, SHOWN
from viz_core.probe.translation import as_target
from viz_core.probe.translator import Translating, read, room
from viz_core.text import START, Encoded
from viz_core.traces.machine import Box, InsideTrace, MachineTrace, Row, Stack

SHIFTED = "Output embedding"


@torch.inference_mode()
def machine(bundle: Bundle, text: str, target: str = "") -> MachineTrace:
    """Every box of a model. With a target its writer reads that, as in training."""
    if isinstance(bundle.model, Bert):
        return _reading(bundle, text)
    if isinstance(bundle.model, GPT):
        return machine_gpt.writing(bundle, text, bool(target.strip()))[0]
    return _translating(bundle, text, target).trace


@torch.inference_mode()
def inside(bundle: Bundle, text: str, target: str, name: str) -> InsideTrace:
    """One box opened, by its name in the machine."""
    if isinstance(bundle.model, Bert):
        trace = _reading(bundle, text)
        opened = _inside_bert(bundle, text)
    elif isinstance(bundle.model, GPT):
        trace, ids = machine_gpt.writing(bundle, text, bool(target.strip()))
        opened = machine_gpt.opened(bundle.model, ids)
    else:
        run = _translating(bundle, text, target)
        trace = run.trace
        opened = _inside_transformer(run) if _is_transformer(run) else _inside_rnn(run)
    named = {box.name: (stack, box) for stack in _stacks(trace) for box in stack.boxes}
    if name not in named:
        raise ValueError(f"There is no box of this name in {bundle.card.name}: choose another.")
    stack, box = named[name]
    alike = [each.name for each in stack.boxes if each.kind == box.kind]
    return InsideTrace(
        box=box.name,
        kind=box.kind,
        layer=alike.index(name),
        tokens=stack.tokens,
        keys=trace.reader.tokens if trace.reader else stack.tokens,
        rows=opened[name],
    )


def _stacks(trace: MachineTrace) -> list[Stack]:
    return [stack for stack in (trace.reader, trace.writer) if stack]


def _is_transformer(run: Run) -> bool:
    return isinstance(run.model, Transformer)


# ---- translators ------------------------------------------------------------------------------


class Run:
    """A translator that has read a sentence and written one, with all that it computed."""

    def __init__(self, bundle: Bundle, text: str, target: str) -> None:
        self.bundle, self.model = bundle, bundle.model
        self.source = read(bundle, text)
        self.ids = torch.tensor([self.source.ids])
        self.steps = Translating(bundle, self.ids)
        self.memory = self.steps.memory
        if target.strip():
            self.written: tuple[int, ...] = as_target(bundle, target).ids
        else:
            self.written = tuple(decoding.greedy(self.steps, 1, room(self.source))[0].ids)
        self.forced = bool(target.strip())
        self.given = torch.tensor([[START, *self.written[:-1]]])
        self.step: Any = self.steps.run(self.steps.first(), self.given)
        self.log_probs = self.model.logits(self.step.features[0]).log_softmax(-1)
        self.trace = self._trace()

    def _trace(self) -> MachineTrace:
        tokenizer = self.bundle.tokenizer
        said, chances, wanted = parts.said(tokenizer, self.log_probs, self.written, self.forced)
        shown: Encoded = tokenizer.show(self.given[0].tolist())
        recurrent = isinstance(self.model, RNN | RNNSearch)
        reader, writer = recurrent_boxes(self) if recurrent else transformer_boxes(self)
        looks = recurrent and self.model.score is not None
        return MachineTrace(
            model=self.bundle.card.name,
            reader=Stack(tokens=self.source.tokens, boxes=tuple(reader)),
            writer=Stack(tokens=shown.tokens, boxes=(*writer, parts.output(self.log_probs))),
            said=said,
            chances=chances,
            wanted=wanted,
            together=self.forced and not recurrent,
            summary=self.memory.summary.numpy() if recurrent else None,
            weights=self.step.weights[0].numpy() if looks else None,
        )


def _translating(bundle: Bundle, text: str, target: str) -> Run:
    if not isinstance(bundle.model, RNN | RNNSearch | Transformer):
        raise ValueError(f"{bundle.card.name} is not drawn as a machine: choose another model.")
    return Run(bundle, text, target)


def transformer_boxes(run: Run) -> tuple[list[Box], list[Box]]:
    """Vaswani et al. 2017, figure 1: embedding, encoders; embedding, decoders."""
    model, embedded = run.model, "E[word] √d + position"
    reader = [parts.box(EMBEDDING, "embedding", model.embed(run.ids)[0], embedded)]
    for number, block in enumerate(run.memory.encoder, start=1):
        said = "x + attention(x), then + feed-forward"
        reader.append(parts.box(f"Encoder {number}", "encoder", block.states[0], said))
    writer = [parts.box(SHIFTED, "embedding", model.embed(run.given)[0], embedded)]
    for number, block in enumerate(run.step.blocks, start=1):
        said = "masked attention, cross-attention to the encoder, feed-forward"
        writer.append(parts.box(f"Decoder {number}", "decoder", block.states[0], said))
    return reader, writer


def recurrent_boxes(run: Run) -> tuple[list[Box], list[Box]]:
    """A reader from either end, and cells that write; with a context where it has attention."""
    model, states = run.model, run.memory.states[0]
    half = states.shape[1] // 2
    said = "h = GRU(x, h of the {} before)"
    reader = [
        parts.box(EMBEDDING, "embedding", model.embedding(run.ids)[0], "E[word]"),
        parts.box("Forward", "cell", states[:, :half], said.format("word"), "forward"),
        parts.box(
            "Backward", "cell", states[:, half:], said.format("word after, read"), "backward"
        ),
    ]
    writer = [parts.box(SHIFTED, "embedding", model.embedding(run.given)[0], "E[word]")]
    context = run.step.weights[0] @ states
    look = parts.box("Context", "context", context, "c = Σ a h: weighted states of the reader")
    if isinstance(model, RNNSearch):
        after = torch.cat((run.step.query[0, 1:], run.step.state[0]))
        cell = parts.box("Decoder", "cell", after, "s = GRU([y; c], s before)", "forward")
        return reader, [*writer, look, cell]
    query = run.step.query[0]
    writer.append(parts.box("Query cell", "cell", query, "s = GRU(y, s before)", "forward"))
    if model.score is not None:
        writer.append(look)
    states = parts.writer_states(model, run.memory, run.step)
    writer.append(parts.box("Writer", "cell", states, "w = GRU([s; c], w before)", "forward"))
    return reader, writer


def _inside_transformer(run: Run) -> dict[str, tuple[Row, ...]]:
    model: Transformer = run.model
    found = {
        EMBEDDING: parts.placed(model, run.ids),
        SHIFTED: parts.placed(model, run.given),
    }
    states = model.embed(run.ids)
    for number, block in enumerate(model.encoder, start=1):
        found[f"Encoder {number}"], states = parts.norm_first(block, states)
    memory, states = run.memory.states, model.embed(run.given)
    for number, block in enumerate(model.decoder, start=1):
        found[f"Decoder {number}"], states = parts.norm_first(block, states, memory, masked=True)
    found[OUTPUT] = parts.chosen(states[0], model.decoder_norm(states)[0], run.log_probs, SHOWN)
    return found


def _inside_rnn(run: Run) -> dict[str, tuple[Row, ...]]:
    model, memory, step = run.model, run.memory, run.step
    states, half = memory.states[0], memory.states.shape[2] // 2
    words, own = model.embedding(run.ids)[0], model.embedding(run.given)[0]
    forward, backward = states[:, :half], states[:, half:]
    nothing = states.new_zeros(1, half)
    context = step.weights[0] @ states
    found = {
        EMBEDDING: parts.looked_up(words),
        SHIFTED: parts.looked_up(own),
        "Forward": parts.gated(model.encoder, "l0", words, torch.cat((nothing, forward[:-1]))),
        "Backward": parts.gated(
            model.encoder, "l0_reverse", words, torch.cat((backward[1:], nothing))
        ),
    }
    query = step.query[0]
    if model.score is not None:
        scores = model.score(step.query, memory.states)[0]
        found["Context"] = parts.weighed(query, states, scores, step.weights[0])
    if isinstance(model, RNNSearch):
        after = torch.cat((query[1:], step.state[0]))
        both = torch.cat((own, context), -1)
        found["Decoder"] = parts.gated(model.decoder, "", both, query)
        last = (after, own, context)
    else:
        first, second = memory.summary.chunk(2, dim=-1)
        written = parts.writer_states(model, memory, step)
        before = torch.cat((first, query[:-1]))
        found["Query cell"] = parts.gated(model.reader, "l0", own, before)
        both, before = torch.cat((query, context), -1), torch.cat((second, written[:-1]))
        found["Writer"] = parts.gated(model.writer, "l0", both, before)
        last = (written, context, own)
    joined = torch.cat(last, -1)
    found[OUTPUT] = parts.chosen(joined, step.features[0], run.log_probs, SHOWN)
    return found


# ---- BERT -------------------------------------------------------------------------------------


def _reading(bundle: Bundle, text: str) -> MachineTrace:
    """Devlin et al. 2019: encoders only, and a guess for every token at their end."""
    model, tokenizer = bert.bert(bundle, "pretraining")
    encoded = bert.read(bundle, text)
    seen = bert.run(model, encoded)
    log_probs = model.mask_logits(seen.states[0]).log_softmax(-1)
    said = "word + sentence + place, then norm"
    boxes = [parts.box(EMBEDDING, "embedding", seen.inputs[0][0], said)]
    outputs = [*(states[0] for states in seen.inputs[1:]), seen.states[0]]
    for number, states in enumerate(outputs, start=1):
        said = "norm(x + attention(x)), then norm(x + feed-forward)"
        boxes.append(parts.box(f"Encoder {number}", "encoder", states, said))
    boxes.append(parts.output(log_probs))
    chances, best = log_probs.exp().max(-1)
    return MachineTrace(
        model=bundle.card.name,
        reader=Stack(tokens=encoded.tokens, boxes=tuple(boxes)),
        writer=None,
        said=tuple(map(tokenizer.label, best.tolist())),
        chances=tuple(chances.tolist()),
    )


def _inside_bert(bundle: Bundle, text: str) -> dict[str, tuple[Row, ...]]:
    model, _ = bert.bert(bundle, "pretraining")
    encoded = bert.read(bundle, text)
    ids, segments = torch.tensor([encoded.ids]), torch.tensor([encoded.segments])
    states = model.embed(ids, segments)
    found = {EMBEDDING: parts.three(model, ids, segments)}
    for number, block in enumerate(model.layers, start=1):
        found[f"Encoder {number}"], states = parts.norm_after(block, states)
    log_probs = model.mask_logits(states[0]).log_softmax(-1)
    found[OUTPUT] = parts.chosen(states[0], model.mask_features(states)[0], log_probs, SHOWN)
    return found
