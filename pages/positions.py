"""Vaswani et al. 2017, section 3.5: waves that tell a word where it stands."""

import streamlit as st

from viz_core import by_hand, probe, ui
from viz_core.by_hand import numbers as typed_numbers
from viz_core.charts import placed, positions, rotation

PRESETS = {
    "dimensions 4-7 of 20": {"d": 20, "length": 100, "base": "10000", "dims": "4-7"},
    "dimensions 6-9 of 32": {"d": 32, "length": 60, "base": "10000", "dims": "6-9"},
    "four dimensions": {"d": 4, "length": 50, "base": "10000", "dims": "0-3"},
}
PARTS = [
    *("Distance", "Moving by k", "Wavelengths", "Learned positions", "Without positions"),
    "By hand",
]
EMBEDDED = "1 0 1 0; 0 2 0 2; 1 1 1 1"
MODEL, LEARNED = "transformer", "bert-mini"

ui.header("positions")
picture, stepping, controls = ui.picture(), st.container(), st.container()

with controls:
    waving = st.container()
    distance, moving, waves, learned, without, hand = ui.tabs(PARTS, "part")
if not hand.open:  # by hand there are four numbers a word
    with waving:
        ui.presets("Examples", PRESETS, "preset")
        width, length, base_text, dims_text = ui.waves()

with stepping:
    ui.steps([{"start": 5 * step} for step in range(20)] if hand.open else [*PRESETS.values()])
if hand.open:
    with hand:
        first, second = st.columns(2)
        with first:
            embedded = ui.matrix("Words e", EMBEDDED, "e")
        with second:
            names = ui.text("Rows", "I love you", "rows")
            start = ui.slider("Place of the first word", 0, 99, 0, "start")
            at = ui.slider("Word shown below", 1, 8, 2, "at") - 1
    with picture, ui.sentences():
        ui.question("What is left of a word when its place is added?", names)
        words_e = typed_numbers.read_matrix(embedded, "e")
        rows = typed_numbers.name_rows(names, len(words_e), "e")
        found, at = by_hand.placed(words_e, start), min(at, len(words_e) - 1)
        ui.show(placed.placed(found, at, rows, scale=ui.scale()), "placed")
        st.markdown(f"**Look for** {ui.escape(placed.said(found, 0, at, rows))}")
        st.latex(placed.formula(found, 0, at))
else:
    with picture, ui.sentences():
        ui.question(f"What do the waves of dimensions {dims_text} look like?")
        base = typed_numbers.read_number(base_text, "The base", 1.01, 1e6)
        code = by_hand.positions(length, width, base)
        left, right = st.columns([7, 4], gap="medium")
        with left:
            dims = typed_numbers.read_dimensions(dims_text, width)
            curves = positions.curves(code, dims, scale=ui.scale())
            ui.show(curves.properties(width=500 * ui.scale()), "curves")
            st.latex(positions.formula(width, base))
        with right:
            ui.show(positions.heat(code, scale=ui.scale()), "heat", positions.finding_of_heat(code))
        st.markdown(
            "**Look for** two rows that are alike: there are none, so a row tells its place. Blue "
            "is above zero, orange below."
        )
        with distance:
            st.markdown(f"**{positions.finding_of_offset(code)}.**")
            st.latex(r"PE(p) \cdot PE(p+k) = \textstyle\sum_i \cos(k\,\omega_i)")
            ui.show(positions.offset(code, scale=ui.scale()), "offset")
        with moving:
            left, right = st.columns([3, 2])
            with left:
                pair = ui.slider("Pair of dimensions", 0, width // 2 - 1, 1, "pair")
                place = ui.slider("Position p", 1, 100, 7, "place")
                offset = ui.slider("Moved by k", 1, 50, 3, "k")
                rate = float(by_hand.rates(width, base)[pair])
                ui.formulas(rotation.formulas(place, offset, pair, rate))
            with right:
                ui.show(rotation.rotation(place, offset, rate, length, scale=ui.scale()), "circle")
        with waves:
            st.markdown(f"**{positions.finding_of_wavelengths(width, base)}.**")
            ui.show(positions.wavelengths(width, base, length=length, scale=ui.scale()), "waves")

if learned.open:
    with learned, ui.sentences():
        if ui.trained(LEARNED, "positions learned by a BERT"):
            table = ui.run(probe.learned_positions, LEARNED)[:length]
            st.markdown(f"BERT learned its positions. **{positions.finding_of_offset(table)}.**")
            said = positions.finding_of_heat(table)
            ui.show(positions.heat(table, scale=ui.scale()), "bert", said)
            ui.show(positions.offset(table, scale=ui.scale()), "bert_offset")
if without.open:
    with without, ui.sentences():
        words = ui.english("English sentence", "The dog bites the man.").split()
        both = by_hand.two_orders(words, ui.slider("Shuffle number", 1, 20, 1, "shuffle"))
        given = [ui.translated(MODEL, one).text for one in both]
        nowhere = probe.Options(place=False)
        bare = [ui.translated(MODEL, one, options=nowhere).text for one in both]
        ui.table({"English": both, "positions given": given, "positions left out": bare})
        st.markdown(f"**Look for** the last column: {positions.finding_of_orders(bare)}.")
ui.paper("Vaswani et al. 2017, Attention Is All You Need, section 3.5.", MODEL)
ui.foot("positions", by_hand.positions, by_hand.rotation, by_hand.placed)
