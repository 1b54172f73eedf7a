"""A whole Cardroom of its own, served as `make run` does, and browsers that look at it.

Nothing a page does may end in an error of the browser's console: a script that fails or that the
content security policy stops, a file that is not there. No page asks another host for anything.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.e2e.serving import House, installed_chromium, served


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """Where it keeps its state, and `said.txt`: what it printed."""
    made = Path(tempfile.mkdtemp(prefix="cardroom-e2e-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="session")
def house(folder: Path) -> Iterator[House]:
    with served(folder) as house:
        yield house


@pytest.fixture(scope="session")
def password(house: str, folder: Path) -> str:
    """Of the account `admin`, which the first start makes."""
    return re.search(r"admin / (\S+)", (folder / "said.txt").read_text())[1]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        own = installed_chromium()
        browser = driver.chromium.launch(executable_path=own, args=["--no-sandbox"])
        yield browser
        browser.close()


def _said(message: ConsoleMessage) -> str:
    """An error of the console, and the file that it is about."""
    return f"{message.text} ({message.location.get('url', '')})"


def _elsewhere(url: str, house: str) -> list[str]:
    """No request leaves the host."""
    own = url.startswith((f"{house}/", "data:", "blob:"))
    return [] if own else [f"A request left the host: {url}"]


@pytest.fixture
def visit(house: str, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page as a new visitor; options are those of a browser context.

    Cards move at ``pace``: not at all unless asked for. With ``cut_off`` the connection is about
    to be lost, which the console may say.
    """
    faults: list[str] = []
    contexts = []

    def open_page(
        path: str = "/", *, cut_off: bool = False, pace: str = "off", **options: object
    ) -> Page:
        context = chromium.new_context(base_url=house, **options)
        context.add_init_script(
            f"localStorage.getItem('pace') ?? localStorage.setItem('pace', '{pace}')"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error.stack or error}"))
        context.on("request", lambda request: faults.extend(_elsewhere(request.url, house)))
        if not cut_off:
            page.on("console", lambda said: said.type == "error" and faults.append(_said(said)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(sorted(set(faults)))
