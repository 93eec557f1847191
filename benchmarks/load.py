"""A hall full of students: real sessions over websocket, on this machine or against an address.

    python -m benchmarks.load --sessions 50 200
    python -m benchmarks.load --sessions 200 --url http://localhost:8080 --kill-after 20 --kill PID

Each session opens a page, types sentences, steps and goes on to another page, with a pause before
each action as people make one. Half of the sentences are the lecturer's, which many students type;
the others are each student's own. With --drop some connections break, as in a hall with a weak
network; each must come back to its process and its session. Bounded: a round ends after --seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.server import Server, serve
from benchmarks.tally import ACTIONS, HEADER, Tally
from benchmarks.visitor import PageError, Visitor

PAGES = ("alignment", "transformer", "it", "decoder", "beam", "lookup", "positions")
LECTURER = (
    "The agreement on the European Economic Area was signed in August 1992.",
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "I am a student.",
)
NOUNS = ("cat", "dog", "car", "friend", "teacher", "house", "book", "train", "girl", "garden")
VERBS = ("sees", "likes", "buys", "finds", "loses", "needs", "wants", "knows")


def own_sentence(draw: random.Random) -> str:
    first, second = draw.sample(NOUNS, 2)
    return f"The {first} {draw.choice(VERBS)} the {second} {draw.randint(2, 99)} times."


def sentence(draw: random.Random) -> str:
    """What a student types: every other one the lecturer's sentence, which many others type."""
    return draw.choice(LECTURER) if draw.random() < 0.5 else own_sentence(draw)


async def act(
    visitor: Visitor,
    draw: random.Random,
    tally: Tally,
    typed: Callable[[random.Random], str] = sentence,
) -> None:
    """One thing that a student does on the page that is open."""
    steps = [key for key in visitor.known if key.startswith("step_on_")]
    if "text" in visitor.known and draw.random() < 0.6:
        tally.add("typed", await visitor.type(typed(draw)))
    elif steps and draw.random() < 0.6:
        tally.add("stepped", await visitor.press(draw.choice(steps)))
    else:
        tally.add("opened", await visitor.open(draw.choice(PAGES)))


async def begin(visitor: Visitor, page: str, tally: Tally) -> None:
    """Connect, for the first time or again; the page that was open is asked for again."""
    process, session, again = visitor.process, visitor.session, visitor.connections > 0
    await visitor.connect()
    tally.connected(process if again else None, visitor.process)
    tally.add("opened", await visitor.open(visitor.page or page))
    tally.resumed[visitor.process] += again and session == visitor.session


async def session(url: str, number: int, given: argparse.Namespace, tally: Tally) -> None:
    draw = random.Random(number)
    visitor = Visitor(url, patience=given.patience)
    end = time.monotonic() + given.seconds
    await asyncio.sleep(draw.uniform(0, given.pause))  # a hall does not click in one instant
    page = draw.choice(PAGES)
    while time.monotonic() < end or visitor.socket is None:  # whoever lost it comes back
        try:
            if visitor.socket is None:
                await begin(visitor, page, tally)
            await visitor.pause(draw.uniform(0.5, 1.5) * given.pause)
            if time.monotonic() >= end:
                break
            if draw.random() < given.drop:
                tally.dropped[visitor.process] += 1
                visitor.drop()
                await asyncio.sleep(1)
                continue
            await act(visitor, draw, tally)
        except (PageError, TimeoutError) as error:
            tally.errors[str(error)[:100] or type(error).__name__] += 1
            visitor.drop()
        except (WebSocketException, OSError):
            if visitor.socket is not None:  # otherwise it was lost before, and is still away
                tally.lost[visitor.process] += 1
            visitor.socket = None  # as a browser does: connect again and go on
            await asyncio.sleep(1)
        if time.monotonic() > end + given.patience:
            break
    await visitor.close()


async def warm(url: str, processes: int, patience: float) -> None:
    """The first visit to a process loads its models. A proxy sends newcomers to each in turn."""
    for _ in range(processes):
        async with Visitor(url, patience=patience) as visitor:
            for page in PAGES:
                await visitor.open(page)


async def alone(url: str, given: argparse.Namespace) -> Tally:
    """What one visitor feels while nobody else is there: the same mixture of actions."""
    tally, draw = Tally(), random.Random(0)
    async with Visitor(url, patience=given.patience) as visitor:
        await visitor.open(PAGES[0])
        for _ in range(given.alone):
            await act(visitor, draw, tally)
    return tally


async def kill_later(pid: int, seconds: float) -> None:
    await asyncio.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    print(f"  killed process {pid} after {seconds:.0f} s", flush=True)


async def hall(url: str, count: int, given: argparse.Namespace) -> Tally:
    tally = Tally()
    tasks = [session(url, number + 1, given, tally) for number in range(count)]
    if given.kill:
        tasks.append(kill_later(given.kill, given.kill_after))
    await asyncio.gather(*tasks)
    return tally


def megabytes(pids: list[int]) -> float:
    total = 0.0
    for pid in pids:
        status = Path(f"/proc/{pid}/status")
        if status.exists():
            line = next(x for x in status.read_text().splitlines() if x.startswith("VmRSS"))
            total += int(line.split()[1]) / 1024
    return total


def report(url: str, pids: list[int], given: argparse.Namespace) -> bool:
    """The table; True when nothing went wrong."""
    asyncio.run(warm(url, max(len(pids), 1), given.patience))
    single = asyncio.run(alone(url, given))
    print(single.told("one visitor alone"))
    print(HEADER)
    fine = True
    for count in given.sessions:
        before = megabytes(pids)
        tally = asyncio.run(hall(url, count, given))
        print(tally.row(count, single, before, megabytes(pids)), flush=True)
        told = [", ".join(f"{tally.actions[kind]} {kind}" for kind in ACTIONS)]
        faults = tally.faults(killed=bool(given.kill))
        print("\n".join(f"  {line}" for line in [*told, *tally.processes(), *faults]), flush=True)
        fine &= not faults
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--seconds", type=float, default=60, help="of one round")
    parser.add_argument("--pause", type=float, default=10, help="mean seconds between two actions")
    parser.add_argument("--patience", type=float, default=60, help="seconds until it is an error")
    parser.add_argument("--alone", type=int, default=20, help="actions of the single visitor")
    parser.add_argument("--url", help="an app that runs already; otherwise one is started")
    parser.add_argument("--pids", type=int, nargs="*", default=[], help="of the app: its memory")
    parser.add_argument("--drop", type=float, default=0, help="share of actions that lose the line")
    parser.add_argument("--kill", type=int, help="a process to end under load")
    parser.add_argument("--kill-after", type=float, default=20)
    given = parser.parse_args()
    if given.url:
        fine = report(given.url, given.pids, given)
    else:
        with serve() as app:
            assert isinstance(app, Server)
            fine = report(app.url, [app.process.pid], given)
    raise SystemExit(0 if fine else 1)


if __name__ == "__main__":
    main()
