"""A photograph of the visitor's own, from a phone that was held sideways, in a real browser."""

import io

import numpy as np
from PIL import Image
from playwright.sync_api import expect


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
    upload.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
    settle()
    expect(page.get_by_text("no JPEG, PNG or WebP picture")).to_be_visible()
