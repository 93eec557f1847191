"""What every test may rely on: no network, one thread, repeatable examples."""

import functools
import os

# Before torch and tokenizers are imported; the app that the browser tests start inherits it.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["OMP_NUM_THREADS"] = "1"

import altair as alt
import pytest
from hypothesis import settings
from streamlit.components.v2 import manifest_scanner

from tests import tiny

alt.data_transformers.disable_max_rows()  # as Streamlit does; alone, Altair stops at 5,000 rows

# The same examples on each machine, and no time limit for each: a slow machine is not a bug.
settings.register_profile("atlas", deadline=None, derandomize=True)
settings.load_profile("atlas")


# Every AppTest looks through all installed packages for components: the answer stays the same.
manifest_scanner.scan_component_manifests = functools.cache(
    manifest_scanner.scan_component_manifests
)


@pytest.fixture(scope="session")
def pairs():
    """Four English sentences with their French."""
    return tiny.PAIRS


@pytest.fixture(scope="session")
def tokenizer():
    return tiny.tokenizer()


@pytest.fixture(scope="session")
def bundle_of():
    """bundle_of("rnn-dot"), bundle_of("transformer"): random weights, ready to run."""
    return tiny.translator


@pytest.fixture(scope="session")
def wordpiece():
    return tiny.wordpiece()


@pytest.fixture(scope="session")
def bert_of():
    """bert_of("bert-mini"), bert_of("bert-entities"): random weights, ready to run."""
    return tiny.bert


@pytest.fixture(scope="session")
def alphabet():
    return tiny.alphabet()


@pytest.fixture(scope="session")
def characters_of():
    """characters_of("lstm"), characters_of("gru"): random weights far from zero, ready to run."""
    return tiny.characters


@pytest.fixture(scope="session")
def word_vectors():
    """Sixty words with random vectors: king, man, woman, queen, w4 to w59."""
    return tiny.word_vectors()


@pytest.fixture(scope="session")
def transformers():
    return pytest.importorskip("transformers")


@pytest.fixture(scope="session")
def folders(transformers, tmp_path_factory):
    """folders["gpt2"]: a small random model of a visitor's own, with its tokeniser."""
    found = {kind: tmp_path_factory.mktemp("own") / kind for kind in tiny.KINDS}
    for kind, folder in found.items():
        tiny.save_own(transformers, kind, folder)
    return found
