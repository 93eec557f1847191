"""?embed=1: the picture and its controls alone, inside somebody's slides."""

from playwright.sync_api import expect

SLIDE = '<h1>My slide</h1><iframe src="{}" width="1200" height="760"></iframe>'


def test_in_a_frame_a_page_is_its_picture_and_its_controls_alone(page, app_url):
    page.set_content(SLIDE.format(f"{app_url}/alignment?embed=1&text=I+am+here."))
    frame = page.frame_locator("iframe")
    picture = frame.locator(".st-key-picture svg.marks").first
    expect(picture).to_be_visible(timeout=60_000)  # the first visitor waits for the models
    for gone in (".st-key-heading", ".st-key-lead", ".st-key-paper", ".st-key-foot"):
        expect(frame.locator(gone)).to_be_hidden()
    expect(frame.get_by_test_id("stHeader")).to_be_hidden()
    top = frame.locator(".st-key-picture").bounding_box()
    assert top and top["y"] < 260  # under the slide's own title and the box for the sentence

    box = frame.get_by_label("English sentence")
    box.fill("I lost my red umbrella.")
    box.press("Enter")  # its controls still work, and it stays as it is
    expect(frame.locator(".st-key-picture h3")).to_contain_text("parapluie", timeout=60_000)
    expect(frame.locator(".st-key-heading")).to_be_hidden()


def test_the_page_itself_keeps_all_and_can_be_cited(open_page, page):
    open_page("alignment")
    expect(page.locator(".st-key-heading")).to_be_visible()
    page.locator(".st-key-cite").get_by_role("button").click()
    entry = page.get_by_test_id("stPopoverBody").locator("code")
    expect(entry).to_contain_text("@inproceedings{bahdanau2015neural")
    expect(entry).to_contain_text("Jointly Learning to Align and Translate")
