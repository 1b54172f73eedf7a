"""Cards move: what happened is played over the newest state, and a press ends it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.test_playing import HAND, version, wait_for_my_turn, wait_for_news

pytestmark = pytest.mark.browser


def test_a_card_flies_and_a_press_ends_the_motion(visit):
    page = visit(pace="calm")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    before = version(page)
    page.evaluate(
        """() => { window.flown = 0; new MutationObserver(found => found.forEach(one =>
        one.addedNodes.forEach(each => each.classList?.contains('ghost') && window.flown++)))
        .observe(document.body, { childList: true, subtree: true }) }"""
    )
    page.locator(HAND).first.click()
    page.wait_for_selector(".stage .ghost")
    # The answer is played after the own card.
    page.wait_for_function("() => window.flown > 1", timeout=20_000)
    assert version(page) > before, "the felt is played on while cards still move"
    wait_for_my_turn(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator(".is-staged")).to_have_count(0)
    expect(page.locator(HAND)).to_have_count(3)


def test_motion_ends_by_itself_and_the_pace_is_remembered(visit):
    page = visit(pace="quick")
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    page.locator(HAND).first.click()
    page.wait_for_selector(".stage")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.get_by_label("Off", exact=True).check()
    page.reload()
    expect(page.get_by_label("Off", exact=True)).to_be_checked()
    wait_for_my_turn(page)
    page.locator(HAND).first.click()
    wait_for_my_turn(page)
    expect(page.locator(".stage")).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 640)])
def test_the_hand_keeps_its_place(visit, size):
    """Nothing scrolls and the hand stands still from move to move."""
    width, height = size
    page = visit(viewport={"width": width, "height": height})
    page.get_by_role("button", name="Play Pişti now").click()
    wait_for_my_turn(page)
    tops = set()
    for _ in range(3):
        boxes = [card.bounding_box() for card in page.locator(HAND).all()]
        tops |= {round(box["y"]) for box in boxes}
        assert all(box["y"] + box["height"] <= height for box in boxes)
        before = version(page)
        page.locator(HAND).first.click()
        wait_for_news(page, before)
        wait_for_my_turn(page)
    assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 1280:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
