"""How far a run has come, on the screen or in a log."""

from __future__ import annotations

import sys
import time

from viz_core.training.state import Progress


class Bar:
    """Loss, held-out loss, tokens a second, time left. A line a minute where there is no screen."""

    def __init__(self, steps: int, minutes: float | None) -> None:
        self.steps, self.minutes = steps, minutes
        self.live = sys.stderr.isatty()
        self.since = self.shown = time.monotonic()
        self.tokens = 0
        self.began: float | None = None  # share done when this run began: a resumed one has a past
        self.smooth: float | None = None

    def show(self, progress: Progress, loss: float, count: int, done: float) -> None:
        self.tokens += count
        self.began = done if self.began is None else self.began
        self.smooth = loss if self.smooth is None else 0.98 * self.smooth + 0.02 * loss
        now = time.monotonic()
        if now - self.shown < (0.5 if self.live else 60):
            return
        self.shown = now
        spent = now - self.since
        left = spent * (1 - done) / max(done - self.began, 1e-6)
        held_out = progress.curve[-1]["held_out"] if progress.curve else float("nan")
        filled = int(24 * done)
        line = (
            f"[{'#' * filled}{'.' * (24 - filled)}] step {progress.step}/{self.steps} "
            f"loss {self.smooth:.3f} held-out {held_out:.3f} "
            f"{self.tokens / spent:,.0f} tokens/s {left / 60:.0f} min left"
        )
        print(line, end="\r" if self.live else "\n", file=sys.stderr, flush=True)
