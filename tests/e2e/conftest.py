"""A whole Cardroom of its own, served as `make run` does, and browsers that look at it.

Nothing a page does may end in an error of the browser's console: a script that fails or that the
content security policy stops, a file that is not there.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.accounting import child

ROOT = Path(__file__).resolve().parents[2]
OURS = (
    "DATABASE_URL",
    "VALKEY_URL",
    "TEST_DATABASE",
    "DJANGO_SETTINGS_MODULE",
    "HOST",
    "LOG_LEVEL",
)
SECONDS_TO_START = 90


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """Where it keeps its state, and `said.txt`: what it printed."""
    made = Path(tempfile.mkdtemp(prefix="cardroom-e2e-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


class House(str):
    """The address of a running Cardroom; ``pid`` is the process that serves it."""

    __slots__ = ("pid",)
    pid: int

    def web_process(self) -> int:
        return child(self.pid, "config.server.web")


@pytest.fixture(scope="session")
def house(folder: Path) -> Iterator[House]:
    port = _free_port()
    env = {name: value for name, value in os.environ.items() if name not in OURS}
    env |= {"CARDROOM_STATE": str(folder / "state"), "PORT": str(port)}
    env |= {"DJANGO_SETTINGS_MODULE": "tests.e2e.settings"}
    said = folder / "said.txt"
    with said.open("w") as out:
        serve = [sys.executable, "manage.py", "serve"]
        process = subprocess.Popen(serve, cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        _wait_until_ready(process, said)
        house = House(f"http://127.0.0.1:{port}")
        house.pid = process.pid
        yield house
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def password(house: str, folder: Path) -> str:
    """Of the account `admin`, which the first start makes."""
    return re.search(r"admin / (\S+)", (folder / "said.txt").read_text())[1]


def _wait_until_ready(process: "subprocess.Popen[bytes]", said: Path) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while "is ready" not in said.read_text():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Cardroom did not start:\n{said.read_text()}")
        time.sleep(0.2)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's chromium if installed, else the one of playwright."""
    own = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=own, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(house: str, chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page as a new visitor; options are those of a browser context.

    With ``cut_off`` the connection is about to be lost, which the console may say.
    """
    faults: list[str] = []
    contexts = []

    def open_page(path: str = "/", *, cut_off: bool = False, **options: object) -> Page:
        context = chromium.new_context(base_url=house, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        if not cut_off:
            page.on("console", lambda said: said.type == "error" and faults.append(said.text))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(sorted(set(faults)))
