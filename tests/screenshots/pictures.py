"""The settings of pictures: windows, schemes, forced colours, languages; and the camera."""

import os
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.serving import ROOT
from tests.screenshots.moments import MOMENTS, hold

FOLDER = ROOT / "var" / "screenshots"
WINDOWS: Final = {
    "390": {"width": 390, "height": 844},
    "768": {"width": 768, "height": 1024},
    "1280": {"width": 1280, "height": 720},
    "1920": {"width": 1920, "height": 1080},
}
ENDS: Final = ("390", "1280")  # of the windows: those in which every language is looked at
LANGUAGES: Final = ("en", "tr", "ru", "cs")
IN_EVERY_LANGUAGE: Final = ("moment-", "-over", "share", "history", "family")


class Look(NamedTuple):
    window: str
    scheme: str
    language: str

    @property
    def name(self) -> str:
        return f"{self.window}-{self.scheme}" + f"-{self.language}" * (self.language != "en")

    @property
    def is_phone(self) -> bool:
        return self.window == "390"

    def context(self, browser: Browser, house: str) -> BrowserContext:
        is_forced = self.scheme == "forced"
        return browser.new_context(
            base_url=house,
            viewport=WINDOWS[self.window],
            color_scheme="dark" if is_forced else self.scheme,
            forced_colors="active" if is_forced else "none",
            has_touch=self.is_phone,
        )


def looks() -> Iterator[Look]:
    """English at every width in every scheme; other languages in narrow and wide windows."""
    own = os.environ.get("SCREENSHOTS_LANGUAGE", "en")
    for window in WINDOWS:
        for scheme in ("light", "dark", *(("forced",) if window in ENDS else ())):
            yield Look(window, scheme, own)
    for language in LANGUAGES:
        if language != own:
            yield from (Look(window, "light", language) for window in ENDS)


def take(browser: Browser, house: str, guest: BrowserContext, pages: dict[str, str]) -> int:
    """A picture of each page for each look, as the same guest sees it."""
    taken = 0
    for look in looks():
        context = look.context(browser, house)
        context.add_cookies([*guest.cookies(), _language(house, look.language)])
        context.add_init_script("localStorage.setItem('pace', 'off')")
        page = context.new_page()
        for name, path in _shown(pages, look):
            show(page, path)
            _picture(page, name, look)
            taken += 1
        context.close()
    return taken


def _shown(pages: dict[str, str], look: Look) -> Iterator[tuple[str, str]]:
    for name, path in pages.items():
        own = look.language == os.environ.get("SCREENSHOTS_LANGUAGE", "en")
        if own or any(part in name for part in IN_EVERY_LANGUAGE):
            yield name, path


def _picture(page: Page, name: str, look: Look) -> None:
    """Of the whole page; at a table, and while a moment is played, of what the window shows."""
    if name in MOMENTS:
        hold(page, MOMENTS[name], look.language)
    at_table = page.locator("body.at-table").count() > 0
    is_whole = name not in MOMENTS and not (at_table and not look.is_phone)
    page.screenshot(path=FOLDER / f"{name}-{look.name}.png", full_page=is_whole)


def _language(house: str, code: str) -> Any:
    return {"name": "django_language", "value": code, "url": house}


def show(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(250)
