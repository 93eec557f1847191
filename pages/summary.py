"""Liu et al. 2018, See et al. 2017: a text in, its title out, word by word, some of them copied."""

import streamlit as st

from viz_core import probe, ui
from viz_core.analysis import summary as told
from viz_core.atlas import published
from viz_core.atlas.abstracts import ABSTRACTS
from viz_core.by_hand import long_text
from viz_core.charts import headline, long_text as charts
from viz_core.models import summary

MODEL = "summary"
FIRST = next(iter(ABSTRACTS))

ui.header("summary")
if not ui.trained(MODEL, "an abstract, and the title that it might have had"):
    st.stop()
card = ui.card(MODEL)
writing, long, numbers = ui.tabs(["Title", "Long texts", "Data"], "view")


def article() -> str:
    ui.presets("Texts", {name: {"article": text} for name, text in ABSTRACTS.items()}, "which")
    asked = "Your text: an abstract or a piece of news"
    text = ui.english(asked, ABSTRACTS[FIRST], "article", MODEL, most=450, tall=True)
    if told.notice(text):
        ui.warn(told.notice(text))
    return text


if writing.open:
    with writing:
        picture, stepping, details, controls = ui.picture(), *(st.container() for _ in range(3))
        with controls:
            text = article()
            first, second = st.columns(2, gap="medium")
            with first:
                look = ui.choice("Where a word looks", told.LOOKS, "look")
            with second:
                size = ui.slider("Beam (1 is greedy)", 1, 8, 1, "beam")
        with picture, ui.sentences():
            found = ui.run(probe.summarise, MODEL, text, size)
            trace = found.words()
            with stepping:
                step = ui.stepper("Title word", told.steps(trace), "step", at_end=True)
            ui.question("Which word comes next, and will it be copied?")
            chart = headline.headline(trace, step, look, room=ui.room(lines=1))
            opens = ui.sets("step", "number")
            ui.show(chart, f"title {step} {hash(found.text)}", select="row", choose=opens)
            with details:
                st.markdown(
                    "**Look for** orange words of the title: they may be taken from the text, and "
                    f"blue shows where. {ui.escape(told.finding(trace, step, look))}. Click a word "
                    "of the title to see where it looked; </s> ends it."
                )
                token = told.opening(found, step)
                st.markdown(f"{ui.escape(told.counted(found, token))} in numbers:")
                st.latex(told.formula(found, token))

if long.open:
    with long:
        picture, details, controls = ui.picture(), st.container(), st.container()
        with controls:
            text = article()
            block = ui.slider("Tokens of a block", 8, 256, 32, "block", step=8)
        with picture, ui.sentences():
            ui.question("What does it cost to look at everything?")
            both = ui.run(probe.in_blocks, MODEL, text, block)
            tokens = len(both.full.source)
            three = [long_text.looks(form, tokens, block) for form in long_text.FORMS]
            ui.show(charts.areas(three, room=ui.room(lines=2)), "areas")
            st.markdown(f"**Full attention:** {ui.escape(both.full.text)}")
            st.markdown(f"**Blocks of {block}:** {ui.escape(both.local.text)}")
            with details:
                st.markdown(
                    f"**Look for** the filled area. {long_text.costs(three, card.config['heads'])}."
                )
                ui.formulas(long_text.cost_formulas(three, block))
                st.markdown(f"**What blocks do to this title.** {told.in_blocks(*both, block)}.")
                growth = charts.growth(tokens, block, card.config["heads"], room=ui.room())
                ui.show(growth, "growth")
                st.markdown(long_text.COMPRESSED)

if numbers.open:
    with numbers:
        with ui.picture():
            ui.question("How long are the texts that others sum up?")
            for rows in (published.SUMMARIES, told.scores(card.metrics)):
                ui.table(rows)
        st.caption(
            "Above, words and examples by their order of magnitude: Liu et al. 2018, table 1, and "
            f"in the last row ours. Below, ours against taking the first words. {told.MEASURED}"
        )
        st.header("Unread texts, the first of the test part", anchor=False)
        ui.table(told.samples(card.measured))

st.caption(f"{card.notes} {told.quality(card.metrics)}")
ui.paper(
    "Liu et al. 2018, Generating Wikipedia by Summarizing Long Sequences; See et al. 2017, Get To "
    "The Point, equations 8 and 9.",
    MODEL,
)
ui.foot("summary", probe.summarise, summary.Summariser.point)
