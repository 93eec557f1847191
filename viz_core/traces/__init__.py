"""What a model did, as frozen numpy records. Charts and analysis see these and nothing else."""

from viz_core.traces.attention import (
    AttentionTrace as AttentionTrace,
    Copying as Copying,
    Kind as Kind,
    Prediction as Prediction,
    Translation as Translation,
    Vectors as Vectors,
    Weights as Weights,
    same_size as same_size,
)
from viz_core.traces.bert import (
    Answer as Answer,
    AnswerTrace as AnswerTrace,
    EmbeddingTrace as EmbeddingTrace,
    Filled as Filled,
    Importance as Importance,
    MaskingSample as MaskingSample,
    QueryKey as QueryKey,
    Tagged as Tagged,
    side_by_side as side_by_side,
)
from viz_core.traces.by_hand import (
    VectorTrace as VectorTrace,
)
from viz_core.traces.characters import (
    GateTrace as GateTrace,
    LearningTrace as LearningTrace,
)
from viz_core.traces.rnn import (
    SCORES as SCORES,
    FadingTrace as FadingTrace,
    LocalTrace as LocalTrace,
    MovedTrace as MovedTrace,
    Reader as Reader,
    ScoresTrace as ScoresTrace,
)
from viz_core.traces.search import (
    BeamTrace as BeamTrace,
    Hypothesis as Hypothesis,
    Status as Status,
)
from viz_core.traces.transformer import (
    StreamTrace as StreamTrace,
)
from viz_core.traces.writing import (
    Generated as Generated,
)
