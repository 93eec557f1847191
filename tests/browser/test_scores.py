"""The score functions page as a visitor uses it."""

from playwright.sync_api import expect

HEADS = "[data-testid=stVegaLiteChart]"


def test_hovering_a_row_frames_it_in_every_panel_without_asking_the_server(open_page, unasked):
    page = open_page("scores")
    chart = page.locator(HEADS).first
    panels = chart.locator("g.mark-rect").filter(has=page.locator('path[stroke="#d55e00"]'))
    before = [frame.bounding_box()["y"] for frame in panels.all()]
    assert before
    framed = page.locator('path[stroke="#d55e00"]').first.bounding_box()["y"]
    with unasked():
        chart.locator("g.mark-rect path").first.hover()  # the first word's row, not the framed one
        page.wait_for_function(
            """before => {
                const frames = document.querySelectorAll('path[stroke="#d55e00"]');
                return frames[0].getBoundingClientRect().y !== before;
            }""",
            arg=framed,
        )
    after = [frame.bounding_box()["y"] for frame in panels.all()]
    assert len(after) == len(before)
    assert all(new < old for new, old in zip(after, before, strict=True))


def test_edited_vectors_go_into_the_address_and_come_back(open_page, settle):
    page = open_page("scores?part=By+hand&s=0+1")
    box = page.get_by_label("Query s", exact=True)
    assert box.input_value() == "0 1"
    before = page.locator(".katex-mathml").all_inner_texts()
    box.fill("2 2")
    box.press("Enter")
    settle()
    assert "s=2+2" in page.url
    assert page.locator(".katex-mathml").all_inner_texts() != before


def test_one_long_sentence_is_translated_and_remembered(open_page, settle):
    page = open_page("the_bottleneck")
    heading = page.get_by_role("heading", level=3).first
    before = heading.inner_text()
    box = page.get_by_label("A long English sentence")
    box.fill("Where is the station?")
    box.press("Enter")
    expect(heading).not_to_have_text(before)
    settle()
    assert page.locator(HEADS).count() == 3
