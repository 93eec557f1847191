"""The least that Streamlit can do: a text box and what was typed."""

import streamlit as st

st.title("Empty")
st.markdown(st.text_input("Text", "one", key="text"))
