"""Where Streamlit begins: what pages are made of. Everything below knows nothing of it."""

from viz_core.ui.attention_view import (
    attention as attention,
    lines_of as lines_of,
    look as look,
    one_of_all as one_of_all,
    open_tile as open_tile,
    trained as trained,
    words as words,
)
from viz_core.ui.beginnings import (
    begin_freely as begin_freely,
    beginning as beginning,
    force as force,
    goes_on as goes_on,
    next_words as next_words,
)
from viz_core.ui.canvas import canvas as canvas
from viz_core.ui.cards import (
    bundle as bundle,
    card as card,
    card_line as card_line,
    card_table as card_table,
    figures_of as figures_of,
    paper as paper,
)
from viz_core.ui.dials import sampling as sampling, shape as shape, waves as waves
from viz_core.ui.display import (
    clicked as clicked,
    compare as compare,
    download as download,
    formulas as formulas,
    growing as growing,
    notices as notices,
    pieces as pieces,
    quote as quote,
    score_formula as score_formula,
    show as show,
    show_small as show_small,
    table as table,
    tile as tile,
)
from viz_core.ui.foot import foot as foot, link as link
from viz_core.ui.gallery import figure_tile as figure_tile, figures_there as figures_there
from viz_core.ui.grids import (
    chances as chances,
    matrix as matrix,
    matrix_columns as matrix_columns,
)
from viz_core.ui.head import open_first as open_first, why as why
from viz_core.ui.inputs import (
    LONG as LONG,
    choice as choice,
    examples as examples,
    layer_and_head as layer_and_head,
    model as model,
    notice_unknown as notice_unknown,
    numbered as numbered,
    one_head as one_head,
    one_layer as one_layer,
    paragraph as paragraph,
    pick_words as pick_words,
    presets as presets,
    section as section,
    sets as sets,
    several as several,
    slider as slider,
    stepper as stepper,
    steps as steps,
    tabs as tabs,
    text as text,
    toggle as toggle,
    weight as weight,
    word as word,
)
from viz_core.ui.languages import own_translators as own_translators
from viz_core.ui.lesson import (
    film as film,
    learning as learning,
    learning_words as learning_words,
)
from viz_core.ui.links import onward as onward
from viz_core.ui.markdown import (
    escape as escape,
    ink as ink,
    quietly as quietly,
    sentences as sentences,
)
from viz_core.ui.own import (
    may_name_models as may_name_models,
    owned_model as owned_model,
    run_own as run_own,
)
from viz_core.ui.page import (
    header as header,
    on_top as on_top,
    picture as picture,
    presenting as presenting,
    room as room,
    scale as scale,
    warn as warn,
)
from viz_core.ui.photographs import (
    SPOTS as SPOTS,
    opened as opened,
    photograph as photograph,
    spot as spot,
)
from viz_core.ui.prediction import concealed as concealed, question as question
from viz_core.ui.presenter import presenter as presenter
from viz_core.ui.run import once as once, run as run
from viz_core.ui.sentence_box import doubt as doubt, english as english, french as french
from viz_core.ui.talks import (
    begin_links as begin_links,
    edit_views as edit_views,
    open_file as open_file,
    opened_talk as opened_talk,
    pinned as pinned,
    set_views as set_views,
    talk_link as talk_link,
)
from viz_core.ui.tiles import small_picture as small_picture
from viz_core.ui.translator import translated as translated, translator as translator
from viz_core.ui.translators import (
    ALIGNING as ALIGNING,
    WITH_AND_WITHOUT as WITH_AND_WITHOUT,
    compare_lengths as compare_lengths,
    figures as figures,
    matrices as matrices,
    not_yet as not_yet,
    on_board as on_board,
)
