"""Devlin et al. 2019: does the second sentence follow the first? Asked of [CLS] alone."""

import math

import streamlit as st

from viz_core import probe, ui
from viz_core.charts import bars, heads, numbers
from viz_core.text import neighbours

STORE = "The man went to the store."
EXAMPLES = {
    "lecture: milk": {
        "text": "the man went to [MASK] store .",
        "pair": "he bought a gallon [MASK] milk .",
    },
    "lecture: penguins": {
        "text": "the man [MASK] to the store .",
        "pair": "penguin [MASK] are flightless birds .",
    },
    "true: milk": {"text": STORE, "pair": "He bought a gallon of milk."},
    "random: penguins": {"text": STORE, "pair": "Penguins are flightless birds."},
    "true: silence": {
        "text": "She knocked at the door and waited.",
        "pair": "Nobody answered, so she went away.",
    },
    "random: treaty": {
        "text": "She knocked at the door and waited.",
        "pair": "The treaty was signed by seven nations.",
    },
}
STORY = (
    "The old man opened the door. A cold wind came in. He shut it again and lit the lamp.\n"
    "The parliament votes on the budget in May. Its members have argued about it for weeks.\n"
    "She put the bread into the oven. After an hour the kitchen smelled of it."
)
NAME, DRAWN, OFTEN = "bert-mini", 8, 2000

ui.header("pair")
one, many = ui.tabs(["One pair", "How pairs are drawn"], "view")

if one.open:
    with one:
        first, second = st.columns(2)
        with first:
            text = ui.english("First sentence", STORE, model=NAME)
        with second:
            pair = ui.english("Second sentence", EXAMPLES["true: milk"]["pair"], "pair", NAME)
        picture, stepping, controls = ui.picture(f"{text} {pair}"), st.container(), st.container()

        with controls:
            ui.presets("True partners, and random ones", EXAMPLES, "example")
            layer, lit = ui.lines_of(NAME, stepping)

        with picture, ui.sentences():
            ui.question("Does the second sentence follow the first?")
            chance = ui.run(probe.next_sentence, NAME, text, pair)
            margin = math.log(max(chance, 1e-9) / max(1 - chance, 1e-9))
            trace = ui.run(probe.encode, NAME, text, pair.strip() or None).words()
            left, right = st.columns([4, 6], gap="large")
            with left:
                labels, values = ["it follows", "it does not"], [chance, 1 - chance]
                ui.show(bars.bars(labels, values, "Probability", room=ui.room(2 / 5)), "chances")
                st.latex(
                    r"\begin{aligned} P &= \sigma(z_{\mathrm{next}} - z_{\mathrm{other}}) \\"
                    rf"&= \sigma({margin:.2f}) = {chance:.3f} \end{{aligned}}"
                )
                others = {
                    name: ui.run(probe.next_sentence, NAME, example["text"], example["pair"])
                    for name, example in EXAMPLES.items()
                }
                chart = bars.bars(
                    list(others), list(others.values()), "The examples", room=ui.room(2 / 5)
                )
                ui.show(chart, "examples")
            with right:
                view = heads.head_view(
                    trace,
                    layer,
                    range(trace.heads),
                    lit=lit,
                    threshold=0.08,
                    focus=0,
                    room=ui.room(3 / 5),
                )
                ui.show(view, "lines", numbers=lambda: numbers.attention(trace, [layer]))
            st.markdown(
                "**Look for** the lines of [CLS]: the answer is read from this one token, so all "
                "it knows of the second sentence came along such lines, in this layer and the "
                "ones before."
            )

if many.open:
    with many:
        picture, controls = ui.picture(), st.container()
        with controls:
            story = ui.paragraph("Sentences in their order, a line for each text", STORY, "story")
            seed = ui.slider("Draw number", 1, 50, 1, "seed")
            ui.steps([{"seed": number} for number in range(1, 51)])
        with picture, ui.sentences():
            ui.question("Which of these pairs are neighbours, and which were thrown together?")
            drawn = neighbours.draw(story, DRAWN, seed)
            chances = [ui.run(probe.next_sentence, NAME, each.first, each.second) for each in drawn]
            left, right = st.columns([8, 3], gap="medium")
            with left:
                st.dataframe(
                    {
                        "drawn as": ["IsNext" if each.follows else "NotNext" for each in drawn],
                        "BERT": [f"{chance:.2f}" for chance in chances],
                        "first": [each.first for each in drawn],
                        "second": [each.second for each in drawn],
                    },
                    hide_index=True,
                    key="drawn",
                )
            with right:
                often = neighbours.draw(story, OFTEN, seed)
                share = sum(each.follows for each in often) / OFTEN
                counted = bars.bars(
                    ["IsNext", "NotNext"],
                    [share, 1 - share],
                    f"{OFTEN:,} draws",
                    room=ui.room(3 / 11),
                )
                ui.show(counted, "rule")
            right_ones = sum(
                (chance > 0.5) == each.follows for chance, each in zip(chances, drawn, strict=True)
            )
            st.markdown(
                "**Look for** the column BERT: above 0.5 means that it follows. It is right on "
                f"{right_ones} of {DRAWN}. Half of the pairs are true neighbours, the other half "
                "get a sentence from another text, and nobody has to label anything."
            )
ui.paper("Devlin et al. 2019, BERT, section 3.1, task 2.", NAME)
ui.foot("pair", probe.next_sentence)
