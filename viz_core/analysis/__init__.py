"""What a trace says, in numbers and sentences."""

from viz_core.analysis.alignment import (
    SPECIAL as SPECIAL,
    Links as Links,
    alignment_error_rate as alignment_error_rate,
    links as links,
    merge_spans as merge_spans,
)
from viz_core.analysis.attention import (
    agreement as agreement,
    aligned as aligned,
    averaged as averaged,
    best_head as best_head,
    entropy as entropy,
    looked_at as looked_at,
    mean_entropy as mean_entropy,
    one as one,
    position as position,
    rank_correlation as rank_correlation,
    rolled_out as rolled_out,
    rollout as rollout,
    sharpest as sharpest,
    strongest as strongest,
    surest as surest,
    two_minds as two_minds,
)
from viz_core.analysis.heads import (
    HeadProfile as HeadProfile,
    profiles as profiles,
    resolved as resolved,
)
