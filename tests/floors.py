"""The floors of the tree: each room's parts from the top, and what must not be imported.

``python -m tests.floors`` holds the code against ``tests/floors.txt`` and prints what is broken
(``make check``). A line of that file is one of

* ``room: top > left | right > either, other > bottom``: a part imports only parts further down;
  those beside a ``|`` do not know each other, those beside a ``,`` may. Every part of the room
  stands on a floor, unless the line ends in ``> …``.
* ``sources never reach targets``: not directly, and not through others;
* ``sources never import targets``: not directly;
* ``modules are independent``: none reaches another.

A name with ``*`` means all that it matches; ``everything but …`` means all packages except these
and what is inside them.
"""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parent.parent
PLAN: Final = Path(__file__).with_suffix(".txt")
PACKAGES: Final = ("accounts", "cardroom", "config", "decks", "games")
FOUND_BY_DJANGO: Final = {"migrations"}
RULE: Final = re.compile(r"(.+?) (never reach|never import|are independent)\b ?(.*)")


def lines(text: str) -> list[str]:
    """The entries of a plan: indented lines go on with the one above, ``#`` begins a comment."""
    kept = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [
        re.sub(r"\s+", " ", entry) for entry in re.sub(r"\n\s+", " ", "\n".join(kept)).split("\n")
    ]


def graph() -> grimp.ImportGraph:
    return grimp.build_graph(
        *PACKAGES, include_external_packages=True, exclude_type_checking_imports=True
    )


def faults(plan: Sequence[str], code: grimp.ImportGraph) -> Iterator[str]:
    for line in plan:
        if rule := RULE.fullmatch(line):
            sources, kind, targets = rule[1], rule[2], rule[3]
            yield from _rule_faults(code, sources, kind, targets)
        else:
            room, _, floors = line.partition(": ")
            yield from _room_faults(code, room, [floor.strip() for floor in floors.split(">")])


def _room_faults(code: grimp.ImportGraph, room: str, floors: list[str]) -> Iterator[str]:
    if room not in code.modules:
        yield f"{room} is no package"
        return
    open_ended = floors[-1] == "…"
    layers = [_layer(floor) for floor in floors if floor != "…"]
    named = {part for layer in layers for part in layer.module_tails}
    parts = {child.rpartition(".")[2] for child in code.find_children(room)} - FOUND_BY_DJANGO
    if named - parts:
        yield f"{room} has no {', '.join(sorted(named - parts))}"
    if parts - named and not open_ended:
        yield f"{room}: {', '.join(sorted(parts - named))} stands on no floor"
    for broken in code.find_illegal_dependencies_for_layers(layers=layers, containers={room}):
        yield from _chains(code, broken.importer, broken.imported)


def _layer(floor: str) -> grimp.Layer:
    return grimp.Layer(*re.split(r" ?[|,] ?", floor), independent="," not in floor)


def _rule_faults(code: grimp.ImportGraph, sources: str, kind: str, targets: str) -> Iterator[str]:
    first = _modules(code, sources)
    if kind == "are independent":
        for one, other in permutations(first, 2):
            yield from _chains(code, one, other)
        return
    for one in first:
        for other in _modules(code, targets):
            if kind == "never reach":
                yield from _chains(code, one, other)
            else:
                yield from _direct(code, one, other)


def _chains(code: grimp.ImportGraph, importer: str, imported: str) -> Iterator[str]:
    for chain in sorted(code.find_shortest_chains(importer, imported, as_packages=True)):
        yield " -> ".join(chain)


def _ours(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in PACKAGES


def _direct(code: grimp.ImportGraph, importer: str, imported: str) -> Iterator[str]:
    for one in _inside(code, importer):
        for other in sorted(code.find_modules_directly_imported_by(one)):
            if other == imported or other.startswith(f"{imported}."):
                yield f"{one} -> {other}"


def _inside(code: grimp.ImportGraph, module: str) -> list[str]:
    return sorted({module} | (code.find_descendants(module) if _ours(module) else set()))


def _modules(code: grimp.ImportGraph, names: str) -> list[str]:
    if names.startswith("everything but "):
        return _all_but(code, names.removeprefix("everything but ").split())
    found: list[str] = []
    for name in names.split():
        matching = sorted(code.find_matching_modules(name)) if "*" in name else [name]
        found += [module for module in matching if module in code.modules]
    return found


def _all_but(code: grimp.ImportGraph, kept: Sequence[str]) -> list[str]:
    """The largest packages and modules that hold none of those that are kept."""
    found, looked_at = [], list(PACKAGES)
    while looked_at:
        module = looked_at.pop()
        if module in kept:
            continue
        if any(name.startswith(f"{module}.") for name in kept):
            looked_at += code.find_children(module)
        else:
            found.append(module)
    return sorted(found)


def main() -> int:
    begun = time.perf_counter()
    plan = lines(PLAN.read_text("utf-8"))
    found = sorted(set(faults(plan, graph())))
    for fault in found:
        print(fault)
    print(
        f"{len(plan)} lines of the plan, {len(found)} broken ({time.perf_counter() - begun:.1f} s)"
    )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
