"""What every test may rely on: no network, one thread, repeatable examples."""

import os

# Before torch and tokenizers are imported; the app that the browser tests start inherits it.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["OMP_NUM_THREADS"] = "1"

import altair as alt
from hypothesis import settings

alt.data_transformers.disable_max_rows()  # as Streamlit does; alone, Altair stops at 5,000 rows

# The same examples on each machine, and no time limit for each: a slow machine is not a bug.
settings.register_profile("atlas", deadline=None, derandomize=True)
settings.load_profile("atlas")
