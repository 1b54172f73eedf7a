"""`make screenshots`: every page at four widths, light, dark, in forced colours: var/screenshots.

Moments, endings, histories and families are shown in every language. `SCREENSHOTS="table"` takes
only the pages whose name holds that word, `SCREENSHOTS_LANGUAGE=tr` shows all in another language.
`SCREENSHOTS_OF=http://…` looks at a Cardroom that runs already. The pictures of the README, in
docs/screenshots, are written with `README=1` (`--readme`) instead.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.serving import ROOT, installed_chromium, served
from tests.screenshots import scenes
from tests.screenshots.pictures import FOLDER, WINDOWS, show, take

README = ROOT / "docs" / "screenshots"
PREVIEW = ROOT / "games" / "static" / "games" / "img" / "preview.png"
PREVIEW_SIZE = {"width": 1200, "height": 630}
OF_README = {  # name: width, height
    "table-pisti-4": (1280, 800),
    "table-shithead-8": (390, 780),
}


@contextmanager
def _house() -> Iterator[str]:
    running = os.environ.get("SCREENSHOTS_OF")
    if running:
        yield running
        return
    folder = Path(tempfile.mkdtemp(prefix="cardroom-pictures-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        with served(folder) as house:
            yield house
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _take_for_readme(browser: Browser, house: str, guest: scenes.Guest) -> None:
    """Small pictures: a table in a window, in the dark scheme, and one on a phone."""
    README.mkdir(parents=True, exist_ok=True)
    for name, (width, height) in OF_README.items():
        address = scenes.prepare(guest, name)[name]
        size = {"width": width, "height": height}
        scheme = "dark" if width > 600 else "light"
        context = browser.new_context(base_url=house, viewport=size, color_scheme=scheme)
        context.add_cookies(guest.context.cookies())
        context.add_init_script("localStorage.setItem('pace', 'off')")
        page = context.new_page()
        show(page, address)
        page.reload()  # with its type, which may come too late for a first look
        page.wait_for_selector(".table-panel.your-turn, .finished", timeout=60_000)
        page.screenshot(path=README / f"{name}.jpg", type="jpeg", quality=80)
        context.close()


def _take_preview(browser: Browser, house: str) -> None:
    """The preview of a link to the site: the head of its landing page."""
    context = browser.new_context(base_url=house, viewport=PREVIEW_SIZE, reduced_motion="reduce")
    page = context.new_page()
    show(page, "/")
    page.screenshot(path=PREVIEW, clip={"x": 0, "y": 0, **PREVIEW_SIZE})
    Image.open(PREVIEW).convert("RGB").quantize(128).save(PREVIEW, optimize=True)
    context.close()


def main() -> None:
    wanted = os.environ.get("SCREENSHOTS", "")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _house() as house, sync_playwright() as driver:
        own = installed_chromium()
        browser = driver.chromium.launch(executable_path=own, args=["--no-sandbox"])
        guest = scenes.Guest(browser.new_context(base_url=house, viewport=WINDOWS["1280"]))
        if "--readme" in sys.argv:
            _take_for_readme(browser, house, guest)
            _take_preview(browser, house)
        else:
            count = take(browser, house, guest.context, scenes.prepare(guest, wanted))
            print(f"{count} pictures are in {FOLDER.relative_to(ROOT)}")
        browser.close()


main()
