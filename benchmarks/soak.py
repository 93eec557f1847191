"""Two hours in a hall, in thirty minutes: does the memory level off, do dear things starve others?

    python -m benchmarks.soak                                   # 50 sessions, 30 minutes
    python -m benchmarks.soak --sessions 20 --minutes 5 --port 8640

Every sentence is new. Visitors type, read long texts (60 words for translators, about 512 tokens
for BERT), search with beams of 10, upload files, and close the tab while the server computes. Then
three who asked for the dearest thing leave at once: how long does the server go on? At last nine
quick visitors are measured without and with a greedy one, who asks for the dearest things again and
again: exhaustive search, 512 tokens, every head silenced in turn. It fails if the memory passes
--most, if the server goes on for a visitor who left, if p95 of any kind of action is more than ten
times the median of one who does the same alone, or if a page fails.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

from websockets.exceptions import WebSocketException

from benchmarks.load import act, megabytes, warm
from benchmarks.server import Server, serve
from benchmarks.tally import ACTIONS, Tally
from benchmarks.visitor import Answer, PageError, Visitor

WORDS = (
    "the cat dog house garden train friend teacher book river road window letter table morning "
    "evening city school child doctor sees likes buys finds loses needs wants knows reads writes "
    "and but because when that old new red small large quick slow happy tired today again"
)
READERS = ("bert", "mask", "pair")  # pages for 512 tokens
TRANSLATORS = ("alignment", "transformer", "ablation", "decoder")
LONG, PAGE = 60, 500  # words
KINDS = {  # of what is timed: a second for 512 tokens is quick, for a step it is slow
    "quick": ACTIONS,
    "60 words": ("60 words",),
    "512 tokens": ("512 tokens",),
    "beam of 10": ("beam of 10",),
}
DEAREST = {"k": "10", "limit": "60"}  # on the page of beam search, with exhaustive search beside it
AMID = 0.5  # seconds of the server's work after which they leave
CALM = 3  # half seconds without work, one after the other, until the server is at rest
LEFT = 5.0  # seconds that the server may go on for who is gone
SLOWER = 10.0  # times: p95 against alone
TOO_MUCH = 413  # how a server says that it takes no more
FAULTS = (PageError, TimeoutError, WebSocketException, OSError)  # of a page, or of the line to it


def text(draw: random.Random, words: int) -> str:
    """A text that nobody typed before."""
    return " ".join(["The", *draw.choices(WORDS.split(), k=words - 2), f"{draw.randrange(10**6)}."])


def new_sentence(draw: random.Random) -> str:
    return text(draw, draw.randint(5, 14))


async def upload(visitor: Visitor, draw: random.Random) -> str:
    """A file of one to eight megabytes, sent as a browser sends it; what became of it."""
    await asyncio.to_thread(visitor.fetch, "/_stcore/health")  # where the token comes from
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    body = head.encode() + bytes(draw.randint(1, 8) * 2**20) + f"\r\n--{edge}--\r\n".encode()
    request = urllib.request.Request(
        f"{visitor.url}/_stcore/upload_file/{visitor.session}/{uuid.uuid4()}",
        data=body,
        method="PUT",
        headers={
            "Content-Type": f"multipart/form-data; boundary={edge}",
            "X-Xsrftoken": visitor.cookies.get("_streamlit_xsrf", ""),
            "Cookie": "; ".join(f"{name}={value}" for name, value in visitor.cookies.items()),
        },
    )
    try:
        (await asyncio.to_thread(urllib.request.urlopen, request, timeout=60)).close()
    except urllib.error.HTTPError as error:
        if error.code != TOO_MUCH:
            raise
        return "upload refused"  # as it must be while all visitors together hold too much
    return "uploaded"


async def leave(visitor: Visitor, draw: random.Random) -> None:
    """Ask for the dearest thing and close the tab before it is there."""
    asked = asyncio.create_task(dearest(visitor, draw))
    await asyncio.sleep(draw.uniform(0.1, 0.8))
    visitor.drop()
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)


async def dearest(visitor: Visitor, draw: random.Random) -> Answer:
    return await visitor.open("beam", text=text(draw, LONG), **DEAREST)


async def dear(visitor: Visitor, draw: random.Random, number: int) -> Answer:
    """The dearest things, one after the other."""
    if number % 3 == 1:
        return await visitor.open("bert", text=text(draw, PAGE))
    if number % 3 == 2:
        return await visitor.open("ablation", text=text(draw, LONG))
    return await dearest(visitor, draw)


async def one_action(visitor: Visitor, draw: random.Random, tally: Tally) -> None:
    chance = draw.random()
    if chance < 0.60:
        await act(visitor, draw, tally, new_sentence)
    elif chance < 0.75:
        answer = await visitor.open(draw.choice(TRANSLATORS), text=text(draw, LONG))
        tally.add("60 words", answer)
    elif chance < 0.83:
        tally.add("512 tokens", await visitor.open(draw.choice(READERS), text=text(draw, PAGE)))
    elif chance < 0.91:
        answer = await visitor.open("beam", text=text(draw, 12), k="10")
        tally.add("beam of 10", answer)
    elif chance < 0.95:
        tally.actions[await upload(visitor, draw)] += 1
    else:
        await leave(visitor, draw)
        tally.actions["left"] += 1


async def session(url: str, number: int, given: argparse.Namespace, tally: Tally) -> None:
    draw = random.Random(number)
    end = time.monotonic() + given.minutes * 60
    await asyncio.sleep(draw.uniform(0, given.pause))
    visitor = Visitor(url, patience=given.patience)
    while time.monotonic() < end:
        try:
            if visitor.socket is None:  # who closed the tab comes as somebody new
                visitor = Visitor(url, patience=given.patience)
                await visitor.connect()
                tally.add("opened", await visitor.open("alignment"))
            await visitor.pause(draw.uniform(0.5, 1.5) * given.pause)
            await one_action(visitor, draw, tally)
        except FAULTS as error:
            note(error, visitor, tally)
            await asyncio.sleep(1)
    await visitor.close()


def note(error: Exception, visitor: Visitor, tally: Tally) -> None:
    tally.errors[f"{visitor.page}: {type(error).__name__} {error}"[:120]] += 1
    visitor.drop()


async def memory(pid: int, given: argparse.Namespace) -> list[float]:
    """Megabytes of the server, twelve times a minute; told once a minute."""
    found = []
    for number in range(int(given.minutes * 12)):
        await asyncio.sleep(5)
        found.append(megabytes([pid]))
        if number % 12 == 11:
            print(f"  minute {number // 12 + 1}: {found[-1]:.0f} MB", flush=True)
    return found


async def alone(url: str, given: argparse.Namespace) -> Tally:
    """The same mixture while nobody else is there."""
    tally, draw = Tally(), random.Random(0)
    async with Visitor(url, patience=given.patience) as visitor:
        await visitor.open("alignment")
        while min(len(tally.of(*kinds).seconds) for kinds in KINDS.values()) < given.alone:
            await one_action(visitor, draw, tally)
            if visitor.socket is None:  # closed the tab
                await visitor.connect()
                await visitor.open("alignment")
    return tally


def processor(pid: int) -> float:
    """Seconds of processor time so far."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


async def after_leaving(url: str, pid: int, given: argparse.Namespace) -> tuple[float, float]:
    """Three ask for the dearest thing and leave: seconds of work until then, and until it rests.

    Rest is told by the processor time of the server alone, whatever else the machine does.
    """
    draw = random.Random(1)
    visitors = [Visitor(url, patience=given.patience) for _ in range(3)]
    for visitor in visitors:
        await visitor.connect()
        await visitor.open("alignment")
    before, asked = processor(pid), time.monotonic()
    tasks = [asyncio.create_task(dearest(visitor, draw)) for visitor in visitors]
    while processor(pid) - before < AMID and time.monotonic() - asked < given.patience:
        await asyncio.sleep(0.05)
    for visitor, task in zip(visitors, tasks, strict=True):
        visitor.drop()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    gone, last = time.monotonic(), processor(pid)
    worked, rest, calm = last - before, 0.0, 0
    while calm < CALM and rest < 60:
        await asyncio.sleep(0.5)
        used, last = processor(pid) - last, processor(pid)
        calm = calm + 1 if used < 0.05 else 0
        rest = rest if calm else time.monotonic() - gone
    return worked, rest


async def nine(url: str, is_greedy: bool, given: argparse.Namespace) -> tuple[Tally, int]:
    """Nine quick visitors for a while, with a greedy one or without; what they felt."""
    tally, answers = Tally(), 0
    end = time.monotonic() + given.greedy

    async def quick(number: int) -> None:
        draw = random.Random(number + 1000 * is_greedy)
        async with Visitor(url, patience=given.patience) as visitor:
            await visitor.open("alignment")
            while time.monotonic() < end:
                try:
                    await visitor.pause(draw.uniform(2, 6))
                    await act(visitor, draw, tally, new_sentence)
                except FAULTS as error:
                    note(error, visitor, tally)
                    await visitor.connect()
                    await visitor.open("alignment")

    async def greedy() -> None:
        nonlocal answers
        draw = random.Random(99)
        async with Visitor(url, patience=given.patience) as visitor:
            while time.monotonic() < end:
                try:
                    await dear(visitor, draw, answers)
                except FAULTS as error:
                    note(error, visitor, tally)
                    await visitor.connect()
                answers += 1

    await asyncio.gather(*map(quick, range(9)), *([greedy()] if is_greedy else []))
    return tally, answers


def over_time(start: float, held: list[float], minutes: float) -> str:
    """The memory at the start and after each third: of half an hour at 10, 20 and 30 minutes."""
    thirds = [held[max(len(held) * part // 3 - 1, 0)] for part in (1, 2, 3)] if held else []
    told = [f"{mb:.0f} MB at {minutes * part / 3:.3g} min" for part, mb in enumerate(thirds, 1)]
    return ", ".join([f"{start:.0f} MB at the start", *told])


def told_by_kind(tally: Tally, who: str, alone: Tally | None = None) -> float:
    """Print p50 and p95 of every kind; the most that p95 of one is, in medians of it alone."""
    print(tally.told(who))
    slower = [0.0]
    for name, kinds in KINDS.items():
        line = "  " + tally.of(*kinds).told(name)
        if alone is not None:
            slower.append(tally.of(*kinds).against(alone.of(*kinds)))
            line += f", p95 / median alone {slower[-1]:.1f}"
        print(line, flush=True)
    return max(slower)


async def soak(url: str, pid: int, given: argparse.Namespace) -> list[str]:
    """All of it, told while it happens; what must not be."""
    await warm(url, 1, given.patience)
    single = await alone(url, given)
    told_by_kind(single, "one visitor alone")
    start = megabytes([pid])
    print(f"start: {start:.0f} MB", flush=True)
    tally = Tally()
    sessions = [session(url, number + 1, given, tally) for number in range(given.sessions)]
    held, *_ = await asyncio.gather(memory(pid, given), *sessions)
    assert held is not None
    slower = told_by_kind(tally, f"{given.sessions} sessions", single)
    print("  " + ", ".join(f"{count} {kind}" for kind, count in sorted(tally.actions.items())))
    print(f"  memory: {over_time(start, held, given.minutes)}; {max(held):.0f} at most")
    third = max(1, len(held) // 3)
    grown = statistics.mean(held[-third:]) - statistics.mean(held[third : 2 * third] or held)
    print(f"  {grown:+.0f} MB from the mean of the second third to that of the last")
    worked, rest = await after_leaving(url, pid, given)
    print(f"three left after {worked:.1f} s of work for them: at rest within {rest:.1f} s")
    without, _ = await nine(url, False, given)
    beside, answers = await nine(url, True, given)
    print(without.told("nine quick ones"))
    print(beside.told(f"the same beside a greedy one, who got {answers} answers"))
    starved = beside.against(single.of(*ACTIONS))
    print(f"  p95 / median alone: {starved:.1f}", flush=True)
    errors = tally.errors + without.errors + beside.errors
    found = [f"{times} x {error}" for error, times in errors.items()]
    checks = {
        f"more than {given.most} MB": max(held) > given.most,
        f"p95 is more than {SLOWER:.0f} times alone": slower > SLOWER,
        f"the server goes on for {rest:.0f} s without a visitor": rest > LEFT,
        "the greedy one starves the others": starved > SLOWER,
    }
    return found + [what for what, is_so in checks.items() if is_so]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--pause", type=float, default=10, help="mean seconds between two actions")
    parser.add_argument("--patience", type=float, default=120, help="seconds until it is an error")
    parser.add_argument("--alone", type=int, default=8, help="times alone, of each kind")
    parser.add_argument("--greedy", type=float, default=60, help="seconds of each of two rounds")
    parser.add_argument("--most", type=float, default=2000, help="megabytes of the server")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    with serve(port=given.port) as app:
        assert isinstance(app, Server)
        faults = asyncio.run(soak(app.url, app.process.pid, given))
    print("\n".join(faults) or "nothing went wrong")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
