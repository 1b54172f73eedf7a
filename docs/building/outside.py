"""No page asks another host for anything, and none has a script or a style inside.

So the service can show the site under its content security policy (`config.pages.static_files`).
"""

import hashlib
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

SCRIPTS: Final = "assets/javascripts"
_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ELSEWHERE: Final = re.compile(r"\s*(https?:)?//")
_SHEET: Final = re.compile(r"(?:url\(|@import )\s*[\"']?((?:https?:)?//[^\"')]+)")
_LOADS: Final = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


def move_scripts_out(site: Path) -> None:
    """Each script of a page becomes a file, named by its content and loaded at the same place."""
    for page in site.rglob("*.html"):
        way = os.path.relpath(site / SCRIPTS, page.parent)

        def moved(script: re.Match[str], way: str = way) -> str:
            name = f"page.{hashlib.sha256(script[1].encode()).hexdigest()[:8]}.js"
            (site / SCRIPTS / name).write_text(script[1], "utf-8")
            return f'<script src="{way}/{name}"></script>'

        page.write_text(_SCRIPT.sub(moved, page.read_text("utf-8")), "utf-8")


def faults(site: Path) -> Iterator[str]:
    """What pages and style sheets ask other hosts for, and what the policy would refuse."""
    for page in sorted(site.rglob("*.html")):
        for fault in _Page(page.read_text("utf-8")).faults:
            yield f"{page.relative_to(site)} {fault}"
    for sheet in sorted(site.rglob("*.css")):
        for address in _SHEET.findall(sheet.read_text("utf-8")):
            yield f"{sheet.relative_to(site)} loads {address}"


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get(_LOADS.get(tag, ""))
        if address and _ELSEWHERE.match(address):
            self.faults.append(f"loads {address}")
        bare = tag == "script" and "src" not in given and given.get("type") != "application/json"
        if bare or tag == "style" or any(name == "style" or name[:2] == "on" for name in given):
            self.faults.append(f"has a script or a style inside: {self.get_starttag_text()}")
