"""Links are written as they work in the tree; in the site they lead to the same thing.

A link to a page leads to the page. A picture is taken along. A link to any other file of the tree
becomes its name, and one to the service of the examples leads to the service that shows the page.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Final

from docs.building.pages import DOCS, ROOT, Fault, source

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
