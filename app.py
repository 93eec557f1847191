"""The navigation table, nothing else: every page also stands alone."""

import streamlit as st

PAGES = {
    "": [("home", "Home")],
    "Attention": [("alignment", "Alignment")],
    "Transformer": [
        ("self_attention", "Self-attention by hand"),
        ("it", "What does “it” mean?"),
    ],
}

st.navigation(
    {
        part: [
            st.Page(f"pages/{stem}.py", title=title, url_path=stem, default=stem == "home")
            for stem, title in rows
        ]
        for part, rows in PAGES.items()
    },
    position="top",
).run()
