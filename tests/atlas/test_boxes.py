"""From a box of the machine to the pages about it."""

from viz_core.atlas import boxes
from viz_core.atlas.pages import BY_STEM


def test_every_page_that_a_box_leads_to_is_there():
    stems = {stem for pages in [*boxes.MORE.values(), boxes.OTHERWISE] for stem in pages}
    assert stems <= set(BY_STEM)


def test_a_block_is_opened_at_its_own_layer_and_with_the_same_sentence():
    found = boxes.pages("transformer", "encoder", 1, "I am.")
    assert found["transformer"] == {"text": "I am.", "layer": "2"}
    assert boxes.pages("rnn-search", "context", 0, "I am.")["alignment"] == {"text": "I am."}
    assert boxes.pages("transformer", "output", 0, "I am.") == {"beam": {"text": "I am."}}


def test_a_page_gets_the_sentence_where_it_asks_for_one():
    found = boxes.pages("transformer", "encoder", 1, "I am.")
    assert found["self_attention"] == {
        "part": "Trained model",
        "sentence": "I am.",
        "layer": "2",
    }  # its text are the names of three rows
    assert boxes.pages("bert", "encoder", 0, "I am.")["norms"] == {}
    assert boxes.pages("transformer", "decoder", 0, "I am.")["block"]["part"] == "decoder"
