"""(bundle, text) -> trace: the one place where models are run for a view. Torch ends here."""

from viz_core.models.rnn import Look as Look
from viz_core.probe.batch import in_batch as in_batch
from viz_core.probe.bert import (
    embeddings as embeddings,
    fill_mask as fill_mask,
    filled as filled,
    learned_positions as learned_positions,
    masking_counts as masking_counts,
    masking_sample as masking_sample,
    next_sentence as next_sentence,
    query_key as query_key,
    unknown_words as unknown_words,
    words as words,
)
from viz_core.probe.caption import caption as caption, objects as objects
from viz_core.probe.characters import (
    gates as gates,
    learn_hello as learn_hello,
    lesson as lesson,
)
from viz_core.probe.elmo import library as library, surprise as surprise
from viz_core.probe.encoding import encode as encode
from viz_core.probe.eras import read_by as read_by, written as written
from viz_core.probe.frozen_states import frozen as frozen, tuned as tuned
from viz_core.probe.gpt import (
    LONGEST_WRITING as LONGEST_WRITING,
    continuations as continuations,
    generate as generate,
    lens as lens,
)
from viz_core.probe.gradients import gradient_reach as gradient_reach
from viz_core.probe.gru_last import last_state as last_state
from viz_core.probe.han import document as document
from viz_core.probe.heads import (
    Head as Head,
    as_transformer as as_transformer,
    head_counts as head_counts,
    silence as silence,
)
from viz_core.probe.language import language_loss as language_loss, states as states
from viz_core.probe.lstmn import read as read, tape as tape
from viz_core.probe.machine_boxes import inside as inside, machine as machine
from viz_core.probe.mixture import mixture as mixture
from viz_core.probe.ntm import LONGEST_COPY as LONGEST_COPY, copy as copy
from viz_core.probe.rnn import (
    local as local,
    memory as memory,
    move as move,
)
from viz_core.probe.sagan import draw as draw, walk as walk
from viz_core.probe.scores import (
    by_hand as by_hand,
)
from viz_core.probe.search import (
    beam as beam,
    check_size as check_size,
    exhaustive as exhaustive,
    greedy_losses as greedy_losses,
    record as record,
)
from viz_core.probe.shapes import SHAPES as SHAPES, shape as shape
from viz_core.probe.sizes import layer_times as layer_times
from viz_core.probe.skip_gram import course as course, learn as learn
from viz_core.probe.snail import (
    drawn_few_shot as drawn_few_shot,
    few_shot as few_shot,
    kept_drawings as kept_drawings,
)
from viz_core.probe.summary import (
    InBlocks as InBlocks,
    in_blocks as in_blocks,
    summarise as summarise,
)
from viz_core.probe.tasks import (
    answer as answer,
    answer_trace as answer_trace,
    classify as classify,
    entities as entities,
    importance as importance,
    split as split,
    tag as tag,
    tagged as tagged,
)
from viz_core.probe.texts import text_vectors as text_vectors
from viz_core.probe.transformer import (
    encoded as encoded,
    position_wise as position_wise,
    split_heads as split_heads,
    stream as stream,
    vectors as vectors,
)
from viz_core.probe.translation import (
    BEAM as BEAM,
    PENALTY as PENALTY,
    align as align,
    evolution as evolution,
    forced as forced,
    log_prob as log_prob,
    translate as translate,
)
from viz_core.probe.translator import (
    LONGEST as LONGEST,
    PLAIN as PLAIN,
    Options as Options,
    Translating as Translating,
    room as room,
)
from viz_core.probe.tunes import compose as compose
from viz_core.probe.universal import ponder as ponder
from viz_core.probe.vit import look as look, patch_positions as patch_positions
from viz_core.probe.word_vectors import (
    analogy as analogy,
    arrows as arrows,
    nearest as nearest,
    neighbours as neighbours,
    parallelogram as parallelogram,
)
