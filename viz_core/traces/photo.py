"""A picture that a visitor brings: read from the bytes of a file, or refused with a sentence."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

KINDS = ("JPEG", "PNG", "WEBP")
LARGEST_FILE = 10_000_000  # bytes
LARGEST = 40_000_000  # pixels
SIDE = 320  # pixels that are kept of the longer side: the models read 224
SMALLEST = 16
THINNEST = 20  # times as long as it is wide
MOST = f"the {LARGEST / 1e6:.0f} megapixels that are read"
DAMAGED = "This picture is damaged: a part is missing or its data are broken. Choose another."
WRONG_KIND = "This file is no JPEG, PNG or WebP picture that can be read. Choose another one."


class Refused(ValueError):
    """A file that is not read, in a sentence for whoever chose it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """Pixels of red, green and blue as plain bytes, so that equal pictures are equal keys."""

    height: int
    width: int
    data: bytes

    def __post_init__(self) -> None:
        size = self.height * self.width * 3
        if len(self.data) != size:
            raise ValueError(
                f"{self.height} x {self.width} pixels are {size} bytes, not {len(self.data)}"
            )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        pixels = np.frombuffer(self.data, np.uint8).reshape(self.height, self.width, 3)
        return pixels.astype(dtype or np.uint8, copy=bool(copy))

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> Photo:
        height, width, _ = pixels.shape
        return cls(height=height, width=width, data=np.ascontiguousarray(pixels).tobytes())


def read(file: bytes, side: int = SIDE) -> Photo:
    """The picture in a file, upright, without transparency, at most `side` pixels long and wide."""
    if len(file) > LARGEST_FILE:
        raise Refused(
            f"This file has {len(file) / 1e6:.0f} MB; at most {LARGEST_FILE / 1e6:.0f} MB are "
            "read. Choose a smaller one."
        )
    try:
        with Image.open(io.BytesIO(file), formats=KINDS) as image:
            _check(image)
            return _plain(image, side)
    except Refused:
        raise
    except UnidentifiedImageError:
        raise Refused(WRONG_KIND) from None
    except Image.DecompressionBombError:
        raise Refused(f"This picture has far more than {MOST}. Make it smaller first.") from None
    except Exception:  # Pillow raises whatever its decoders meet in broken data
        raise Refused(DAMAGED) from None


def _check(image: Image.Image) -> None:
    """By what the file says of itself, before a single pixel is unpacked."""
    wide, high = image.size
    if wide * high > LARGEST:
        raise Refused(
            f"This picture has {wide * high / 1e6:.0f} megapixels, more than {MOST}. Make it "
            "smaller first."
        )
    if getattr(image, "is_animated", False):
        raise Refused("This picture moves. Choose one that stands still.")
    if max(wide, high) > THINNEST * min(wide, high):
        raise Refused("This picture is a thin line: nothing can be seen on it. Choose another.")


def _plain(image: Image.Image, side: int) -> Photo:
    image.draft("RGB", (2 * side, 2 * side))  # a JPEG need not be decoded in full
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith(("I", "F")):  # 16 bits of grey
        values = np.asarray(upright, dtype=np.float64)
        upright = Image.fromarray((255 * values / max(values.max(), 1.0)).astype(np.uint8))
    if "A" in upright.mode or "transparency" in upright.info:
        below = Image.new("RGBA", upright.size, "white")
        upright = Image.alpha_composite(below, upright.convert("RGBA"))
    upright = upright.convert("RGB")
    upright.thumbnail((side, side), Image.Resampling.LANCZOS)
    if min(upright.size) < SMALLEST:
        upright = upright.resize((max(upright.width, SMALLEST), max(upright.height, SMALLEST)))
    return Photo.of(np.asarray(upright))


def squared(photo: Photo, side: int) -> Photo:
    """A whole picture, squeezed into a square of so many pixels: what is cut off is not seen."""
    image = Image.fromarray(np.asarray(photo)).resize((side, side), Image.Resampling.BOX)
    return Photo.of(np.asarray(image))


def shuffled(photo: Photo, grid: int, seed: int) -> Photo:
    """The same patches in another order; 0 leaves them where they are."""
    pixels = np.asarray(photo)
    patch = len(pixels) // grid
    patches = pixels.reshape(grid, patch, grid, patch, 3).swapaxes(1, 2).reshape(grid**2, -1)
    order = np.random.default_rng(seed).permutation(grid**2) if seed else np.arange(grid**2)
    moved = patches[order].reshape(grid, grid, patch, patch, 3).swapaxes(1, 2)
    return Photo.of(moved.reshape(pixels.shape))
