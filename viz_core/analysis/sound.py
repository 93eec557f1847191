"""A tune as sound: a plucked tone for each note, written as a WAV file."""

from __future__ import annotations

import io
import wave

import numpy as np

from viz_core.text.tunes import METRES, Tune

RATE = 16_000  # samples a second
BEATS = 4.4  # eighths a second
OVERTONES = (1.0, 0.45, 0.25, 0.12, 0.06)
LONGEST = 400.0  # eighths that are rendered
CONCERT, TONE = 440.0, 69  # hertz of the a above middle C, and its number


def hertz(pitch: int) -> float:
    """Twelve equal half tones to an octave."""
    return float(CONCERT * 2 ** ((pitch - TONE) / 12))


def wav(tune: Tune) -> bytes:
    """The whole tune once, without its repeats; the first note of a bar is a little louder."""
    ends = max((note.start + note.length for note in tune.notes), default=0.0)
    samples = np.zeros(int((min(ends, LONGEST) / BEATS + 1.0) * RATE))
    bars: set[int] = set()
    for note in tune.notes:
        if note.step is None or note.start >= LONGEST:
            continue
        seconds = note.length / BEATS + 0.25  # it rings on a little
        time = np.arange(int(seconds * RATE)) / RATE
        tone = sum(
            loud * np.sin(2 * np.pi * hertz(note.pitch) * (number + 1) * time)
            for number, loud in enumerate(OVERTONES)
        )
        envelope = (
            np.minimum(time / 0.008, 1)
            * np.exp(-3.2 * time)
            * np.clip((seconds - time) / 0.1, 0, 1)
        )
        begin = int(note.start / BEATS * RATE)
        part = samples[begin : begin + len(time)]
        part += (tone * envelope)[: len(part)] * (1.0 if note.bar in bars else 1.35)
        bars.add(note.bar)
    peak = float(np.abs(samples).max()) or 1.0
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes((samples / peak * 0.8 * 32767).astype("<i2").tobytes())
    return file.getvalue()


def finding(tune: Tune) -> str:
    """How long the tune is, and whether its bars are full."""
    count = sum(note.step is not None for note in tune.notes)
    inner = len(tune.bars[1:-1] or tune.bars)
    return (
        f"{count} notes in {len(tune.bars)} bars; of the {inner} inner bars {tune.full:.0%} are "
        f"exactly {METRES[tune.metre]} eighths long, as {tune.metre} wants"
    )
