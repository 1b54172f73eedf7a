"""Lighthouse's score of the pages that a phone opens first, each the median of several loads.

`make lighthouse` (`LIGHTHOUSE="--loads 5"`; needs npm and Chromium). It fetches Lighthouse as npm
has it and lets it judge a whole service as its mobile preset does: a phone of the middle class on
slow 4G. Performance and accessibility are to be at least 95. Lighthouse has no category for
installable sites any more: `tests/e2e/test_app.py` asks the browser for that.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.e2e.browsers import launch_chromium
from tests.e2e.serving import installed_chromium, served

LEAST: Final = 95
CATEGORIES: Final = ("performance", "accessibility")
FIGURES: Final = {
    "first-contentful-paint": "FCP",
    "largest-contentful-paint": "LCP",
    "speed-index": "SI",
    "total-blocking-time": "TBT",
    "cumulative-layout-shift": "CLS",
}
PACKAGE: Final = "lighthouse@13"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lighthouse")
    parser.add_argument("--loads", type=int, default=3)
    wanted = parser.parse_args()
    if shutil.which("npm") is None:
        sys.exit("npm is not on this machine: nothing was measured.")
    with tempfile.TemporaryDirectory(prefix="cardroom-lighthouse-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # its database has a user of its own
        install = ["npm", "install", "--silent", "--no-save", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(install, cwd=folder, check=True)
        with served(folder, "config.settings") as house:
            pages, cookie = _pages(house)
            scores = {
                page: _scores(folder, f"{house}{path}", cookie, wanted.loads)
                for page, path in pages.items()
            }
    low = [
        (page, name) for page, found in scores.items() for name in CATEGORIES if found[name] < LEAST
    ]
    for page, found in scores.items():
        print(f"{page}: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    sys.exit(f"Below {LEAST}: {low}" if low else 0)


def _pages(house: str) -> tuple[Mapping[str, str], str]:
    """The pages of a guest who has just begun a match, and the cookie that shows them."""
    with sync_playwright() as driver:
        browser = launch_chromium(driver)
        context = browser.new_context(base_url=house)
        page = context.new_page()
        page.goto("/")
        page.get_by_role("button", name="Play Pişti now").click()
        page.wait_for_selector("#felt")
        table = page.url.removeprefix(house)
        cookie = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies())
        browser.close()
    return {"landing": "/", "lobby": "/lobby", "table": table}, cookie


def _scores(folder: Path, url: str, cookie: str, loads: int) -> dict[str, Any]:
    """Medians: points of a hundred, and what the points of performance are made of."""
    reports = [_report(folder, url, cookie) for _ in range(loads)]
    found: dict[str, Any] = {
        name: round(100 * statistics.median(each["categories"][name]["score"] for each in reports))
        for name in CATEGORIES
    }
    for audit, name in FIGURES.items():
        values = [each["audits"][audit]["numericValue"] for each in reports]
        found[name] = round(statistics.median(values), 3 if name == "CLS" else None)
    return found


def _report(folder: Path, url: str, cookie: str) -> Any:
    command = [
        *("node", "node_modules/lighthouse/cli/index.js", url, "--quiet", "--output=json"),
        "--chrome-flags=--headless=new --no-sandbox",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--extra-headers={json.dumps({'Cookie': cookie})}",
    ]
    environment = os.environ | {"CHROME_PATH": str(installed_chromium())}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
