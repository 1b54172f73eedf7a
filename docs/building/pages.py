"""Which pages there are, and where each is written."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).resolve().parent.parent
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
