"""A photograph of the visitor's own, from a phone that was held sideways, in a real browser."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from viz_core.traces.photo import LARGEST_FILE


def phone_photograph():
    pixels = np.zeros((1200, 1600, 3), np.uint8)
    pixels[:600] = (90, 160, 230)
    pixels[600:] = (60, 140, 50)
    exif, file = Image.Exif(), io.BytesIO()
    exif[0x0112] = 6
    Image.fromarray(pixels).save(file, "JPEG", exif=exif)
    return file.getvalue()


def test_an_upload_is_described_upright_and_a_broken_one_gets_a_sentence(open_page, settle):
    page = open_page("caption")
    chart = page.locator("[data-testid=stVegaLiteChart]").first
    before = chart.bounding_box()
    assert before["y"] + before["height"] < 900 and before["x"] + before["width"] <= 1280
    upload = page.locator("input[type=file]")
    upload.set_input_files(
        {"name": "phone.jpg", "mimeType": "image/jpeg", "buffer": phone_photograph()}
    )
    settle()
    image = chart.locator("image").first
    box = image.bounding_box()
    assert box["height"] > box["width"]
    expect(page.get_by_text("A person says")).to_have_count(0)
    expect(page.get_by_text("in place of the photographs above")).to_be_visible()
    upload.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    settle()
    expect(page.get_by_text("no JPEG, PNG or WebP picture")).to_be_visible()
    page.get_by_label("Remove a.png").click()
    settle()
    expect(page.get_by_text("A person says")).to_be_visible()


LARGEST = LARGEST_FILE // 10**6  # megabytes
REFUSED = {
    "moving.gif": ("image/gif", b"GIF89a"),
    "IMG_0001.HEIC": ("", b"ftypheic"),
    "large.png": ("image/png", bytes(LARGEST_FILE + 100_000)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_the_browser_refuses_gets_a_sentence_too(open_page, settle, name):
    """Streamlit tells it in a tooltip alone, and the server never hears of the file."""
    page = open_page("patches")
    kind, buffer = REFUSED[name]
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": kind, "buffer": buffer}
    )
    box = page.locator("[data-testid=stFileUploader]")
    expect(box.locator("[aria-invalid=true]")).to_be_visible()
    told = box.evaluate("box => getComputedStyle(box, '::after').content")
    assert f"not read. Choose a JPEG, PNG or WebP picture of at most {LARGEST} MB" in told
    page.get_by_label(f"Remove {name}").click()
    settle()
    assert box.evaluate("box => getComputedStyle(box, '::after').content") == "none"
