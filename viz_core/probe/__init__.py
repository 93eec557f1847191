"""(bundle, text) -> trace: the one place where models are run for a view. Torch ends here."""

from viz_core.probe.bert import (
    embeddings as embeddings,
    encode as encode,
    fill_mask as fill_mask,
    filled as filled,
    learned_positions as learned_positions,
    masking_counts as masking_counts,
    masking_sample as masking_sample,
    next_sentence as next_sentence,
    query_key as query_key,
    words as words,
)
from viz_core.probe.characters import (
    gates as gates,
    learn_hello as learn_hello,
)
from viz_core.probe.rnn import (
    local as local,
    memory as memory,
    move as move,
)
from viz_core.probe.scores import (
    by_hand as by_hand,
)
from viz_core.probe.search import (
    beam as beam,
    check_size as check_size,
    exhaustive as exhaustive,
    record as record,
)
from viz_core.probe.tasks import (
    answer as answer,
    answer_trace as answer_trace,
    classify as classify,
    importance as importance,
    split as split,
    tag as tag,
    tagged as tagged,
)
from viz_core.probe.transformer import (
    as_transformer as as_transformer,
    encoded as encoded,
    head_counts as head_counts,
    masks as masks,
    silence as silence,
    stream as stream,
    vectors as vectors,
)
from viz_core.probe.translation import (
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
    read as read,
    room as room,
)
