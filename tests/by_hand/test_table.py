"""A table asked two ways: the lecture's rows, SQLite as the oracle, and a similarity by hand."""

import sqlite3

import numpy as np
import pytest

from viz_core.by_hand import table as texts

PERSONS = texts.read_table(texts.PERSONS)


@pytest.mark.parametrize(
    ("condition", "rows"),
    [("ID = '015843268901'", (1,)), ("WHERE ID LIKE '00512317%';", (0, 2)), ("id = 'x'", ())],
)
def test_the_rows_of_the_lecture_are_found(condition, rows):
    found = texts.select(PERSONS, texts.read_condition(condition), 0.1)
    assert found.rows == rows
    assert found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "condition",
    ["ID LIKE '%8%'", "Name LIKE 'A__%'", "Family LIKE 'mohammadi'", "Family = 'Mohammadi'",
     "Name LIKE '_li'", "ID LIKE '00512317481_'", "Name LIKE '%.%'"],
)  # fmt: skip
def test_a_database_finds_the_same_rows(condition):
    """Oracle: SQLite with its capitals told apart."""
    asked = texts.read_condition(condition)
    with sqlite3.connect(":memory:") as base:
        base.execute("PRAGMA case_sensitive_like = ON")
        base.execute("CREATE TABLE persons (ID TEXT, Name TEXT, Family TEXT)")
        base.executemany("INSERT INTO persons VALUES (?, ?, ?)", PERSONS.rows)
        wanted = base.execute(f"SELECT rowid - 1 FROM persons WHERE {condition}").fetchall()
    assert texts.matching(PERSONS.column(asked.column), asked) == tuple(row for (row,) in wanted)


def test_all_equal_rows_are_returned():
    table = texts.read_table("a, b\nx, 1\ny, 2\nx, 3")
    found = texts.select(table, texts.read_condition("a = 'x'"), 0.0)
    assert found.rows == (0, 2)
    np.testing.assert_allclose(found.weights, [0.5, 0, 0.5])  # the limit of the soft match


def test_similarity_is_twice_the_shared_pairs_over_all():
    assert texts.similarity("night", "nacht") == pytest.approx(0.25)  # ht of ni ig gh ht
    assert texts.similarity("aaa", "aa") == pytest.approx(2 / 3)
    assert texts.similarity("same", "same") == 1
    assert texts.similarity("", "") == texts.similarity("", "a") == 0


def test_a_digit_that_is_missing_finds_no_row_but_the_nearest():
    found = texts.select(PERSONS, texts.read_condition("ID = '00512317482'"), 0.05)
    assert found.rows == () and int(found.weights.argmax()) == 2


def test_search_weighs_texts_by_the_cosine_of_their_vectors():
    keys = np.array([[2.0, 0.0], [0.0, 0.5], [-1.0, 0.0]])
    found = texts.search(("a word", "b", "c"), "WORD", keys, np.array([3.0, 0.0]), 1.0)
    assert found.rows == (0,)
    np.testing.assert_allclose(found.scores, [1, 0, -1])
    powers = np.exp([1.0, 0, -1])
    np.testing.assert_allclose(found.weights, powers / powers.sum())


@pytest.mark.parametrize(
    ("read", "typed", "said"),
    [
        (texts.read_condition, "", "Write a condition"),
        (texts.read_condition, "ID = ''", "Write a condition"),
        (texts.read_condition, "ID > 3", "Write a condition"),
        (texts.read_condition, f"ID = '{'x' * 99}'", "too long"),
        (texts.read_table, "", "names of the columns"),
        (texts.read_table, "a, b\n1", "Row 1 has 1 cells"),
        (texts.read_table, "a, A\n1, 2", "name of its own"),
        (texts.read_table, "a\n" + "1\n" * 13, "13 rows"),
        (texts.read_table, f"a\n{'x' * 99}", "99 signs"),
        (texts.read_texts, "one", "there are 1"),
        (texts.read_texts, f"one\n{'x' * 300}", "300 signs"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(read, typed, said):
    with pytest.raises(ValueError, match=said):
        read(typed)


def test_an_unknown_column_is_named():
    with pytest.raises(ValueError, match="no column 'Age': it has ID, Name, Family"):
        texts.select(PERSONS, texts.read_condition("Age = '3'"), 0.1)
