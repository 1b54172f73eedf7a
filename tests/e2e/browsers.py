"""The browsers that the tests find on this machine: Chromium, and Firefox where it is installed."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from tests.e2e.bidi_relay import REAL
from tests.e2e.serving import ROOT, installed_chromium

LAUNCHER = """#!/bin/sh
cd {root} && exec {python} -m tests.e2e.bidi_relay "$@"
"""


def installed_firefox() -> str | None:
    return shutil.which("firefox") or shutil.which("firefox-esr")


def launch_chromium(driver: Playwright) -> Browser:
    """The system's own; without one playwright takes the one it brought."""
    return driver.chromium.launch(executable_path=installed_chromium(), args=["--no-sandbox"])


@contextmanager
def firefox(driver: Playwright) -> Iterator[Browser]:
    """An ordinary Firefox, which the driver reaches by WebDriver BiDi."""
    with tempfile.TemporaryDirectory(prefix="cardroom-firefox-") as folder:
        launcher = Path(folder) / "firefox"
        launcher.write_text(LAUNCHER.format(root=ROOT, python=sys.executable))
        launcher.chmod(0o755)
        env = {**os.environ, REAL: str(installed_firefox())}
        browser = driver.firefox.launch(
            channel="moz-firefox", executable_path=launcher, env=env, timeout=90_000
        )
        yield browser
        browser.close()
