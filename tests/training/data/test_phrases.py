"""Everyday sentences spelled out from tables: what French asks of a noun is there."""

import random
import re
from itertools import islice

import pytest

from viz_core.training.data import pairs, phrases
from viz_core.training.data.phrases import Drawn, Noun


@pytest.fixture(scope="module")
def some():
    return list(islice(phrases.generate(20_000, seed=3), 20_000))


def spelled(sentence: str, **chosen: str) -> str:
    """The French of a sentence with nouns of our choice."""
    tables, _ = phrases.read()
    drawn = Drawn(tables, random.Random(0))
    for key, english in chosen.items():
        named = [each for each in tables[key.rstrip("0123456789")] if each.english[0] == english]
        drawn.chosen[key] = named[0]
    return phrases.contracted(phrases.spelled(sentence, drawn.french))


@pytest.mark.parametrize(
    ("sentence", "noun", "french"),
    [
        ("{the thing} est perdu{+ thing}", "key", "la clé est perdue"),
        ("{the thing} est perdu{+ thing}", "umbrella", "le parapluie est perdu"),
        ("{the things} sont pris{+ things}", "book", "les livres sont pris"),
        ("{the things} sont pris{+ things}", "key", "les clés sont prises"),
        ("{this thing}", "bone", "cet os"),
        ("{my thing}", "idea", "mon idée"),
        ("{these things}", "painting", "ces tableaux"),
        ("parce qu'{it thing} est là", "key", "parce qu'elle est là"),
        ("je parle {of the thing}", "model", "je parle du modèle"),
        ("je parle {of the thing}", "equation", "je parle de l'équation"),
        ("{a first thing}", "tree", "un bel arbre"),
    ],
)
def test_what_belongs_to_a_noun_agrees_with_it(sentence, noun, french):
    assert spelled(sentence, thing=noun, first="beautiful") == french


@pytest.mark.parametrize(
    ("country", "inside", "from_there", "capital"),
    [
        ("France", "en France", "de France", "de la France"),
        ("Iran", "en Iran", "d'Iran", "de l'Iran"),
        ("Japan", "au Japon", "du Japon", "du Japon"),
        ("the Netherlands", "aux Pays-Bas", "des Pays-Bas", "des Pays-Bas"),
    ],
)
def test_a_country_has_its_prepositions(country, inside, from_there, capital):
    assert spelled("{in country}", country=country) == inside
    assert spelled("{from country}", country=country) == from_there
    assert spelled("{of the country}", country=country) == capital


def test_a_breathed_h_takes_no_apostrophe():
    assert spelled("{the animal}", animal="owl") == "le hibou"


def test_both_sides_say_the_same_numbers_and_names(some):
    for english, french in some:
        said = re.findall(r"\d+", english.replace(":00", ""))
        assert set(re.findall(r"\d+", french)) == set(said), english


def test_nothing_of_the_tables_is_left_standing(some):
    for english, french in some:
        assert not re.search(r"[{}*\0|]|  ", english + french), (english, french)
        assert not re.search(
            r"\b(?:de|à) les?\b|(?<!-)\b(?:[ldjm]e|la) (?=[aeiouéêâî])(?!onze)", french
        ), french


def test_two_of_a_table_are_two():
    tables, _ = phrases.read()
    for seed in range(300):
        drawn = Drawn(tables, random.Random(seed))
        assert len({drawn.choose(name)[0] for name in ("job", "job2", "job3")}) == 3


def test_women_are_born_as_women_and_plurals_are_plural(some):
    said = " ".join(french for _, french in some)
    assert "née à" in said and "est né à" in said
    assert not re.search(r"kangouroux|carte postales|jeune femmes|ordinateur portables", said)
    assert phrases.french_plural("kangourou") == "kangourous"
    assert phrases.french_plural("genou") == "genoux"


@pytest.mark.parametrize("table", ["thing", "part", "person", "animal", "machine"])
def test_of_two_words_the_first_is_in_the_plural_too(table):
    tables, _ = phrases.read()
    for noun in (noun for noun in tables[table] if " " in noun.french[0]):
        assert noun.french[1].split()[0][-1] in "sx", noun.french
        assert " of " not in noun.english[1] or noun.english[1].split()[0][-1] == "s", noun.english


def test_food_in_the_plural_has_its_verb_in_the_plural(some):
    sentence = "{the food} {is food} froid{+ food}"
    assert spelled(sentence, food="spinach") == "les épinards sont froids"
    assert spelled(sentence, food="soup") == "la soupe est froide"
    said = " ".join(french for _, french in some)
    assert re.search(r"(?:épinards|fruits|fruits de mer) (?:sont|étaient)\b", said)
    assert not re.search(r"(?:épinards|fruits|fruits de mer) (?:est|était)\b", said)


def test_every_noun_knows_its_gender():
    tables, _ = phrases.read()
    for name in ("thing", "place", "person", "animal", "food", "body", "topic", "country"):
        assert all(isinstance(entry, Noun) for entry in tables[name]), name


def test_every_sentence_can_be_spelled():
    tables, sentences = phrases.read()
    for english, french in sentences:
        rng = random.Random(0)
        drawn = Drawn({**tables, **phrases.counted(rng)}, rng)
        assert phrases.spelled(english, drawn.english)
        assert phrases.spelled(french, drawn.french)


def test_no_sentence_of_the_sheet_is_trained_on(tmp_path, monkeypatch):
    sheet = tmp_path / "sheet.txt"
    first, _ = next(phrases.generate(1, seed=1))
    sheet.write_text(first.upper())
    everything = {pair.english for pair in pairs.spelled_out(tmp_path, 500)}
    monkeypatch.setattr(pairs, "SHEET", sheet)
    kept = {pair.english for pair in pairs.spelled_out(tmp_path, 500)}
    assert everything - kept <= {first}
    assert first not in kept
