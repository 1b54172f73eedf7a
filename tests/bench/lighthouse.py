"""How soon a page answers a press, and Lighthouse's score of the pages that a phone opens first.

`make lighthouse` (`LIGHTHOUSE="--loads 5"`; needs Chromium, and npm for the scores). First, in
milliseconds from a click on a card: until the style that lifts it is set, to be within a frame
(16 ms, p95), and until the server has confirmed the move (200 ms, p95).

Then it fetches Lighthouse as npm has it and lets it judge a whole service as its mobile preset
does: a phone of the middle class on slow 4G, each figure the median of several loads. Performance
and accessibility are to be at least 95. Lighthouse has no category for installable sites any more:
`tests/e2e/test_app.py` asks the browser for that.
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

from playwright.sync_api import Page, sync_playwright

from tests.e2e.browsers import launch_chromium
from tests.e2e.serving import installed_chromium, served
from tests.e2e.test_playing import HAND, wait_for_my_turn

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
PRESSES: Final = 80
NOTE_PRESSES: Final = """
  window.times = { lifted: [], confirmed: [] };
  let pressed = 0;
  let lifted = false;
  document.addEventListener("click", (event) => {
    if (!event.target.closest("button.playing-card")) return;
    pressed = performance.now();
    lifted = false;
  }, true);
  new MutationObserver(() => {
    if (lifted || !pressed || !document.querySelector(".is-sent")) return;
    lifted = true;
    times.lifted.push(performance.now() - pressed);
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["class"] });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!pressed || event.detail.requestConfig.verb !== "post") return;
    times.confirmed.push(performance.now() - pressed);
    pressed = 0;
  });
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lighthouse")
    parser.add_argument("--loads", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cardroom-lighthouse-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # its database has a user of its own
        with served(folder, "config.settings") as house:
            pages, cookie = _pages(house)
            if shutil.which("npm") is None:
                sys.exit("npm is not on this machine: Lighthouse measured nothing.")
            install = ["npm", "install", "--silent", "--no-save", "--no-audit", "--no-fund"]
            subprocess.run([*install, PACKAGE], cwd=folder, check=True)
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
        _press(page)
        browser.close()
    return {"landing": "/", "lobby": "/lobby", "table": table}, cookie


def _press(page: Page) -> None:
    """A whole match: Play now is over sooner."""
    page.goto("/new?game=pisti")
    page.evaluate("localStorage.setItem('pace', 'off')")
    page.get_by_role("button", name="Start").click()
    wait_for_my_turn(page)
    page.evaluate(NOTE_PRESSES)
    for count in range(1, PRESSES + 1):
        wait_for_my_turn(page)
        page.wait_for_function("() => !document.querySelector('.stage, #round-ending[open]')")
        page.locator(HAND).first.click()
        page.wait_for_function("count => times.confirmed.length >= count", arg=count)
    for name, times in page.evaluate("times").items():
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"press {name}: p50 {statistics.median(times):.1f} ms, p95 {p95:.1f} ms")


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
