"""The least that Streamlit can do for a picture: a text box and a heat map of random numbers."""

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

text = st.text_input("Text", "one two", key="text")
words = [f"{place} {word}" for place, word in enumerate(text.split())]
table = pd.DataFrame([(a, b) for a in words for b in words], columns=["query", "key"])
table["weight"] = np.random.default_rng(0).random(len(table))
st.altair_chart(
    alt.Chart(table, width=30 * len(words), height=30 * len(words))
    .mark_rect()
    .encode(x=alt.X("key", sort=None), y=alt.Y("query", sort=None), color="weight"),
    width="content",
)
