"""The four languages on a phone: the switch, a table, no page wider than the screen."""

import pytest

pytestmark = pytest.mark.browser

NAMES = {"tr": "Türkçe", "ru": "Русский", "cs": "Česky"}
PAGES = ("/", "/lobby", "/new?game=shithead", "/games/pazaak/rules", "/decks/new", "/simulations")

OFF_SCREEN = """[...document.querySelectorAll(".site-head a")].filter((each) =>
  each.checkVisibility() && each.getBoundingClientRect().right > innerWidth).length"""


@pytest.mark.parametrize("language", NAMES)
def test_the_switch_speaks_a_language_everywhere(visit, language):
    page = visit("/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".languages").get_by_role("button", name=NAMES[language]).click()
    page.wait_for_selector(f"html[lang={language}]")
    page.locator("form[action$='/pisti'] button").first.click()
    page.wait_for_selector(f"html[lang={language}] .table-panel")
    for address in (page.url, *PAGES):
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == language
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{address} is {wider} px too wide"
        assert not page.evaluate(OFF_SCREEN), f"{address}: the bar on top does not fit"
