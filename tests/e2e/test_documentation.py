"""The documentation, as a newcomer sees it: on a phone and on a desk, with its search.

No page asks another host for anything, and the policy of the service stops nothing (`conftest`).
"""

import pytest
from playwright.sync_api import expect

from docs.building import build, pages

pytestmark = pytest.mark.browser

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}

BROKEN = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"


@pytest.fixture(scope="module")
def built(house, folder):
    build(folder / "site")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_is_wider_than_the_window(built, visit, size):
    page = visit("/docs/", viewport=size)
    for name in pages():
        page.goto(f"/docs/{name.removesuffix('index.md').removesuffix('.md')}")
        assert page.locator("h1").first.is_visible(), name
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name}: {wide} too wide"
        broken = page.evaluate(
            "[...document.images].filter(i => i.complete && !i.naturalWidth).length"
        )
        assert broken == 0, name


def test_the_search_finds_a_page(built, visit):
    page = visit("/docs/", viewport=DESK)
    search = page.get_by_role("combobox", name="Search")
    for _ in range(20):  # the page listens to keys some time after it is shown
        page.keyboard.press("Control+k")
        page.wait_for_timeout(500)
        if search.is_visible():
            break
    search.fill("idempotency")
    found = page.get_by_role("option", name="Send a move twice, play it once")
    expect(found).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/api/errors/**")


def test_the_foot_of_each_page_leads_here(built, visit):
    page = visit("/")
    page.get_by_role("link", name="Documentation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cardroom¶")
