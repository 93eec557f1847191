"""Devlin et al. 2019, figure 4: one pre-trained model, a small new layer for each task."""

import streamlit as st

from viz_core import checkpoints, probe, ui
from viz_core.atlas.examples import FERRY, NEWS, QUESTIONS, REVIEWS
from viz_core.charts import frozen, tasks
from viz_core.probe import tasks as probe_tasks

NAMES = ("bert-sentiment", "bert-entities", "bert-answers")

ui.header("tasks")
TABS = ["Sentiment", "Entities", "Answers", "Frozen or tuned"]
KINDS = ["one sentence: good or bad", "two sentences: the same or not"]
sentiment, entities, answers, kept = ui.tabs(TABS, "task")

if sentiment.open:
    with sentiment:
        text = ui.english("A review", REVIEWS[0], model=NAMES[0], most=100)
        picture, name = ui.picture(text), "bert-sentiment"
        ui.steps([{"text": review} for review in REVIEWS])
        ui.examples(REVIEWS)
        with picture, ui.sentences():
            ui.question("Positive or negative, and which words decide?", text)
            if ui.trained(name, "which words decided between positive and negative"):
                weighed = ui.run(probe.importance, name, text)
                ui.quote(f"{weighed.label}, {weighed.probability:.0%}")
                left, right = st.columns([8, 4], gap="medium")
                with left:
                    ui.show(tasks.importance(weighed, room=ui.room(2 / 3, lines=2)), "importance")
                with right:
                    ui.show(tasks.agreements(weighed, scale=ui.scale()), "agreement")
                st.markdown(tasks.CAUTION)
        ui.show(tasks.on_top(*tasks.asked_of_review(text), scale=ui.scale()), "read")

if entities.open:
    with entities:
        text = ui.english("A sentence with names", NEWS[0], "news", NAMES[1])
        picture, name = ui.picture(text), "bert-entities"
        ui.steps([{"news": sentence} for sentence in NEWS])
        ui.examples(NEWS, key="news")
        words = probe_tasks.split(text)
        asked = ["name?"] * len(words)
        with picture, ui.sentences():
            ui.question("Which words are names, and of what kind?", text)
            if ui.trained(name, "the names of people, places and organisations"):
                found = ui.run(probe.entities, name, text)
                ui.show(tasks.names(found, scale=ui.scale()), "names")
                asked = list(found.tags)
                st.markdown(f"**Look for** the kinds: {ui.escape(tasks.finding_of_names(found))}.")
        ui.show(tasks.on_top(["[CLS]", *words], ["", *asked], scale=ui.scale()), "read")

if answers.open:
    with answers:
        question = ui.english("Question", QUESTIONS[0], "question", NAMES[2], most=100)
        picture, name = ui.picture(question), "bert-answers"
        ui.examples(QUESTIONS, key="question")
        ui.steps([{"question": asked} for asked in QUESTIONS])
        story = ui.english("Paragraph", FERRY, "story", NAMES[2], tall=True)
        with picture, ui.sentences():
            ui.question("Which words of the paragraph are the answer?", question, story)
            if ui.trained(name, "the answer, marked in the paragraph"):
                given = ui.run(probe.answer_trace, name, question, story)
                ui.quote(given.answer.text)
                ui.doubt(question, story, given.answer.probability)
                ui.show(tasks.answer(given, story, scale=ui.scale()), "answer")
                ui.show(tasks.ends(given, room=ui.room(lines=6)), "ends")
                st.latex(tasks.answer_formula(given))
                st.latex(tasks.dot_formula(given))
                st.markdown(
                    "**Look for** the two highest bars: s and e are all that was added, one vector "
                    "for the start and one for the end; each asks every token of the text."
                )
        read = tasks.asked_of_paragraph(question, story)
        ui.show(tasks.on_top(*read, scale=ui.scale()), "read")

if kept.open:
    with kept:
        picture, controls = ui.picture(), st.container()
        with controls:
            kind = ui.choice("Task", KINDS, "kind")
            ui.steps([{"kind": one} for one in KINDS])
        with picture, ui.sentences():
            ui.question("How many examples does a head need on a BERT that is left as it is?")
            pairs = kind == KINDS[1]
            learned = ui.run(probe.frozen, "bert-mini", pairs)
            whole = None if pairs else ui.run(probe.tuned, "bert-sentiment")
            ui.show(frozen.curve(learned, whole, room=ui.room(lines=1)), "frozen")
            st.markdown(f"**Look for** the slope. {ui.escape(frozen.finding(learned, whole))}.")
            st.latex(frozen.formula(learned))
            st.caption(frozen.CAUTION)
there = [ui.card_line(card) for card in checkpoints.cards() if card.name in NAMES]
st.caption(" ".join(["Devlin et al. 2019, BERT, figure 4; Jain and Wallace 2019.", *there]))
ui.foot("tasks", probe.importance, probe.entities, probe.answer_trace, probe.frozen)
