"""Every page of the atlas, in the order of the lecture. Whoever lists pages reads this list.

A page begins with `ui.header(stem)`, which finds its title and lead here; navigation, Home, the
README's table and the tests read the same entries, so none of them can drift.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

Part = Literal[
    "",
    "The whole",
    "Before attention",
    "Attention",
    "Transformer",
    "BERT",
    "GPT",
    "Decoding",
    "In the hall",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """stem is the file in pages/ and the address; the tile's picture is ui/tiles.py's of that name.

    Every text must be there: a page without one of them does not start.
    """

    stem: str
    title: str
    part: Part
    lead: str  # under the title: what this is
    line: str  # on its tile: what the visitor sees there
    summary: str  # in the README
    note: str  # for the lecturer who comes to this page
    model: str = ""  # the one it shows, where the visitor has no choice of models
    takes_sentence: bool = False  # the input `text` is an English sentence

    def __post_init__(self) -> None:
        missing = [
            field.name
            for field in fields(self)
            if field.type == "str" and field.name != "model" and not getattr(self, field.name)
        ]
        if missing:
            raise ValueError(f"The page {self.stem!r} has no {', '.join(missing)}.")


PAGES: tuple[Page, ...] = (
    Page(
        stem="home",
        title="Home",
        part="",
        lead="An atlas of attention, from recurrent nets over the Transformer to BERT, GPT and "
        "pictures: small models, really trained, opened while they run. Press a tile, or type a "
        "sentence first and take it with you.",
        line="Every page as a picture",
        summary="every room as a small live picture; a sentence typed here goes along",
        note="Start here: the whole lecture as pictures.",
    ),
    Page(
        stem="machine",
        title="The machine",
        part="The whole",
        lead="A sentence flows through a whole model: a column is a word, a box turns it into "
        "other numbers. **Click a box** to open it.",
        line="RNN, attention, Transformer, BERT, GPT: a sentence flows through, step by step",
        summary="a sentence flows through a recurrent translator, one with attention, a "
        "Transformer, BERT or GPT as lectures draw them: every box shows its live output, opens "
        "with a click, and leads to its page; training against inference",
        note="The whole first, then one box after the other.",
        takes_sentence=True,
    ),
    Page(
        stem="vectors",
        title="Word vectors",
        part="Before attention",
        lead="A word becomes a row of numbers, and words that are used alike get rows alike.",
        line="King − man + woman = queen",
        summary="king − man + woman in the plane of the three words; families of parallel arrows; "
        "public analogy questions by family; one vector for both meanings of bank",
        note="Words become numbers before any network reads them.",
        model="word-vectors",
    ),
    Page(
        stem="word2vec",
        title="Where the numbers come from",
        part="Before attention",
        lead="Vectors begin at random. Each word learns to expect its neighbours, and words with "
        "the same neighbours move together.",
        line="Words find their places on a map",
        summary="word2vec's skip-gram with negative sampling, trained in sight on a small text of "
        "yours: the loss falls and the map of the words moves",
        note="Nobody wrote these numbers down. Which words will come to stand together?",
    ),
    Page(
        stem="recurrent",
        title="Recurrent nets",
        part="Before attention",
        lead="One letter at a time: all that is known of the past is one vector.",
        line="One vector carries all that was read",
        summary="a network learns to spell hello while you watch; five shapes of nets, each taught "
        "a tiny task, with one to three layers",
        note="All it knows of the past is one vector.",
    ),
    Page(
        stem="gates",
        title="Gates and gradients",
        part="Before attention",
        lead="Step by step a plain net forgets. A gate decides, number by number, what is kept.",
        line="What an LSTM keeps, letter by letter",
        summary="the gates of an LSTM and a GRU under any text; a gate by hand; gradients that "
        "vanish and explode in a plain net, a GRU and attention, with a slider for the weights",
        note="Why plain nets forget, and the cure before attention.",
    ),
    Page(
        stem="music",
        title="A network that writes tunes",
        part="Before attention",
        lead="It read folk tunes letter by letter, and now writes its own.",
        line="A tune, as notes and as sound",
        summary="a character model of ABC folk tunes writes a tune in the metre and key you "
        "choose, or goes on with your notes: as notes, and as sound without any network",
        note="The same little network, another alphabet. Does it count its bars?",
        model="char-abc",
    ),
    Page(
        stem="the_bottleneck",
        title="The bottleneck",
        part="Before attention",
        lead="Without attention one vector must carry the whole sentence.",
        line="What a reader still knows of each word",
        summary="quality against sentence length, with and without attention; one long sentence "
        "through both; what the last state still knows of each word",
        note="One vector for the whole sentence. What will be lost of a long one?",
        takes_sentence=True,
    ),
    Page(
        stem="memory",
        title="A memory to write to",
        part="Before attention",
        lead="A neural Turing machine copies bits: it writes each to a place of its memory, then "
        "reads the places again.",
        line="Two heads travel along a memory",
        summary="click or type bits and see them written to a memory and read back, as long as 120 "
        "inputs; where both heads look at each step, and how they got there, number by number",
        note="Weights choose where to write. All is written: where will it read first?",
        model="ntm",
    ),
    Page(
        stem="reading",
        title="Reading with a tape",
        part="Before attention",
        lead="An LSTM that keeps the state after every word, and looks back at them before it "
        "reads the next one.",
        line="What each word looks back at",
        summary="an LSTM reads your sentence and looks back: a line for each word, as in the "
        "paper; its perplexity beside a plain LSTM's",
        note="Attention inside of one sentence, before the Transformer.",
        model="lstmn",
        takes_sentence=True,
    ),
    Page(
        stem="documents",
        title="Reading a review",
        part="Attention",
        lead="Hierarchical attention weighs the words of each sentence, then the sentences of the "
        "review. Their weighted sum decides: positive or negative.",
        line="Which sentence decides, and which word in it",
        summary="type or paste a film review: sentences and words shaded by their weight, the "
        "verdict without each sentence, and what a plain GRU says whose last state must carry all",
        note="Not the last state but a weighted sum of all. Which sentence will weigh most?",
        model="han",
    ),
    Page(
        stem="alignment",
        title="Alignment",
        part="Attention",
        lead="Each French word looks back at the English words it is made from.",
        line="Which words a translated word came from",
        summary="type an English sentence: its French translation and which word came from which; "
        "force your own French; how the alignment sharpened while the model learned",
        note="Let the decoder look back. Which English word does “zone” come from?",
        takes_sentence=True,
    ),
    Page(
        stem="context_vector",
        title="The context vector",
        part="Attention",
        lead="Before each word the decoder gets one vector: a sum of the readers' states, each "
        "times its weight. **Drag a weight** and another word comes out.",
        line="Drag a weight, hear another word",
        summary="forward and backward states, their weights and the sum c_t as a picture; drag one "
        "weight and the next word changes",
        note="The sum is all that the decoder gets. Which word comes if “train” weighs most?",
        takes_sentence=True,
    ),
    Page(
        stem="scores",
        title="Score functions",
        part="Attention",
        lead="Models that differ only in how a query is compared with the keys.",
        line="Six ways to compare, two windows",
        summary="six scores and two windows, each a trained model, on one sentence; sharpness, "
        "agreement, measured quality; the six formulas by hand",
        note="The same sentence, compared in every way.",
        takes_sentence=True,
    ),
    Page(
        stem="local",
        title="Local attention",
        part="Attention",
        lead="A window on the source: what lies outside it is not looked at.",
        line="Through a window that moves",
        summary="content weights times a Gaussian window; change D and σ, move the window and hear "
        "another word",
        note="A window that moves.",
        takes_sentence=True,
    ),
    Page(
        stem="caption",
        title="Captions that look",
        part="Attention",
        lead="A network describes a photograph, and for every word it looks somewhere else.",
        line="One look at the picture for each word",
        summary="a photograph, yours if you like, and its caption: where the network looked for "
        "each word, softly or at one place only; force another word and see the gaze move; cut "
        "out or weigh a part by hand",
        note="For which word will it look at the hands?",
        model="caption-soft",
    ),
    Page(
        stem="patches",
        title="Patches that attend",
        part="Attention",
        lead="A Vision Transformer cuts a picture into 64 patches and reads them like words.",
        line="Every head looks at the picture",
        summary="a photograph in 64 patches through a Vision Transformer: every head's map, "
        "rollout over the picture, what it is taken for, shuffled patches, and how alike the "
        "learned places are",
        note="Patches are words here. Does their order matter?",
        model="vit",
    ),
    Page(
        stem="dream",
        title="Pictures that dream",
        part="Attention",
        lead="A Self-Attention GAN draws a flower from noise. **Click a place** of it: where did "
        "it look while it was drawn?",
        line="A flower from noise, and where its places look",
        summary="flowers of the daisy family drawn from seeds; several places of the picture and "
        "where each of them looked; the same flower without attention; a walk from one seed to "
        "another; the distance to real pictures, measured",
        note="Before you click a petal: will it look at the other petals?",
        model="sagan",
    ),
    Page(
        stem="lookup",
        title="Attention as look-up",
        part="Transformer",
        lead="A database takes the row whose key equals the query, or nothing. Attention takes a "
        "bit of every row: the better its key fits, the more. **Tap or hover a number** to see its "
        "arithmetic.",
        line="A hard match beside a soft one",
        summary="a hard match against a soft one, temperature, the weighted sum of values",
        note="Query, key, value: colder and colder.",
    ),
    Page(
        stem="search",
        title="Search as attention",
        part="Transformer",
        lead="A database returns the rows that match. Attention returns a bit of every row: by how "
        "alike two texts are, or by what they mean.",
        line="SQL beside a soft match",
        summary="SQL's = and LIKE beside attention over a table of persons, or your own; a query "
        "against a few short texts with BERT's vectors as keys",
        note="The same table asked twice. Which rows come back?",
    ),
    Page(
        stem="reach",
        title="How far it sees",
        part="Transformer",
        lead="A recurrent net, a convolution and self-attention read the same sentence: which "
        "words does one word know of, and over how many steps?",
        line="Reach after 1, 2 and 3 layers",
        summary="what one word knows of a sentence after 1, 2 or 3 layers of a recurrent net, a "
        "convolution and self-attention, and over how many steps",
        note="Ask before you show it: which words has “it” heard of after one layer?",
    ),
    Page(
        stem="self_attention",
        title="Self-attention by hand",
        part="Transformer",
        lead="Each word asks with its query, each word answers with its key, and the answers mix "
        "the values. **Tap or hover a number** to see what it is made from, or a word to follow "
        "it.",
        line="Every number, step by step",
        summary="queries, keys, values, scores, softmax, outputs: every number, editable; two "
        "heads, a mask, shuffled words",
        note="By hand, with three words.",
    ),
    Page(
        stem="split",
        title="Split and merge",
        part="Transformer",
        lead="Many heads from one matrix: the numbers stay where they are, only the counting "
        "changes. **Tap or hover a number** and follow it.",
        line="Cut into heads, joined again",
        summary="one real Q cut into heads, attended, swapped back and joined, times W_O: hover a "
        "number and follow it, with its place in memory; two heads by hand",
        note="A logical split only: where does the number lie in memory?",
        model="transformer",
        takes_sentence=True,
    ),
    Page(
        stem="positions",
        title="Positions",
        part="Transformer",
        lead="Fast waves at the left, slow ones at the right: no two rows are alike.",
        line="Sines and cosines tell where a word stands",
        summary="sine and cosine curves, offsets, rotations; what translation becomes without "
        "positions; a place added to a word by hand, as W [x; p], and joined in its stead",
        note="Where a word stands, as waves.",
    ),
    Page(
        stem="transformer",
        title="Every head",
        part="Transformer",
        lead="All that the Transformer looks at while it reads and writes.",
        line="Three attentions, all layers and heads",
        summary="the Transformer's three attentions as lines, tiles and matrices; mean and rollout",
        note="Every head of every layer.",
        model="transformer",
        takes_sentence=True,
    ),
    Page(
        stem="it",
        title="What does “it” mean?",
        part="Transformer",
        lead="One word changes at the end: does “it” change its mind?",
        line="The animal or the street: heads decide",
        summary="“it” looks at the animal or at the street; every head measured; a head being born",
        note="Tired or wide: ask for hands before you show it.",
        model="transformer",
    ),
    Page(
        stem="decoder",
        title="The decoder, step by step",
        part="Transformer",
        lead="It writes a word, reads it back, and looks again.",
        line="A triangle that grows by a row a word",
        summary="the masked triangle grows by a row a step; training against inference; a padded "
        "batch of two sentences, each mask to be taken away",
        note="The triangle grows by a row for each word.",
        model="transformer",
        takes_sentence=True,
    ),
    Page(
        stem="ablation",
        title="Switch heads off",
        part="Transformer",
        lead="A head that can be silenced without a loss was not needed.",
        line="Which heads does it need?",
        summary="silence heads and see which words of the translation fall; which heads matter",
        note="Many heads, few that matter for one sentence.",
        model="transformer",
        takes_sentence=True,
    ),
    Page(
        stem="block",
        title="Inside a block",
        part="Transformer",
        lead="A token's vector grows: each half of a layer adds something to it.",
        line="What each half layer adds to a word",
        summary="a token's residual stream in encoder and decoder: what each part adds, and which "
        "word it is near to; add, norm and feed-forward by hand, norm first or after",
        note="Attention adds, the feed-forward net adds, nothing is replaced.",
        model="transformer",
        takes_sentence=True,
    ),
    Page(
        stem="norms",
        title="Layer norm, batch norm",
        part="Transformer",
        lead="Layer norm measures each row by itself; batch norm measures each column over the "
        "batch. **Tap or hover a result** to see which numbers it was measured by.",
        line="The same numbers, normalised both ways",
        summary="the same small numbers, normalised both ways",
        note="Why layer norm does not mind a batch of one.",
    ),
    Page(
        stem="ponder",
        title="Thinking in steps",
        part="Transformer",
        lead="The Universal Transformer uses one block again and again, until each sentence of a "
        "story is thought over.",
        line="How long is each fact thought over?",
        summary="type a story and a question: the answer, what the question looks at in every step "
        "of thought, how often each sentence is gone over; right answers and steps by task",
        note="One block, many steps. Which fact does it look at first?",
        model="universal",
    ),
    Page(
        stem="few_shot",
        title="Learning from one example",
        part="Transformer",
        lead="SNAIL sees five new characters once, then a sixth drawing: attention finds the "
        "example that it is like.",
        line="Five new characters, then one more",
        summary="characters of alphabets that the model never saw, one to five examples each; pick "
        "or draw one more: which example it looks at and what it says; what convolutions and "
        "attention add",
        note="Nobody taught it these characters. Which one is it?",
        model="snail",
    ),
    Page(
        stem="context",
        title="Words in context",
        part="BERT",
        lead="A word gets another vector in every sentence: two readers, one from each end.",
        line="Bank by the river, bank with money",
        summary="one word in two sentences, its nearest uses by layer of ELMo, with a plain vector "
        "and BERT beside it; the mixture of layers; the loss of both readers; senses told apart, "
        "measured",
        note="One word, two meanings: from which layer on does the model tell them apart?",
        model="elmo",
    ),
    Page(
        stem="bert",
        title="BERT, every head",
        part="BERT",
        lead="Each word looks at all others, to the left and to the right.",
        line="To the left and to the right at once",
        summary="every layer and head on one sentence or two: lines, tiles, matrix, rollout; query "
        "times key, number by number; what each head was measured to do",
        note="An encoder that reads both ways.",
        model="bert-mini",
        takes_sentence=True,
    ),
    Page(
        stem="mask",
        title="Fill in the mask",
        part="BERT",
        lead="Hide a word, and BERT guesses it from both of its sides.",
        line="Guess a hidden word from both sides",
        summary="hide words and see ten guesses for each; with and without another word; the "
        "80/10/10 rule drawn many times",
        note="Which word would you put in? Take three guesses from the hall.",
        model="bert-mini",
        takes_sentence=True,
    ),
    Page(
        stem="pair",
        title="Does it follow?",
        part="BERT",
        lead="Were these two sentences neighbours in a book, or thrown together?",
        line="Two sentences: neighbours or not",
        summary="two sentences, the probability that the second follows, and what [CLS] looked at; "
        "pairs drawn by the 50/50 rule from any text",
        note="The second task: next sentence or not.",
        model="bert-mini",
    ),
    Page(
        stem="embeddings",
        title="What BERT reads",
        part="BERT",
        lead="For each token three vectors are added: word, sentence, place.",
        line="Word, sentence and place, added up",
        summary="token, segment and position, added up; learned positions against sines and "
        "cosines",
        note="Three vectors added, before any attention.",
        model="bert-mini",
        takes_sentence=True,
    ),
    Page(
        stem="tasks",
        title="Three tasks on top",
        part="BERT",
        lead="The same BERT three times: only the last layers learn the task.",
        line="Sentiment, names, answers",
        summary="sentiment with attention, gradient and leave-one-out side by side; names in a "
        "text; answers in a paragraph; a head on frozen states by number of examples",
        note="The same BERT; only the last layer is new.",
    ),
    Page(
        stem="own",
        title="Your own BERT",
        part="BERT",
        lead="A BERT, DistilBERT, RoBERTa or GPT-2 of yours, every head of it.",
        line="A model of yours in the same views",
        summary="a folder with a BERT, DistilBERT, RoBERTa or GPT-2 in Hugging Face format, in the "
        "same views",
        note="The same views for the model that you brought.",
        takes_sentence=True,
    ),
    Page(
        stem="gpt",
        title="GPT writes on",
        part="GPT",
        lead="Decoder blocks alone: each word is drawn from what the words before it make likely.",
        line="A story goes on, word by word",
        summary="a story written on from your beginning: the growing triangle of any head, the "
        "next-word bars, temperature, top-k and greedy; several continuations as a tree; what the "
        "key-value cache keeps",
        note="Stop before each word: which one would you write?",
        model="gpt",
    ),
    Page(
        stem="inside_gpt",
        title="Inside a GPT",
        part="GPT",
        lead="The same decoder from inside: what each block would say if it were the last one.",
        line="Every block read as a word",
        summary="the residual stream read as words after every block; BERT's full square beside "
        "GPT's triangle; which head finds what came after the same word before",
        note="From which block on does it know the next word?",
        model="gpt",
    ),
    Page(
        stem="summary",
        title="A title for a text",
        part="GPT",
        lead="A Transformer reads an abstract or a piece of news and writes its title; a word that "
        "it does not know it can copy.",
        line="Which words of a title are copied?",
        summary="the title that a model would give to an abstract or a piece of news: where each "
        "word of it looked, which were copied and how likely; long texts with full attention, "
        "local blocks and compressed keys, and what each costs; ROUGE against taking the first "
        "words",
        note="What would it have called this paper? Guess the title first.",
        model="summary",
    ),
    Page(
        stem="sizes",
        title="How large, how slow",
        part="GPT",
        lead="Where the parameters of a Transformer, a BERT and a GPT are, and what a layer costs.",
        line="Parameters, part by part",
        summary="parameters of Transformer, BERT and GPT from sliders, part by part, beside the "
        "published counts; GLUE from 2018 to 2019; what recurrence, convolution and self-attention "
        "cost, by formula and by clock",
        note="Where do 110 million parameters sit?",
    ),
    Page(
        stem="beam",
        title="Beam search",
        part="Decoding",
        lead="Every hypothesis that was looked at: how it lived, and why it died.",
        line="Every hypothesis lives and dies",
        summary="every hypothesis lives and dies; force a word; greedy, beam and exhaustive "
        "compared",
        note="Keep several futures open.",
        takes_sentence=True,
    ),
    Page(
        stem="beam_table",
        title="Beam search by hand",
        part="Decoding",
        lead="The likeliest word each time is not the likeliest sentence.",
        line="Greedy .048, better .054",
        summary="the lecture's table: greedy .048 against .054, editable",
        note="Greedy loses with four words already.",
    ),
    Page(
        stem="eras",
        title="One sentence, every era",
        part="In the hall",
        lead="From 2015 to 2019: who looks where, and how sharply.",
        line="2015, 2017 and 2019 side by side",
        summary="the same sentence through models of 2015, 2017 and 2019, side by side; sharpness, "
        "agreement, time",
        note="What changed in three years, on one sentence.",
        takes_sentence=True,
    ),
    Page(
        stem="models",
        title="Models on board",
        part="In the hall",
        lead="Every model as it is: what it read, how it learned, what it was measured to do.",
        line="How each of them learned",
        summary="every checkpoint's card: how its loss fell, its data and licences, how it was "
        "trained, and what was measured on text that it never read",
        note="How good is it, and who taught it? If somebody asks.",
    ),
    Page(
        stem="gallery",
        title="Figure gallery",
        part="In the hall",
        lead="Press a title and its page opens with exactly this input. Published numbers come "
        "from large models on other data; ours are computed here, just now or when a model was "
        "measured.",
        line="Every figure of the lecture, one press away",
        summary="every figure of the lecture, one press away; published numbers beside ours",
        note="Every figure, if a question comes.",
    ),
    Page(
        stem="talk",
        title="Your talk",
        part="In the hall",
        lead="Pin any view with the pin beside its title. Here the pins get an order, a title and "
        "a note. On the stage the **arrow keys** and **space** step, **Page Up** and **Page Down** "
        "go from slide to slide, **Escape** leaves; notes are in the presenter window only.",
        line="Your views, in your order",
        summary="views pinned on any page, in an order, with notes; presented by arrow keys, kept "
        "as a file or a link",
        note="Your own order of pictures.",
    ),
)

BY_STEM: dict[str, Page] = {page.stem: page for page in PAGES}


def parts() -> dict[str, list[Page]]:
    """The pages by part, in the order of the lecture."""
    found: dict[str, list[Page]] = {}
    for page in PAGES:
        found.setdefault(page.part, []).append(page)
    return found
