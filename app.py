"""The navigation table, nothing else: every page also stands alone."""

import streamlit as st

PAGES = {
    "": [("home", "Home")],
    "Before attention": [("recurrent", "Recurrent nets"), ("the_bottleneck", "The bottleneck")],
    "Attention": [
        ("alignment", "Alignment"),
        ("scores", "Score functions"),
        ("local", "Local attention"),
    ],
    "Transformer": [
        ("lookup", "Attention as look-up"),
        ("self_attention", "Self-attention by hand"),
        ("positions", "Positions"),
        ("transformer", "Every head"),
        ("it", "What does “it” mean?"),
        ("decoder", "The decoder, step by step"),
        ("ablation", "Switch heads off"),
        ("block", "Inside a block"),
        ("norms", "Layer norm, batch norm"),
    ],
    "BERT": [
        ("bert", "BERT, every head"),
        ("mask", "Fill in the mask"),
        ("pair", "Does it follow?"),
        ("embeddings", "What BERT reads"),
        ("tasks", "Three tasks on top"),
        ("own", "Your own BERT"),
    ],
    "Decoding": [("beam", "Beam search"), ("beam_table", "Beam search by hand")],
    "In the hall": [
        ("eras", "One sentence, every era"),
        ("gallery", "Figure gallery"),
        ("talk", "Your talk"),
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
