"""How the pages of the documentation become a site: `python -m docs.building [FOLDER]`.

The pages are named by `nav` in docs/zensical.toml. A page stands in docs/, or, where code and tests
cite it, elsewhere in the tree (rules, record format, runbook): it is read from there and never
copied. Links that work in the tree work in the site; no page asks another host for anything or has
a script inside. Without a folder, the site is built into `site/` of the tree.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
SETTINGS: Final = DOCS / "zensical.toml"


class Fault(Exception):
    """The documentation cannot be built as it is written."""


def pages(entries: Any = None) -> Iterator[str]:
    """Their paths in the order of the site, as ``nav`` gives them."""
    if entries is None:
        entries = tomllib.loads(SETTINGS.read_text("utf-8"))["project"]["nav"]
    for entry in entries:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else pages(value)


def source(page: str) -> Path:
    """The file of a page: in this folder, else at the same path of the tree."""
    own = DOCS / page
    file = own if own.is_file() else ROOT / page
    if not file.is_file():
        raise Fault(f"{page}, which zensical.toml names, does not exist.")
    return file


# Links are written as they work in the tree; in the site they lead to the same thing.
#
# A link to a page leads to the page. A picture is taken along. A link to any other file of the
# tree becomes its name, and one to the service of the examples leads to the service that shows
# the page.

SERVICE: Final = "http://127.0.0.1:8000/"
PICTURES: Final = (".svg", ".png", ".jpg")

_FENCED: Final = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_SOURCE: Final = re.compile(r'(?<= src=")([^"]+)')


class Links:
    """Those of one page. ``sources`` names the page of each file, ``stage`` takes the pictures."""

    def __init__(self, page: str, sources: dict[Path, str], stage: Path) -> None:
        self._page, self._sources, self._stage = page, sources, stage

    def lead(self, text: str) -> str:
        """The text with its links changed; blocks of code stay as they are."""
        parts = _FENCED.split(text)
        parts[::2] = [
            _SOURCE.sub(lambda link: self._picture(link[1]), _LINK.sub(self._link, part))
            for part in parts[::2]
        ]
        return "".join(parts)

    def _link(self, link: re.Match[str]) -> str:
        mark, words, target, anchor = link[1], link[2], link[3], link[4] or ""
        if target.startswith(SERVICE):
            return f"[{words}](/{target.removeprefix(SERVICE)}{anchor})"
        if not target or ":" in target:
            return link[0]
        file = self._file(target)
        if file in self._sources:
            return f"[{words}]({self._way(self._sources[file])}{anchor})"
        if file.suffix in PICTURES:
            return f"{mark}[{words}]({self._picture(target)})"
        name = str(file.relative_to(ROOT))
        return f"`{name}`" if name.endswith(words.strip("`")) else f"{words} (`{name}`)"

    def _picture(self, target: str) -> str:
        file = self._file(target)
        place = file.relative_to(DOCS if file.is_relative_to(DOCS) else ROOT)
        (self._stage / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, self._stage / place)
        return self._way(str(place))

    def _file(self, target: str) -> Path:
        written = source(self._page)
        file = (written.parent / target).resolve()
        if not file.exists():
            raise Fault(f"{written.relative_to(ROOT)} links to {target}, which does not exist.")
        return file

    def _way(self, place: str) -> str:
        return os.path.relpath(place, Path(self._page).parent)


# No page asks another host for anything, and none has a script or a style inside.
#
# So the service can show the site under its content security policy
# (`config.pages.static_files`).

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
    """Requests of pages and style sheets to other hosts, and code that the policy would refuse."""
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


# Builds the site into a folder, `site/` of the tree if none is named.

DEFAULT: Final = ROOT / "site"
TAKEN: Final = (DOCS / "extra.css", ROOT / "games/static/games/img/favicon.svg")
# The service has its own page for what is not there, and a map would need the service's address.
NOT_SERVED: Final = ("404.html", "sitemap.xml")


def stage(folder: Path) -> None:
    """Writes what Zensical reads: its settings, and all pages with their pictures."""
    staged = folder / "pages"
    sources = {source(page): page for page in pages()}
    for file, page in sources.items():
        text = Links(page, sources, staged).lead(file.read_text("utf-8"))
        (staged / page).parent.mkdir(parents=True, exist_ok=True)
        (staged / page).write_text(text, "utf-8")
    for file in TAKEN:
        shutil.copy(file, staged)
    shutil.copy(SETTINGS, folder)


def run_zensical(folder: Path) -> Path:
    """The site; a link that leads nowhere is a fault."""
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Fault(f"{done.stdout}{done.stderr}".partition("Traceback")[0])
    return folder / "site"


def build(target: Path) -> None:
    """Replaces the folder by the site; a fault leaves it as it was."""
    with tempfile.TemporaryDirectory(prefix="cardroom-docs-") as folder:
        stage(Path(folder))
        site = run_zensical(Path(folder))
        for name in NOT_SERVED:
            (site / name).unlink(missing_ok=True)
        move_scripts_out(site)
        if all_faults := list(faults(site)):
            raise Fault("\n".join(all_faults))
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(site, target)


def main(target: Path = DEFAULT) -> None:
    try:
        build(target)
    except Fault as fault:
        sys.exit(f"The documentation was not built.\n{fault}")
    print(f"The documentation is in {target}.")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
