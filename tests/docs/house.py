"""The rooms of the house and what each imports, as the sources have it.

A room is a package of `cardroom`, `config` or `games`, or an app with people in it. Single modules
beside them are values that every room may use, or put the parts together when a process starts;
they are not drawn. Inside the matches a module is a room too.
"""

from collections.abc import Iterable, Mapping
from functools import cache

import grimp

TOPS = ("accounts", "cardroom", "config", "decks", "games")
DJANGOS_OWN = ("migrations", "templatetags", "apps")

Arrows = dict[str, frozenset[str]]
"""For each room those that it imports."""


@cache
def imports() -> grimp.ImportGraph:
    return grimp.build_graph(*TOPS, exclude_type_checking_imports=True, cache_dir=None)


def rooms() -> list[str]:
    """Those of the whole house. An app inside `accounts` that `accounts` needs is a part of it."""
    graph = imports()
    packages = [
        child
        for top in ("cardroom", "config", "games")
        for child in graph.find_children(top)
        if graph.find_children(child) and not child.endswith(DJANGOS_OWN)
    ]
    apps = [
        child
        for child in graph.find_children("accounts")
        if f"{child}.migrations" in graph.modules
        and not graph.direct_import_exists(importer="accounts", imported=child, as_packages=False)
        and not _needs(child)
    ]
    return sorted([*packages, *apps, "accounts", "decks"])


def _needs(child: str) -> bool:
    """Whether something of `accounts` outside of this app imports it."""
    graph = imports()
    return any(
        importer.startswith("accounts.") and not _is_in(importer, child)
        for module in [child, *graph.find_descendants(child)]
        for importer in graph.find_modules_that_directly_import(module)
    )


def rooms_of(package: str) -> list[str]:
    """The packages and modules of one room."""
    found = imports().find_children(package)
    return sorted(child for child in found if not child.endswith(DJANGOS_OWN))


def arrows(rooms: Iterable[str]) -> Arrows:
    """Which of these rooms imports which."""
    graph, drawn = imports(), sorted(rooms, key=len, reverse=True)
    found: dict[str, set[str]] = {room: set() for room in drawn}
    for module in graph.modules:
        importer = _room_of(module, drawn)
        if importer is None or ".migrations" in module:
            continue
        for imported in graph.find_modules_directly_imported_by(module):
            room = _room_of(imported, drawn)
            if room is not None and room != importer:
                found[importer].add(room)
    return {room: frozenset(below) for room, below in sorted(found.items())}


def _room_of(module: str, rooms: Iterable[str]) -> str | None:
    """The innermost room that a module is in; ``rooms`` with the longest names first."""
    return next((room for room in rooms if _is_in(module, room)), None)


def _is_in(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def floors(house: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """How high each room stands: one above the highest that it imports. A circle has no floor."""
    found: dict[str, int] = {}

    def climb(room: str, below: tuple[str, ...] = ()) -> int:
        if room in below:
            raise ValueError(f"A circle: {' imports '.join((*below, room))}")
        if room not in found:
            heights = [climb(each, (*below, room)) for each in house[room]]
            found[room] = 1 + max(heights, default=-1)
        return found[room]

    for room in house:
        climb(room)
    return found


def reduced(house: Mapping[str, frozenset[str]]) -> Arrows:
    """Without the arrows that lead where others lead too, over rooms between."""

    def reach(room: str) -> frozenset[str]:
        return house[room].union(*(reach(each) for each in house[room]))

    return {
        room: below - frozenset().union(*(reach(each) for each in below))
        for room, below in house.items()
    }
