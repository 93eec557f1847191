"""BertViz's own examples, on tiny models: self-attention, a pair of sentences, encoder-decoder."""

import numpy as np
import pytest
import torch

from viz_core.charts import matrix
from viz_core.charts.any_model import head_view
from viz_core.traces.outside import attention_trace, encoder_decoder_traces

transformers = pytest.importorskip("transformers")
TOKENS = ["[CLS]", "the", "rabbit", "hop", "##ped", "[SEP]", "the", "turtle", "[SEP]"]


@pytest.fixture(scope="module")
def bert():
    """attention = outputs.attentions, tokens = tokenizer.convert_ids_to_tokens(inputs[0])"""
    torch.manual_seed(1)
    shape = {"vocab_size": 20, "hidden_size": 16, "num_hidden_layers": 2, "intermediate_size": 8}
    config = transformers.BertConfig(**shape, num_attention_heads=4)
    model = transformers.BertModel(config).eval()
    model.set_attn_implementation("eager")
    return model(torch.arange(len(TOKENS))[None], output_attentions=True).attentions


@pytest.fixture(scope="module")
def marian():
    """A translator: outputs.encoder_attentions, decoder_attentions, cross_attentions"""
    torch.manual_seed(1)
    shape = {"vocab_size": 30, "d_model": 16, "pad_token_id": 0, "decoder_start_token_id": 0}
    shape |= {"encoder_layers": 2, "decoder_layers": 2, "eos_token_id": 1}
    shape |= {"encoder_ffn_dim": 8, "decoder_ffn_dim": 8}
    shape |= {"encoder_attention_heads": 2, "decoder_attention_heads": 2}
    config = transformers.MarianConfig(**shape, max_position_embeddings=32)
    model = transformers.MarianMTModel(config).eval()
    model.set_attn_implementation("eager")
    source, target = torch.arange(2, 9)[None], torch.arange(3, 8)[None]
    return model(input_ids=source, decoder_input_ids=target, output_attentions=True)


def drawn(chart):
    """query, key, head -> weight, as the picture holds them."""
    (table,) = (t for t in chart.to_dict()["datasets"].values() if t and "head" in t[0])
    return {(row["query"], row["key"], row["head"]): row["weight"] for row in table}


def test_a_tuple_of_attentions_and_tokens_is_drawn_as_it_is(bert):
    found = drawn(head_view(bert, TOKENS, layer=1, heads=[2]))
    wanted = bert[1][0].detach().numpy()  # (head, query, key)
    assert found
    for (query, key, head), weight in found.items():
        assert weight == pytest.approx(float(wanted[head - 1, query, key]), abs=1e-3)
    assert {head for _, _, head in found} == {1, 2, 3, 4}  # all go to the browser, one is lit


def test_two_sentences_and_their_sub_words_are_known(bert):
    trace = attention_trace(bert, TOKENS, sentence_b_start=6)
    assert trace.segments == (0, 0, 0, 0, 0, 0, 1, 1, 1)
    assert trace.words().queries[3] == "hopped"
    assert np.allclose(trace.words().weights.sum(-1), 1, atol=1e-5)


def test_an_encoder_and_decoder_are_shown_each_with_its_own_words(marian):
    source = ["▁I", "▁am", "▁a", "▁stu", "dent", ".", "</s>"]
    target = ["<pad>", "▁Je", "▁suis", "▁étudi", "ant"]
    given = {
        "encoder_attention": marian.encoder_attentions,
        "decoder_attention": marian.decoder_attentions,
        "cross_attention": marian.cross_attentions,
        "encoder_tokens": source,
        "decoder_tokens": target,
    }
    traces = encoder_decoder_traces(**given)
    assert [(t.kind, *t.weights.shape) for t in traces.values()] == [
        ("self", 2, 2, 7, 7),
        ("masked", 2, 2, 5, 5),
        ("cross", 2, 2, 5, 7),
    ]
    assert traces["cross"].words().keys == ("I", "am", "a", "student", ".", "</s>")
    assert traces["cross"].words().queries == ("<pad>", "Je", "suis", "étudiant")
    assert drawn(head_view(**given)) == drawn(head_view(**given, show="cross"))
    masked = drawn(head_view(**given, show="decoder"))
    assert all(key <= query for query, key, _ in masked)
    assert matrix.matrix(traces["cross"], 1, None).to_dict()  # and any other view


def test_plain_arrays_of_any_precision_do_as_well(bert):
    plain = [layer.detach().numpy() for layer in bert]
    half = [layer.bfloat16() for layer in bert]
    assert drawn(head_view(plain, TOKENS)) == drawn(head_view(bert, TOKENS))
    assert drawn(head_view(half, TOKENS)) == pytest.approx(drawn(head_view(bert, TOKENS)), abs=1e-2)


@pytest.mark.parametrize(
    ("attention", "tokens", "said"),
    [
        (None, None, "Give 'attention'"),
        ((), TOKENS, "output_attentions=True"),
        ((None, None), TOKENS, "eager"),
        ([np.ones((2, 3, 9, 9))], TOKENS, r"\(2, 3, 9, 9\)"),
        ([np.ones((9, 9))], TOKENS, "eager"),
        ([[np.ones((1, 2, 1, 9))]], TOKENS, "generate"),
        ([np.ones((1, 2, 4, 4))], TOKENS, "9 query tokens but the weights have 4"),
        ([np.ones((1, 2, 9, 9)), np.ones((1, 1, 9, 9))], TOKENS, "different shapes"),
        ([np.ones((1, 2, 9, 9))], None, "'tokens' is required"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(attention, tokens, said):
    with pytest.raises(ValueError, match=said):
        head_view(attention, tokens)


def test_a_layer_or_head_that_is_not_there_is_named(bert):
    with pytest.raises(ValueError, match="no layer 2"):
        head_view(bert, TOKENS, layer=2)
    with pytest.raises(ValueError, match="no head 4"):
        head_view(bert, TOKENS, heads=[4])
    with pytest.raises(ValueError, match="no 'cross'"):
        head_view(encoder_attention=bert, encoder_tokens=TOKENS, show="cross")
