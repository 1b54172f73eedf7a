"""Imports of an installed game's modules, checked against the contracts of this tree's games.

``python -m cardroom.rules.import_check`` reads every installed game, with names these packages. No
module is run for it: the sources are parsed.

* Rules know the standard library, msgspec, ``cardroom.rules`` and their own package; no disk, no
  clock, no network, no other game.
* A bot sees a view, never a state.
* The table (``table.py`` or ``table/``) may also know the pages; nothing else knows the table.
* Its tests may know anything.
"""

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.rules import catalog, outside

OF_A_MACHINE: Final = frozenset(
    {
        *("asyncio", "ctypes", "http", "multiprocessing", "os", "pathlib", "secrets", "shutil"),
        *("socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib"),
    }
)
OF_PAGES: Final = ("django", "games.language", "games.web")
STATES: Final = ("state", "rules", "deal", "turn")


class Imported(NamedTuple):
    """An import: where it stands, and what it names in full."""

    module: str
    line: int
    name: str


def faults(package: str) -> Iterator[str]:
    """Every import of a package that the contracts do not allow, as a sentence."""
    for imported in imports_of(package):
        why = _why_not(package, imported)
        if why:
            yield f"{imported.module}, line {imported.line}, imports {imported.name}: {why}."


def _why_not(package: str, imported: Imported) -> str | None:
    own = imported.module.removeprefix(package).removeprefix(".").split(".")[0]
    if own == "tests":
        return None
    if _is_below(imported.name, package):
        return _own(own, imported.name.removeprefix(package).removeprefix(".").split(".")[0])
    if own == "table" and any(_is_below(imported.name, page) for page in OF_PAGES):
        return None
    return _foreign(imported.name)


def _own(importer: str, imported: str) -> str | None:
    if imported == "table" and importer != "table":
        return "rules do not know their table"
    if importer == "bots" and imported in STATES:
        return "a bot sees a view, never a state"
    return None


def _foreign(name: str) -> str | None:
    top = name.split(".", maxsplit=1)[0]
    if top == "msgspec":
        return None
    if _is_below(name, "cardroom.rules"):
        games = (f"cardroom.rules.{game.slug.replace('-', '_')}" for game in catalog.OF_THE_HOUSE)
        other = any(_is_below(name, game) for game in games)
        return "games do not know each other" if other else None
    if top in OF_A_MACHINE:
        return "rules know no disk, clock or network"
    if top not in sys.stdlib_module_names:
        return "rules know the standard library, msgspec and cardroom.rules"
    return None


def _is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def imports_of(package: str) -> Iterator[Imported]:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LookupError(f"There is no package {package!r}.")
    folder = Path(spec.origin).parent
    alone = spec.submodule_search_locations is None
    for path in [Path(spec.origin)] if alone else sorted(folder.rglob("*.py")):
        parts = [] if alone else list(path.relative_to(folder).with_suffix("").parts)
        is_package = parts[-1:] == ["__init__"]
        module = ".".join([package, *(parts[:-1] if is_package else parts)])
        yield from _imports(module, path.read_text("utf-8"), inside=is_package)


def _imports(module: str, source: str, *, inside: bool) -> Iterator[Imported]:
    here = module if inside else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Imported(module, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), here)
            yield from (_of(module, node.lineno, base, alias.name) for alias in node.names)


def _of(module: str, line: int, base: str, name: str) -> Imported:
    """``from cardroom.rules import cards`` names a module, ``from cardroom.rules.cards import
    pack`` not; both are told by what they name, which is enough to judge them."""
    return Imported(module, line, f"{base}.{name}")


def main(packages: Sequence[str]) -> int:
    chosen = packages or sorted({entry.module for entry in outside.installed_entries()})
    broken = [fault for package in chosen for fault in faults(package)]
    print(*broken, sep="\n", end="\n" if broken else "")  # noqa: T201
    checked = ", ".join(chosen) or "no game from outside is installed"
    print(f"Imports: {checked}; {len(broken)} not allowed.")  # noqa: T201
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
