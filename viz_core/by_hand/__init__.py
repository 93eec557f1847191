"""Examples small enough to do by hand: each function is the formula of a lecture slide.

They work on plain arrays and keep every step. What does not fit together is answered by a
ValueError with a sentence that names both shapes.
"""

from viz_core.by_hand.attention import (
    Mixed as Mixed,
    Numbers as Numbers,
    SplitHeads as SplitHeads,
    attended_in_two_orders as attended_in_two_orders,
    mix as mix,
    project as project,
    self_attention as self_attention,
    shuffled as shuffled,
    softmax as softmax,
    split_heads as split_heads,
    two_orders as two_orders,
    weighted_sum as weighted_sum,
)
from viz_core.by_hand.block_steps import (
    BlockSteps as BlockSteps,
    block as block,
    convolved as convolved,
    feed_forward as feed_forward,
)
from viz_core.by_hand.layers import Reach as Reach, reach as reach
from viz_core.by_hand.lookup import (
    Match as Match,
    look_up as look_up,
    tempered as tempered,
)
from viz_core.by_hand.norms import (
    batch_norm as batch_norm,
    gate as gate,
    layer_norm as layer_norm,
)
from viz_core.by_hand.position_codes import (
    Placed as Placed,
    placed as placed,
    positions as positions,
    rates as rates,
    rotation as rotation,
    wavelengths as wavelengths,
)
