"""Files that visitors bring: read upright and plain, or answered with a sentence."""

import io
import zlib

import numpy as np
import pytest
from PIL import Image

from viz_core.traces.photo import LARGEST_FILE, SIDE, Photo, read

RED = (200, 30, 40)


def file(image, kind="PNG", **settings):
    out = io.BytesIO()
    image.save(out, kind, **settings)
    return out.getvalue()


def two_colours(size=(60, 40)):
    """Red above, blue below."""
    image = Image.new("RGB", size, (20, 40, 220))
    image.paste(RED, (0, 0, size[0], size[1] // 2))
    return image


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_all_three_kinds_are_read(kind):
    pixels = np.asarray(read(file(two_colours(), kind)))
    assert pixels.shape == (40, 60, 3) and pixels.dtype == np.uint8
    assert np.abs(pixels[5, 30].astype(int) - RED).max() < 30


def test_a_phone_that_was_held_sideways_is_turned_upright():
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees to the right
    pixels = np.asarray(read(file(two_colours(), "JPEG", exif=exif)))
    assert pixels.shape == (60, 40, 3)
    assert pixels[30, 35, 0] > 150 and pixels[30, 5, 2] > 150  # what was above is at the right


def test_a_large_one_is_made_small():
    photo = read(file(two_colours((1600, 1200)), "JPEG"))
    assert (photo.width, photo.height) == (SIDE, 240)


def test_transparency_becomes_white_and_grey_becomes_colour():
    clear = np.asarray(read(file(Image.new("RGBA", (30, 30), (255, 0, 0, 0)))))
    assert (clear == 255).all()
    grey = np.asarray(read(file(Image.new("L", (30, 30), 77))))
    assert (grey == 77).all() and grey.shape[2] == 3
    palette = two_colours().quantize(4)
    assert np.asarray(read(file(palette, transparency=0))).shape == (40, 60, 3)
    deep = Image.fromarray(np.linspace(0, 65535, 900).astype(np.uint16).reshape(30, 30))
    assert np.asarray(read(file(deep))).max() == 255


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_moving_picture_is_refused(kind):
    frames = [Image.new("RGB", (30, 30), colour) for colour in ("red", "blue")]
    with pytest.raises(ValueError, match="moves"):
        read(file(frames[0], kind, save_all=True, append_images=frames[1:]))


@pytest.mark.parametrize("broken", [b"", b"hello", b"GIF89a" + bytes(40), bytes(range(256)) * 9])
def test_what_is_no_picture_is_refused(broken):
    with pytest.raises(ValueError, match="no JPEG, PNG or WebP"):
        read(broken)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_half_a_file_is_refused(kind):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 256, (80, 80, 3), np.uint8))
    whole = file(noise, kind)
    with pytest.raises(ValueError, match=r"damaged|no JPEG"):
        read(whole[: len(whole) // 2])


def test_a_decompression_bomb_is_refused_unopened():
    """A few kilobytes that say they are 30,000 x 30,000 pixels."""

    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    for side in (8_000, 30_000):
        header = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
        bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
        bomb += chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
        with pytest.raises(ValueError, match="megapixels"):
            read(bomb)


def test_too_many_bytes_and_too_thin_a_picture_are_refused():
    with pytest.raises(ValueError, match="10 MB"):
        read(bytes(LARGEST_FILE + 1))
    with pytest.raises(ValueError, match="thin"):
        read(file(Image.new("RGB", (900, 3))))


def test_one_pixel_is_a_picture_too():
    assert np.asarray(read(file(Image.new("RGB", (1, 1), RED)))).min(axis=(0, 1)).tolist() == [*RED]


def test_bytes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="12 bytes, not 5"):
        Photo(height=2, width=2, data=b"12345")
