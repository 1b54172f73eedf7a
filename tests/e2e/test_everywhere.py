"""Every page at every width, and in every language."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WIDTHS = [320, 390, 1280]
LANGUAGES = {"en": "New match", "tr": "Yeni maç", "ru": "Новый матч", "cs": "Nový zápas"}


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out(visit, width):
    """Every page and table at this width, in the dark."""
    page = visit(viewport={"width": width, "height": 800}, color_scheme="dark")
    paths = ["/", "/lobby", "/new", "/decks/", "/decks/new", "/games/pazaak/rules"]
    for game in ("Pişti", "Pazaak", "Shithead", "Pyanitsa"):
        page.goto("/")
        page.get_by_role("button", name=f"Play {game} against the computer").click()
        page.wait_for_selector(".table-panel")
        paths += [page.url, f"{page.url}?ply=0", f"{page.url}/deals"]
    for path in paths:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_browsers_language(visit, code):
    """Pages, table and replay speak it, and the switch at the foot changes it."""
    page = visit(locale=code)
    for path in ("/", "/lobby", "/decks/"):
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == code
        expect(page.get_by_role("link", name=LANGUAGES[code], exact=True).first).to_be_visible()
    page.goto("/")
    page.locator("form[action='/play/pisti'] button").first.click()
    page.wait_for_selector(".table-panel.your-turn")
    page.goto(f"{page.url}?ply=0")
    expect(page.locator("#replay")).to_be_visible()
    other = "cs" if code != "cs" else "en"
    page.locator(f".languages button[value={other}]").click()
    expect(page.locator("html")).to_have_attribute("lang", other)
    expect(page.locator("#replay")).to_be_visible()


NOTHING_KEPT = """
const refused = () => new DOMException("Refused", "SecurityError");
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
  Object.defineProperty(window, name, { get() { throw refused(); } });
for (const name of ["register", "getRegistration", "getRegistrations"])
  ServiceWorkerContainer.prototype[name] = () => Promise.reject(refused());
"""


def test_a_browser_that_keeps_nothing(visit):
    """As in a private window with storage refused: nothing fails, and choices last as the page."""
    page = visit()
    page.add_init_script(NOTHING_KEPT)
    page.goto("/")
    page.get_by_role("button", name="Play Pişti against the computer").click()
    page.wait_for_selector(".table-panel.your-turn")
    page.evaluate("document.getElementById('speaker').click()")
    expect(page.locator("#speaker")).to_have_attribute("aria-pressed", "true")
    table = page.url
    page.locator(".hand button:not([disabled])").first.click()
    page.wait_for_selector(".table-panel.your-turn")
    for path in (f"{table}?ply=0", f"{table}/deals", "/lobby", "/decks/new", "/accounts/", "/app"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
