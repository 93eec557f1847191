"""Inside a block: what each part adds to a token on its way up, and every number of it by hand."""

import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.atlas import published
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import block, stream
from viz_core.models import transformer

EXAMPLES = [
    "The animal didn't cross the street because it was too tired.",
    "The bank of the river was green.",
    "She is reading a book.",
]
NAME = "transformer"
X, MEMORY = "1 0 2; 0 3 1; 2 2 0", "1 1 0; 0 2 2"
W1, W2 = "1 0 -1 2; 0 1 1 0; 1 -1 0 1", "1 0 0; 0 1 0; 0 0 1; 1 -1 0"
KINDS = ("norm first (ours)", "norm after (figure 1)")

ui.header("block")
trained, hand = ui.tabs(["Trained model", "By hand"], "view")

if trained.open:
    with trained:
        source = ui.english("English sentence", EXAMPLES[0])
        picture, stepping, controls = ui.picture(source), st.container(), st.container()
        with controls:
            ui.examples(EXAMPLES)
            decoder = ui.choice("Part", ["encoder", "decoder"], "part") == "decoder"
        with picture, ui.sentences():
            found = ui.run(probe.stream, NAME, source, decoder)
            default = found.tokens.index("it") if "it" in found.tokens else 0
            with controls:
                token = ui.word("Token", found.tokens, "token", default)
            ui.question(f"Which words is “{found.tokens[token]}” near to, layer by layer?", source)
            with stepping:
                ui.steps([{"token": place} for place in range(len(found.tokens))])
            left, right = st.columns([5, 6], gap="small")
            with left:
                ui.show(stream.norms(found, token, scale=ui.scale()), "norms")
            with right:
                ui.show(stream.nearest(found, token, scale=ui.scale()), "nearest")
            st.markdown(f"**Look for** {ui.escape(stream.hint(found, token, decoder))}")
            same = ui.run(probe.position_wise, NAME, source)
            with controls:
                st.markdown(stream.position_wise(same))
        st.caption(published.TAUGHT)

if hand.open:
    with hand:
        picture, stepping, controls = ui.picture(), st.container(), st.container()
        with controls:
            first, second, third = st.columns(3)
            with first:
                kind = ui.choice("Norm", KINDS, "norm")
            with second:
                part = ui.choice("Block of the", ["encoder", "decoder"], "part")
            with third:
                order = ui.choice("Order of the words", ["as typed", "turned round"], "order")
            with stepping:
                ui.steps(
                    [{"norm": one, "part": two} for two in ("encoder", "decoder") for one in KINDS]
                )
            one, two, three, four = st.columns(4)
            with one:
                x_text, names = ui.matrix("Words x", X, "x"), ui.text("Rows", "I love you", "rows")
            with two:
                w1_text = ui.matrix("W1", W1, "w1")
            with three:
                w2_text = ui.matrix("W2", W2, "w2")
            with four:
                memory_text = ui.matrix("What the encoder found", MEMORY, "memory")
        with picture, ui.sentences():
            ui.question("What does each half of the block add to each word?", names)
            typed = {"x": x_text, "W1": w1_text, "W2": w2_text, "memory": memory_text}
            x, w_1, w_2, memory = (
                typed_numbers.read_matrix(matrix, name) for name, matrix in typed.items()
            )
            words = typed_numbers.name_rows(names, len(x))
            turned = range(len(x)) if order == "as typed" else range(len(x))[::-1]
            x, words = x[list(turned)], tuple(words[place] for place in turned)
            looks = {"memory": memory} if part == "decoder" else {}
            steps = by_hand.block(x, w_1, w_2, norm_first=kind == KINDS[0], **looks)
            scale = min(ui.scale(), 1.2) if looks else ui.scale()
            ui.show(block.block(steps, words, w_1, w_2, scale=scale), "block")
            st.markdown(f"**Look for** {ui.escape(block.said(steps, words, w_1, w_2))}")
            st.latex(block.formula(steps))
ui.paper("Vaswani et al. 2017, figure 1, section 3.3; the lens after nostalgebraist 2020.", NAME)
ui.foot("block", probe.stream, transformer.Block, by_hand.block)
