"""What is installed: the entry points of the group ``cardroom.games``, read without importing."""

import os
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from cardroom.rules.contract_version import CONTRACT, LIBRARY, written

GROUP: Final = "cardroom.games"
SWITCH: Final = "CARDROOM_OUTSIDE_GAMES"  # "0": none but those of this tree
_NEEDS: Final = re.compile(
    rf"{LIBRARY.replace('-', '[-_.]')}\s*\(?\s*~=\s*(\d+)\.(\d+)\s*\)?\s*(;.*)?", re.IGNORECASE
)
_NAMES: Final = re.compile(rf"{LIBRARY.replace('-', '[-_.]')}\b(?![-_.])", re.IGNORECASE)


class Entry(NamedTuple):
    """A game as its package announces it; ``misfit`` says why its contract is not ours."""

    slug: str
    module: str
    name: str
    distribution: str
    version: str
    misfit: str | None

    @property
    def written(self) -> str:
        """*durak-cardroom 1.0*"""
        return f"{self.distribution} {self.version}"


def installed_entries() -> list[Entry]:
    """Every entry once, in the order of slugs and packages: the same in every process."""
    if os.environ.get(SWITCH) == "0":
        return []
    return sorted(set(map(_entry, entry_points(group=GROUP))), key=lambda entry: entry[:-1])


def _entry(point: EntryPoint) -> Entry:
    package = point.dist
    name = package.name if package else point.module
    version = package.version if package else ""
    requires = (package.requires if package else None) or []
    return Entry(point.name, point.module, point.attr, name, version, misfit(requires))


def misfit(requires: list[str]) -> str | None:
    """Why a package that requires this cannot keep our contract; ``None`` if it can."""
    ours = written()
    named = [line.strip() for line in requires if _NAMES.match(line.strip())]
    if not named:
        return f"it does not say which contract it needs; it should require {LIBRARY}~={ours}"
    requirements = list(_contracts(named))
    if not requirements:
        return f"it requires {named[0]!r}; write it as {LIBRARY}~={ours}"
    for first, second in requirements:
        if first != CONTRACT[0] or second > CONTRACT[1]:
            theirs = written((first, second))
            return f"it needs the contract {theirs} of the rules; this service keeps {ours}"
    return None


def _contracts(lines: list[str]) -> Iterator[tuple[int, int]]:
    for line in lines:
        if match := _NEEDS.fullmatch(line):
            yield int(match[1]), int(match[2])
