"""The one cached call: computed once, bounded by bytes, in line when dear, ended when unwanted."""

import threading
import time
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pytest

from viz_core import checkpoints, interruption, probe
from viz_core.ui.store import Store, settle
from viz_core.ui.turns import Turns

runs = import_module("viz_core.ui.run")  # ui.run itself may be the function of that name
CALLS: list[object] = []


class Left(BaseException):
    """What Streamlit raises in the run of a visitor who is gone, or has moved on."""


@dataclass(frozen=True)
class Choice:
    size: int
    words: tuple[str, ...] = ()


@pytest.fixture(autouse=True)
def forgotten():
    runs.forget()
    CALLS.clear()
    yield
    runs.forget()


@pytest.fixture
def folder(tmp_path, monkeypatch, bundle_of):
    """A checkpoints folder with one random translator."""
    bundle = bundle_of("rnn-additive")
    described = {
        "name": "rnn-additive", "title": "Random", "paper": "none", "architecture": "rnn",
        "data": [], "command": "", "seed": 1, "steps": 0, "metrics": {}, "examples": [],
    }  # fmt: skip
    checkpoints.save(bundle.model, bundle.tokenizer, described, tmp_path)
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    return tmp_path


def noted(bundle, text, size=1, choice=None):
    CALLS.append((bundle.card.name, text, size, choice))
    return np.full((2, 2), float(size))


def refused(bundle, text):
    CALLS.append(text)
    raise ValueError(f"{text} is nothing to read.")


def slow(seconds):
    CALLS.append(seconds)
    time.sleep(seconds)
    return seconds


def slow_refusal(seconds):
    CALLS.append(seconds)
    time.sleep(seconds)
    raise ValueError("This cannot be read.")


def busy(number, seconds):
    """Takes the processor for a while and asks whether it is still wanted."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        interruption.point()
    CALLS.append(number)
    return number


def together(*calls):
    """What each call returned or raised, all begun at once."""
    answers = [None] * len(calls)

    def go(place, call):
        try:
            answers[place] = call()
        except BaseException as error:
            answers[place] = error

    threads = [threading.Thread(target=go, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return answers


# ---- the call and its key ----------------------------------------------------------------------


def test_a_run_is_what_the_function_gives_for_the_loaded_model(folder):
    asked = runs.run(probe.translate, "rnn-additive", "I see a dog.", beam=2)
    direct = probe.translate(checkpoints.load("rnn-additive"), "I see a dog.", beam=2)
    assert asked.text == direct.text
    assert np.array_equal(asked.cross.weights, direct.cross.weights)


def test_a_call_written_in_two_ways_is_computed_once(folder):
    first = runs.run(noted, "rnn-additive", "a", 1)
    assert runs.run(noted, "rnn-additive", text="a") is first
    assert len(CALLS) == 1


def test_other_arguments_are_another_result(folder):
    kinds = (1, 1.0, True, 2)
    for size in kinds:
        runs.run(noted, "rnn-additive", "a", size)
    runs.run(noted, "rnn-additive", "a", choice=Choice(2, ("b",)))
    runs.run(noted, "rnn-additive", "a", choice=Choice(2, ("c",)))
    runs.run(noted, "rnn-additive", "a", choice=Choice(2, ("b",)))
    assert len(CALLS) == 6


def test_new_weights_in_the_folder_are_another_result(folder):
    runs.run(noted, "rnn-additive", "a")
    card = folder / "rnn-additive" / "card.json"
    card.write_text(card.read_text().replace('"Random"', '"Trained again"'))
    runs.run(noted, "rnn-additive", "a")
    assert len(CALLS) == 2
    assert runs.loaded("rnn-additive").card.title == "Trained again"


def test_a_lambda_has_no_name_to_be_kept_under():
    with pytest.raises(TypeError, match="a module names"):
        runs.once(lambda: 1)


def test_an_array_is_no_plain_argument(folder):
    with pytest.raises(TypeError, match="ndarray is no plain argument"):
        runs.run(noted, "rnn-additive", "a", np.ones(2))


def test_a_refusal_is_passed_on_and_not_kept(folder):
    for _ in range(2):
        with pytest.raises(ValueError, match="nothing to read"):
            runs.run(refused, "rnn-additive", "")
    assert len(CALLS) == 2


def test_a_checkpoint_that_is_not_there_is_named(folder):
    with pytest.raises(checkpoints.CheckpointError, match="no checkpoint 'gone'"):
        runs.run(noted, "gone", "a")
    with pytest.raises(checkpoints.CheckpointError):
        runs.run(noted, "../\0", "a")


def test_nobody_can_write_into_a_shared_result(folder):
    found = runs.run(noted, "rnn-additive", "a")
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 5.0
    trace = runs.run(probe.translate, "rnn-additive", "I see a dog.")
    assert not trace.cross.weights.flags.writeable


# ---- once for many -----------------------------------------------------------------------------


def test_twenty_who_ask_at_once_are_computed_for_once():
    answers = together(*[lambda: runs.once(slow, 0.3)] * 20)
    assert answers == [0.3] * 20
    assert len(CALLS) == 1


def test_a_model_is_loaded_once_for_all(folder, monkeypatch):
    load = checkpoints.load

    def counted(name):
        CALLS.append(name)
        time.sleep(0.2)
        return load(name)

    monkeypatch.setattr(checkpoints, "load", counted)
    together(*[lambda: runs.loaded("rnn-additive")] * 8)
    assert len(CALLS) == 1


def test_all_who_wait_hear_the_same_refusal():
    answers = together(*[lambda: runs.once(slow_refusal, 0.3)] * 5)
    assert {str(answer) for answer in answers} == {"This cannot be read."}
    assert len(CALLS) == 1


def test_who_leaves_while_computing_for_others_is_taken_over_from():
    store, began = Store(1000), threading.Event()

    def leave():
        began.set()
        time.sleep(0.3)
        raise Left

    def arrive(arrived):
        while not arrived():
            pass

    def second():
        began.wait(5)
        return store.once("key", lambda: "answer", arrive)

    gone, answer = together(lambda: store.once("key", leave, arrive), second)
    assert isinstance(gone, Left)
    assert answer == "answer"


def test_who_leaves_while_waiting_for_others_stops_waiting(monkeypatch):
    def left():
        raise Left

    began = threading.Event()

    def first():
        began.set()
        return runs.once(slow, 2.0)

    def second():
        began.wait(5)
        time.sleep(0.2)
        monkeypatch.setattr(runs, "stop_if_left", left)
        start = time.monotonic()
        with pytest.raises(Left):
            runs.once(slow, 2.0)
        return time.monotonic() - start

    assert together(first, second)[1] < 1


# ---- bytes -------------------------------------------------------------------------------------


def keep(store, key, value):
    return store.once(key, lambda: value, lambda arrived: None)


def test_the_store_is_bounded_by_bytes_and_forgets_the_longest_unused():
    store = Store(2_500_000)
    for key in "ab":
        keep(store, key, np.zeros(125_000))  # 1 MB
    keep(store, "a", None)  # used again
    keep(store, "c", np.zeros(125_000))
    assert store.held <= store.most
    assert len(store) == 2
    assert keep(store, "a", None) is not None
    assert keep(store, "b", None) is None


def test_a_result_larger_than_the_store_is_given_and_not_kept():
    store = Store(1000)
    assert keep(store, "a", np.zeros(1000)) is not None
    assert store.held == len(store) == 0


def test_250_new_texts_stay_within_the_bytes(folder, monkeypatch):
    monkeypatch.setattr(runs, "results", Store(3_000_000))
    for number in range(250):
        runs.run(probe.beam, "rnn-additive", f"I see a dog {number}.", 3, limit=8)
    assert 1_000_000 < runs.results.held <= 3_000_000


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.zeros(1000), 8000, 8200),
        (np.zeros(1000)[:10], 8000, 8300),  # a view keeps all of it
        ("a" * 1000, 1000, 1100),
        ((Choice(1, ("a" * 1000,) * 50),), 1000, 2000),  # one word, fifty times
        ({"a": [np.zeros(100), np.zeros(100)]}, 1600, 2300),
    ],
)
def test_bytes_are_those_of_all_that_hangs_on_a_result(value, least, most):
    assert least <= settle(value) <= most


def test_a_model_weighs_as_much_as_its_parameters(bundle_of):
    bundle = bundle_of("rnn-additive")
    own = sum(4 * parameter.numel() for parameter in bundle.model.parameters())
    assert own <= settle(bundle) <= own + 100_000


# ---- dear work ---------------------------------------------------------------------------------


def crowd(text):
    """How many are inside at the same time."""
    CALLS.append(text)
    inside = len(CALLS)
    time.sleep(0.1)
    CALLS.remove(text)
    return inside


def test_dear_work_runs_one_at_a_time():
    texts = [f"{number} " * 400 for number in range(4)]
    assert together(*[lambda t=t: runs.once(crowd, t) for t in texts]) == [1] * 4


def has_turn(seconds):
    busy(0, seconds)
    interruption.point()
    return runs.turns.has_turn()


def test_work_becomes_dear_by_taking_long(monkeypatch):
    monkeypatch.setattr(runs, "DEAR", 0.05)
    assert not runs.once(has_turn, 0.0)
    assert runs.once(has_turn, 0.1)
    assert not runs.turns.has_turn()  # given back at the end


def test_long_text_stands_in_line_from_its_beginning(monkeypatch):
    taken = []
    monkeypatch.setattr(Turns, "take", lambda self, wait: taken.append(1))
    runs.once(busy, "short", 0.0)
    assert not taken
    runs.once(busy, "long " * 200, 0.0)
    assert taken


def test_who_stands_in_line_is_told_how_many_are_before(monkeypatch):
    told = []
    monkeypatch.setattr(runs.st, "spinner", lambda text: told.append(text) or nullcontext())
    together(*[lambda t=t: runs.once(crowd, f"{t} " * 400) for t in range(3)])
    assert "Long computations run one after the other. 2 are before yours ..." in told
    assert "Long computations run one after the other. One is before yours ..." in told


def test_cheap_work_does_not_stand_in_line():
    turn, done = threading.Event(), threading.Event()

    def dear():
        runs.turns.take(lambda before: None)
        turn.set()
        done.wait(10)
        runs.turns.give_back()

    def cheap():
        turn.wait(10)
        start = time.monotonic()
        runs.once(busy, 1, 0.01)
        done.set()
        return time.monotonic() - start

    assert together(dear, cheap)[1] < 1


def test_dear_work_pauses_for_those_who_ask_for_less():
    start = time.monotonic()
    runs.once(busy, "long " * 200, 0.2)
    assert time.monotonic() - start > 0.28


def test_first_come_first_served():
    turns, order = Turns(), []

    def wait(before):
        while before():
            turns.moved(0.05)

    def one(number):
        time.sleep(0.1 * number)
        turns.take(wait)
        order.append(number)
        time.sleep(0.3)
        turns.give_back()

    together(*[lambda n=n: one(n) for n in range(4)])
    assert order == [0, 1, 2, 3]


def test_who_leaves_the_line_does_not_block_it():
    turns = Turns()

    def leave(before):
        raise Left

    with pytest.raises(Left):
        turns.take(leave)
    turns.take(lambda before: None)
    assert turns.has_turn()
    turns.give_back()


def test_work_that_takes_too_long_ends_in_a_sentence(monkeypatch):
    monkeypatch.setattr(runs, "LIMIT", 0.1)
    with pytest.raises(ValueError, match="ask for less"):
        runs.once(busy, 1, 30.0)
    assert not CALLS
    assert not runs.turns.has_turn()


def test_a_search_ends_at_its_next_step_when_the_visitor_left(bundle_of):
    steps = []

    def left_after_three():
        steps.append(1)
        if len(steps) > 3:
            raise Left

    for search in (probe.translate, probe.exhaustive):
        steps.clear()
        with pytest.raises(Left), interruption.watched_by(left_after_three):
            search(bundle_of("rnn-additive"), "I see a dog and a cat in the garden.")
        assert len(steps) == 4


def test_a_run_inside_a_run_does_not_wait_for_itself(monkeypatch):
    monkeypatch.setattr(runs, "DEAR", 0.01)
    answers = together(lambda: runs.once(outer, 1), lambda: runs.once(busy, 1, 0.4))
    assert answers == [1, 1]


def outer(number):
    busy("outer", 0.05)
    return runs.once(busy, number, 0.4)
