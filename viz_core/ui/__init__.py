"""Where Streamlit begins: what pages are made of. Everything below knows nothing of it."""

from viz_core.ui.cached import (
    ablated as ablated,
)
from viz_core.ui.cached import (
    ablated_along as ablated_along,
)
from viz_core.ui.cached import (
    aligned as aligned,
)
from viz_core.ui.cached import (
    beam_search as beam_search,
)
from viz_core.ui.cached import (
    bundle as bundle,
)
from viz_core.ui.cached import (
    card as card,
)
from viz_core.ui.cached import (
    encoded as encoded,
)
from viz_core.ui.cached import (
    evolution as evolution,
)
from viz_core.ui.cached import (
    exhaustive_search as exhaustive_search,
)
from viz_core.ui.cached import (
    gates as gates,
)
from viz_core.ui.cached import (
    greedy_losses as greedy_losses,
)
from viz_core.ui.cached import (
    learned_positions as learned_positions,
)
from viz_core.ui.cached import (
    learning as learning,
)
from viz_core.ui.cached import (
    lesson as lesson,
)
from viz_core.ui.cached import (
    local as local,
)
from viz_core.ui.cached import (
    stream as stream,
)
from viz_core.ui.cached import (
    translation as translation,
)
from viz_core.ui.cached import (
    unplaced as unplaced,
)
from viz_core.ui.cached import (
    vectors as vectors,
)
from viz_core.ui.frame import (
    escape as escape,
)
from viz_core.ui.frame import (
    header as header,
)
from viz_core.ui.frame import (
    ink as ink,
)
from viz_core.ui.frame import (
    scale as scale,
)
from viz_core.ui.frame import (
    sentences as sentences,
)
from viz_core.ui.frame import (
    unread as unread,
)
from viz_core.ui.inputs import (
    chances as chances,
)
from viz_core.ui.inputs import (
    choice as choice,
)
from viz_core.ui.inputs import (
    examples as examples,
)
from viz_core.ui.inputs import (
    matrix as matrix,
)
from viz_core.ui.inputs import (
    model as model,
)
from viz_core.ui.inputs import (
    notice_unknown as notice_unknown,
)
from viz_core.ui.inputs import (
    numbered as numbered,
)
from viz_core.ui.inputs import (
    pick_words as pick_words,
)
from viz_core.ui.inputs import (
    presets as presets,
)
from viz_core.ui.inputs import (
    several as several,
)
from viz_core.ui.inputs import (
    slider as slider,
)
from viz_core.ui.inputs import (
    stepper as stepper,
)
from viz_core.ui.inputs import (
    tabs as tabs,
)
from viz_core.ui.inputs import (
    text as text,
)
from viz_core.ui.inputs import (
    toggle as toggle,
)
from viz_core.ui.inputs import (
    word as word,
)
from viz_core.ui.shown import (
    card_line as card_line,
)
from viz_core.ui.shown import (
    card_table as card_table,
)
from viz_core.ui.shown import (
    clicked as clicked,
)
from viz_core.ui.shown import (
    compare as compare,
)
from viz_core.ui.shown import (
    download as download,
)
from viz_core.ui.shown import (
    growing as growing,
)
from viz_core.ui.shown import (
    notices as notices,
)
from viz_core.ui.shown import (
    paper as paper,
)
from viz_core.ui.shown import (
    quote as quote,
)
from viz_core.ui.shown import (
    rare_characters as rare_characters,
)
from viz_core.ui.shown import (
    score_formula as score_formula,
)
from viz_core.ui.shown import (
    show as show,
)
from viz_core.ui.shown import (
    tile as tile,
)
