"""A whole Cardroom of its own, served as `make run` does, and browsers that look at it.

Nothing that any page of any window does may end in an error of the browser's console: a script that
fails or that the content security policy stops, a file that is not there. What a test provokes it
names. No page asks another host for anything.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.e2e import browsers
from tests.e2e.browsers import installed_firefox, launch_chromium
from tests.e2e.felts import SCRIPT
from tests.e2e.serving import House, new_folder, served
from tests.patience import wait_until

WAIT = 60_000  # milliseconds for a state to come: the one patience of all pages and expectations
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """Where it keeps its state, and `said.txt`: what it printed."""
    with new_folder() as made:
        yield made


@pytest.fixture(scope="session")
def house(folder: Path) -> Iterator[House]:
    with served(folder) as house:
        yield house


@pytest.fixture(scope="session")
def password(house: str, folder: Path) -> str:
    """Of the account `admin`, which the first start makes once pages are answered."""
    said = folder / "said.txt"
    return wait_until(lambda: re.search(r"admin / (\S+)", said.read_text()), pause=0.2)[1]


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    browser = launch_chromium(driver)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox(driver: Playwright) -> Iterator[Browser]:
    with browsers.firefox(driver) as browser:
        yield browser


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Browser:
    """Chromium; for tests of every browser Firefox as well, where there is one."""
    found: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_browser"):
        found = ["chromium", "firefox"] if installed_firefox() else ["chromium"]
        metafunc.parametrize("engine", found, indirect=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if installed_firefox() is None:
        terminalreporter.section("Firefox was not tested", sep="!", red=True)
        terminalreporter.line("There is none on this machine. Debian: apt install firefox-esr")


# Messages of a browser about a lost connection, and of htmx about a request without an answer.
LOST = (
    r"^Failed to load resource: net::ERR_|^Failed to load resource: .* status of 50[0-9]"
    r"|^htmx:(sendError|sendAbort|timeout|afterRequest)"
)


def _said(message: ConsoleMessage) -> str:
    """An error of the console, and the file that it is about."""
    return f"{message.text} ({message.location.get('url', '')})"


def _elsewhere(url: str, house: str) -> list[str]:
    """No request leaves the host."""
    own = url.startswith((f"{house}/", "data:", "blob:"))
    return [] if own else [f"A request left the host: {url}"]


def _watch(context: BrowserContext, faults: list[str], house: str, allowed: str) -> None:
    """Notes every error of every page of a context, but those that a test provokes."""

    def note(found: str) -> None:
        if not (allowed and re.search(allowed, found)):
            faults.append(found)

    context.on("weberror", lambda found: note(found.error.stack or str(found.error)))
    context.on("console", lambda said: said.type == "error" and note(_said(said)))
    context.on("request", lambda request: faults.extend(_elsewhere(request.url, house)))


@pytest.fixture
def visit(house: str, engine: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page as a new visitor; options are those of a browser context.

    Cards move at ``pace``: not at all unless asked for. ``allowed`` is a pattern for the errors
    that the test provokes; with ``cut_off`` they are those of a connection that is lost. There is
    no service worker unless asked for: what one fetches passes by the routes of a test.
    """
    faults: list[str] = []
    contexts = []

    def open_page(
        path: str = "/",
        *,
        cut_off: bool = False,
        allowed: str = "",
        pace: str = "off",
        **options: object,
    ) -> Page:
        context = engine.new_context(base_url=house, **{"service_workers": "block", **options})
        context.add_init_script(  # an empty page, as there is before the first, keeps nothing
            "if (location.protocol.startsWith('http'))"
            f" localStorage.getItem('pace') ?? localStorage.setItem('pace', '{pace}')"
        )
        context.add_init_script(SCRIPT)
        contexts.append(context)
        _watch(context, faults, house, LOST if cut_off else allowed)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(sorted(set(faults)))
