"""What is looked at: pages by name, and matches played far enough to show something."""

from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

PLAIN = {
    "landing": "/",
    "new-pisti": "/new",
    "new-pazaak": "/new?game=pazaak",
    "new-shithead": "/new?game=shithead&players=5",
    "new-pyanitsa": "/new?game=pyanitsa",
    "rules-pisti": "/games/pisti/rules",
    "rules-shithead": "/games/shithead/rules",
    "decks": "/decks/",
    "simulations": "/simulations",
    "login": "/account/login/",
    "signup": "/account/signup/",
    "missing": "/nowhere",
    "lobby": "/lobby",
    "account": "/account",
}
LEGAL = "#felt button[name=move]:not([disabled])"


def prepare(guest: BrowserContext, wanted: str) -> dict[str, str]:
    """Opens and plays what is to be seen; gives the addresses by name."""
    page = guest.new_page()
    page.add_init_script("localStorage.setItem('pace', 'off')")
    found = {name: path for name, path in PLAIN.items() if wanted in name}
    for name, (game, options, moves) in MATCHES.items():
        if wanted in name:
            found[name] = _played(page, game, options, moves)
    page.close()
    return found


# name: game, what to choose on the form, how many own moves (0: as dealt, -1: to the end)
MATCHES: dict[str, tuple[str, str, int]] = {
    "table-pisti": ("pisti", "", 5),
    "table-pisti-4": ("pisti", "preset=four", 4),
    "table-pisti-deal": ("pisti", "", 24),
    "table-pisti-over": ("pisti", "preset=single", -1),
    "table-pazaak": ("pazaak", "", 3),
    "table-pazaak-over": ("pazaak", "", -1),
    "table-shithead": ("shithead", "", 5),
    "table-shithead-8": ("shithead", "players=8", 3),
    "table-shithead-18": ("shithead", "players=18", 2),
    "table-shithead-over": ("shithead", "players=4", -1),
    "table-pyanitsa": ("pyanitsa", "", 9),
    "table-pyanitsa-8": ("pyanitsa", "players=8", 4),
    "table-pyanitsa-over": ("pyanitsa", "", -1),
}
TURN = ".table-panel.your-turn, .finished"


def _played(page: Page, game: str, options: str, moves: int) -> str:
    page.goto(f"/new?game={game}&{options}")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(TURN)
    while moves and page.locator(".finished").count() == 0:
        _move(page, to_the_end=moves < 0)
        moves -= 1
    return page.url


def _move(page: Page, *, to_the_end: bool) -> None:
    before = page.locator("#table-panel").get_attribute("data-version")
    for each in ("#run-end" if to_the_end else "#flip", "#ready", "#play", "#pickup", LEGAL):
        button = page.locator(f"{each}:not([disabled])")
        if each == "#play" and button.count() == 0 and page.locator("#play").count():
            _choose(page)
            button = page.locator(each)
        if button.count():
            button.first.click()
            break
    page.wait_for_function(
        "before => document.getElementById('table-panel').dataset.version !== before", arg=before
    )
    page.wait_for_selector(TURN, timeout=60_000)


def _choose(page: Page) -> None:
    """Shithead: the first card that may be played."""
    page.evaluate(
        "document.querySelector('.sh-mine input[type=checkbox]:not([data-why])')?.click()"
    )


def for_readme(
    browser: Browser, house: str, guest: BrowserContext, pages: dict[str, str], folder: Path
) -> None:
    """Small pictures for the README: two tables and a phone."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, width, height in (
        ("table-pisti", 1120, 700),
        ("table-pazaak", 1120, 700),
        ("table-shithead", 390, 780),
    ):
        size = {"width": width, "height": height}
        context = browser.new_context(base_url=house, viewport=size)
        context.add_cookies(guest.cookies())
        page = context.new_page()
        page.goto(pages[name])
        page.wait_for_timeout(300)
        page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=72)
        context.close()
