"""Numbers, dates and names swapped on both sides; sentences as people type them."""

import gzip
import re
import zipfile

import pytest

from viz_core.text import normalise
from viz_core.training import data
from viz_core.training.data import swaps

PAIRS = [
    ("Tom was born in 1987.", "Tom est né en 1987."),
    ("I saw Mary on Monday, 12 May.", "J'ai vu Mary lundi, le 12 mai."),
    ("She has 3 cats and 45 books.", "Elle a 3 chats et 45 livres."),
    ("Alice met Omar in August 1992.", "Alice a rencontré Omar en août 1992."),
    ("He spoke to Fischler in October.", "Il a parlé à Fischler en octobre."),
] * 40


def swapped(*pair, seeds=range(60)):
    return [one for seed in seeds for one in swaps.swapped([pair], seed)]


def digits(text):
    return sorted(re.findall(r"\d+", text))


def test_numbers_stay_equal_on_both_sides_and_do_change():
    changed = list(swaps.swapped(PAIRS, seed=1))
    assert len(changed) > 150
    for english, french in changed:
        assert digits(english) == digits(french)
    assert len({tuple(digits(english)) for english, _ in changed}) > 50


def test_names_stay_equal_on_both_sides_and_do_change():
    for english, french in swapped("I saw Tom with Emily.", "J'ai vu Tom avec Emily."):
        names = re.findall(r"\b[A-Z][a-zà-ÿ-]{2,}", english)
        assert len(names) == 2
        assert re.findall(r"\b[A-Z][a-zà-ÿ-]{2,}", french) == names
    first = {english.split()[2] for english, _ in swapped("I saw Tom.", "J'ai vu Tom.")}
    assert len(first) > 20


def test_months_and_days_are_translated():
    table = swaps.MONTHS | swaps.DAYS
    for english, french in swapped("See you on Friday in July.", "À vendredi en juillet."):
        words = re.findall(r"\w+", english)
        day, month = words[3], words[5]
        assert french == f"À {table[day]} en {table[month]}."


def test_a_name_keeps_its_first_sound_so_that_elision_stays_right():
    for english, french in swapped("It is the dog of Alice.", "C'est le chien d'Alice."):
        name = english.split()[-1].rstrip(".")
        assert french == f"C'est le chien d'{name}."
        assert name[0].lower() in swaps.VOWELS


def test_a_known_name_keeps_its_gender_or_is_nobodys():
    for english, _ in swapped("Mary is tall.", "Mary est grande."):
        assert english.split()[0] not in swaps.MEN


def test_one_stays_one_and_no_number_becomes_one():
    """ "1 cat" is a singular: the grammar around it would be wrong."""
    assert swapped("He has 1 cat.", "Il a 1 chat.") == []
    numbers = [int(digits(english)[0]) for english, _ in swapped("7 cats", "7 chats")]
    assert min(numbers) > 1


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("The Commission is right.", "La Commission a raison."),  # a thing with a gender
        ("Tables are useful.", "Tables utiles."),  # a capital because it comes first
        ("It costs 3.50 now.", "Cela coûte 3,50 maintenant."),  # written another way
        ("He has three cats.", "Il a trois chats."),
    ],
)
def test_what_is_no_name_or_number_on_both_sides_stays(english, french):
    assert swapped(english, french) == []


def test_the_same_seed_swaps_the_same():
    assert list(swaps.swapped(PAIRS, seed=3)) == list(swaps.swapped(PAIRS, seed=3))
    assert list(swaps.swapped(PAIRS, seed=3)) != list(swaps.swapped(PAIRS, seed=4))


# ---- no test sentence comes into training ------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """All four corpora, with many numbers: a swapped one often spells a test sentence."""
    pairs = [(f"I see {n} cats.", f"Je vois {n} chats.") for n in range(2, 900)]
    for source in (data.TATOEBA, data.EUROPARL, data.HANSARD, data.MULTI30K):
        (tmp_path / source.file).parent.mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / data.TATOEBA.file, "w") as archive:
        archive.writestr("fra.txt", "".join(f"{e}\t{f}\tCC-BY\n" for e, f in pairs))
    for source in (data.EUROPARL, data.HANSARD):
        with gzip.open(tmp_path / source.file, "wt", encoding="utf-8") as file:
            file.writelines(f"{english}\t{french}\n" for english, french in pairs)
    for side, language in enumerate(("en", "fr")):
        with gzip.open(tmp_path / f"multi30k/train.{language}.gz", "wt") as file:
            file.writelines(f"{pair[side]}\n" for pair in pairs)
    return tmp_path


@pytest.mark.parametrize("corpus", ["swapped", "typed"])
def test_no_test_sentence_comes_into_training_by_another_spelling(corpus, folder):
    def key(english):
        return re.sub(r"\W+", " ", english.lower()).strip()

    apart = {
        key(pair.english)
        for part in ("test", "held-out")
        for pair in data.read("tatoeba", folder, part)
    }
    assert apart
    trained = {key(pair.english) for pair in data.read(corpus, folder, "train")}
    assert len(trained) > 300
    assert not trained & apart


def test_nothing_is_swapped_that_comes_from_a_test_sentence(folder, monkeypatch):
    read = []
    monkeypatch.setattr(swaps, "swapped", lambda pairs, seed: read.extend(pairs) or iter(()))
    list(data.swapped(folder))
    assert read and all(data.part_of(english) == "train" for english, _ in read)
    assert all(english == normalise(english) for english, _ in read)


# ---- as people type ---------------------------------------------------------------------------


def test_typed_pairs_lose_their_full_stop_on_both_sides_or_their_capital():
    pairs = [("The cat sleeps.", "Le chat dort.")] * 200
    kinds = set(swaps.as_typed(pairs, seed=1))
    assert kinds == {
        ("The cat sleeps", "Le chat dort"),
        ("the cat sleeps", "Le chat dort"),
        ("the cat sleeps.", "Le chat dort."),
    }


@pytest.mark.parametrize("english", ["I see it.", "Tom Smith sleeps."])
def test_i_and_names_keep_their_capital_unless_nothing_has_one(english):
    typed = {typed.rstrip(".") for typed, _ in swaps.as_typed([(english, "Oui.")] * 100, seed=1)}
    assert typed == {english.rstrip("."), english.rstrip(".").lower()}


def test_british_spelling_is_offered_beside_the_american():
    pairs = [("My favorite color is gray.", "Ma couleur préférée est le gris."), ("Yes.", "Oui.")]
    assert list(swaps.respelt(pairs)) == [("My favourite colour is grey.", pairs[0][1])]
