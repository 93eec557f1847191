"""A drawing of 28 x 28 pixels as text that fits into an address: 98 bytes, a bit a pixel."""

from __future__ import annotations

import base64
import binascii

import numpy as np
from numpy.typing import NDArray

SIDE = 28
BYTES = SIDE * SIDE // 8
LEAST = 4  # pixels of ink that can be called a stroke


def write(ink: NDArray[np.generic]) -> str:
    """(28, 28), whatever is above a half being ink."""
    packed = np.packbits(np.asarray(ink) > 0.5).tobytes()
    return base64.urlsafe_b64encode(packed).decode("ascii")


def read(text: str) -> NDArray[np.float32]:
    """The drawing (28, 28) of 0 and 1, or a sentence about what is wrong with it."""
    if not text.strip():
        raise ValueError("There is no stroke yet: draw a character with mouse, pen or finger.")
    try:
        packed = base64.b64decode(text.strip().encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        packed = b""
    if len(packed) != BYTES:
        raise ValueError("This is no drawing: clear the box and draw with mouse, pen or finger.")
    bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))
    return bits.reshape(SIDE, SIDE).astype(np.float32)
