"""The table as a picture: every row has its match, its similarity and its weight."""

import pandas as pd

from viz_core.by_hand import table as texts
from viz_core.charts import records
from viz_core.charts.kit.room import PAGE, Room

TABLE = texts.read_table("ID, Name\n00512, Ali\n01584, Reza\n00519, Ashkan")
FOUND = texts.select(TABLE, texts.read_condition("ID LIKE '0051%'"), 0.1)


def frames(chart):
    return [pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values()]


def numbers(chart):
    frame = next(each for each in frames(chart) if "shade" in each)
    return frame.pivot(index="place", columns="column", values="shown")


def test_the_numbers_are_those_of_the_selection():
    shown = numbers(records.table(FOUND))
    assert shown[records.MATCH].tolist() == ["✓", "–", "✓"]
    assert shown[records.WEIGHT].tolist() == [f"{weight:.2f}" for weight in FOUND.weights]
    assert shown[records.SCORE].tolist() == [f"{score:.2f}" for score in FOUND.scores]


def test_a_similarity_tells_its_arithmetic():
    frame = next(each for each in frames(records.table(FOUND)) if "shade" in each)
    said = frame.query(f"column == '{records.SCORE}' and place == 0")["said"].item()
    assert said == "2 · 3 shared pairs of signs / (3 + 4)"


def test_long_texts_are_cut_to_the_room_and_nothing_leaves_it():
    rows = ("a very long text " * 12, "b" * 200)
    vectors = pd.DataFrame([[1.0, 0.0], [0.0, 1.0]]).to_numpy()
    found = texts.search(rows, "long", vectors, vectors[0], 0.1)
    for room in (PAGE, Room(1810, 720, 720, 1.5), Room(620, 400, 500)):
        chart = records.table(found, room=room)
        assert chart.to_dict()["width"] <= room.width
        cells = next(each for each in frames(chart) if "ink" in each)
        assert cells["shown"].str.endswith("…").all()


def test_both_answers_are_told():
    assert records.finding(FOUND).startswith("Hard match finds 2 rows")
    _, hard, _, soft = records.sql(FOUND).splitlines()
    assert hard.endswith("-- 00512 Ali; 00519 Ashkan")
    assert f"{FOUND.weights[0]:.2f} · Ali" in soft
    assert records.formula(FOUND).endswith(f"{FOUND.weights.max():.3f}")


def test_rows_that_are_all_as_unlike_are_not_called_best():
    nobody = texts.select(TABLE, texts.read_condition("Name = 'xq'"), 0.1)
    said = "no row is more alike than another (no pair of signs is shared), soft match takes 0.33"
    assert said in records.finding(nobody)


def test_one_letter_that_fits_two_rows_is_told_to_have_no_pair():
    found = texts.select(TABLE, texts.read_condition("Name LIKE 'A%'"), 0.1)
    assert records.finding(found).startswith("Hard match finds 2 rows; no row is more alike")
    assert "(one sign has no pair)" in records.finding(found)
