"""A hall full of students: real sessions over websocket, on this machine or against an address.

    python -m benchmarks.load --sessions 50 200
    python -m benchmarks.load --sessions 200 --url http://localhost:8080 --kill-after 20 --kill PID

Each session opens a page, types sentences, steps and goes on to another page, with a pause before
each action as people make one. Half of the sentences are the lecturer's, which many students type;
the others are each student's own. Bounded: a round ends after --seconds, whatever happens.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.server import Server, serve
from benchmarks.visitor import Answer, PageError, Visitor

PAGES = ("alignment", "transformer", "it", "decoder", "beam", "lookup", "positions")
LECTURER = (
    "The agreement on the European Economic Area was signed in August 1992.",
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "I am a student.",
)
ACTIONS = ("opened", "typed", "stepped")
NOUNS = ("cat", "dog", "car", "friend", "teacher", "house", "book", "train", "girl", "garden")
VERBS = ("sees", "likes", "buys", "finds", "loses", "needs", "wants", "knows")


def own_sentence(draw: random.Random) -> str:
    first, second = draw.sample(NOUNS, 2)
    return f"The {first} {draw.choice(VERBS)} the {second} {draw.randint(2, 99)} times."


@dataclass
class Tally:
    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    reconnected: int = 0
    actions: Counter[str] = field(default_factory=Counter)

    def add(self, action: str, answer: Answer) -> None:
        self.seconds.append(answer.seconds)
        self.actions[action] += 1
        for sentence in answer.sentences:
            self.errors[sentence[:100]] += 1


async def act(visitor: Visitor, draw: random.Random, tally: Tally) -> None:
    """One thing that a student does on the page that is open."""
    steps = [key for key in visitor.known if key.startswith("step_on_")]
    if "text" in visitor.known and draw.random() < 0.6:
        text = draw.choice(LECTURER) if draw.random() < 0.5 else own_sentence(draw)
        tally.add("typed", await visitor.type(text))
    elif steps and draw.random() < 0.6:
        tally.add("stepped", await visitor.press(draw.choice(steps)))
    else:
        tally.add("opened", await visitor.open(draw.choice(PAGES)))


async def session(url: str, number: int, given: argparse.Namespace, tally: Tally) -> None:
    draw = random.Random(number)
    visitor = Visitor(url, patience=given.patience)
    end = time.monotonic() + given.seconds
    await asyncio.sleep(draw.uniform(0, given.pause))  # a hall does not click in one instant
    page = draw.choice(PAGES)
    while time.monotonic() < end:
        try:
            if visitor.socket is None:
                await visitor.connect()
                tally.add("opened", await visitor.open(page))
            await asyncio.sleep(draw.uniform(0.5, 1.5) * given.pause)
            if time.monotonic() >= end:
                break
            await act(visitor, draw, tally)
        except (WebSocketException, OSError) as error:
            visitor.socket = None  # as a browser does: connect again and go on
            tally.reconnected += 1
            tally.errors[f"connection lost: {type(error).__name__}"] += 1
            await asyncio.sleep(1)
        except (PageError, TimeoutError) as error:
            tally.errors[str(error)[:100] or type(error).__name__] += 1
            if visitor.socket is not None:
                await visitor.socket.close()
            visitor.socket = None
    if visitor.socket is not None:
        await visitor.socket.close()


async def alone(url: str, given: argparse.Namespace) -> float:
    """The median latency while nobody else is there: the same mixture of actions."""
    tally, draw = Tally(), random.Random(0)
    async with Visitor(url, patience=given.patience) as visitor:
        for page in PAGES:  # the first visit loads models
            await visitor.open(page)
        for _ in range(given.alone):
            await act(visitor, draw, tally)
    return statistics.median(tally.seconds)


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


def quantile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(int(share * len(seconds)), len(seconds) - 1)] if seconds else 0.0


def report(url: str, pids: list[int], given: argparse.Namespace) -> bool:
    """The table; True when nothing went wrong."""
    single = asyncio.run(alone(url, given))
    print(f"one visitor alone: {single * 1000:.0f} ms an action (median of {given.alone})")
    print(f"{'sessions':>8} {'actions':>8} {'p50 ms':>8} {'p95 ms':>8} {'p95/alone':>9} "
          f"{'errors':>7} {'reconn.':>7} {'MB start':>9} {'MB end':>7}")  # fmt: skip
    fine = True
    for count in given.sessions:
        before = megabytes(pids)
        tally = asyncio.run(hall(url, count, given))
        p50, p95 = (quantile(tally.seconds, share) for share in (0.5, 0.95))
        print(f"{count:8d} {len(tally.seconds):8d} {p50 * 1000:8.0f} {p95 * 1000:8.0f} "
              f"{p95 / single:9.1f} {sum(tally.errors.values()):7d} {tally.reconnected:7d} "
              f"{before:9.0f} {megabytes(pids):7.0f}", flush=True)  # fmt: skip
        print("  " + ", ".join(f"{tally.actions[kind]} {kind}" for kind in ACTIONS), flush=True)
        for kind in ACTIONS:  # a figure of steps without a step would be none
            if not tally.actions[kind]:
                tally.errors[f"nobody {kind} anything"] += 1
        for error, times in tally.errors.most_common(5):
            print(f"  {times} x {error}")
        fine &= not tally.errors
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--seconds", type=float, default=60, help="of one round")
    parser.add_argument("--pause", type=float, default=10, help="mean seconds between two actions")
    parser.add_argument("--patience", type=float, default=60, help="seconds until it is an error")
    parser.add_argument("--alone", type=int, default=20, help="actions of the single visitor")
    parser.add_argument("--url", help="an app that runs already; otherwise one is started")
    parser.add_argument("--pids", type=int, nargs="*", default=[], help="whose memory to add up")
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
