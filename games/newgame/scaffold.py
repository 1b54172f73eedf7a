"""A new game from the template: its names, its folder, and its golden matches."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, Final

from cardroom.rules import catalog, outside
from cardroom.rules.outside import GROUP, LONGEST_SLUG, SLUG, written

TEMPLATE: Final = "games.newgame.template"


class BadName(ValueError):
    """A slug that no game can have."""


@dataclass(frozen=True)
class Names:
    slug: str
    name: str

    @classmethod
    def of(cls, slug: str, name: str = "") -> "Names":
        """Raises ``BadName``."""
        if not SLUG.fullmatch(slug) or len(slug) > LONGEST_SLUG:
            raise BadName(
                f"{slug!r} is no slug: up to {LONGEST_SLUG} small letters and digits, "
                "with - between words."
            )
        if slug in catalog.slugs():
            raise BadName(f"There is a game {slug!r} already.")
        return cls(slug, name or slug.replace("-", " ").title())

    @property
    def module(self) -> str:
        return f"{self.slug.replace('-', '_')}_cardroom"

    @property
    def prefix(self) -> str:
        """Of its classes."""
        return "".join(part.capitalize() for part in self.slug.split("-"))

    def in_text(self, text: str) -> str:
        """A text of the template with these names."""
        for old, new in (
            (TEMPLATE, self.module),
            ("new_game_cardroom", self.module),
            ("NewGame", self.prefix),
            ("new-game", self.slug),
            ("CONTRACT", written()),
        ):
            text = text.replace(old, new)
        return re.sub(r"\bNew Game\b", self.name, text)


# Announces a package that lies in a folder, as if it were installed: for a try, not for a
# service.
#
# The facts of its ``pyproject.toml`` are written as an installer writes them; both folders then
# stand on the path.


def announce(folder: Path, beside: Path) -> list[str]:
    """The slugs of the games that the folder has; their facts are written into ``beside``."""
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))[
        "project"
    ]
    games: dict[str, str] = project.get("entry-points", {}).get(GROUP, {})
    name = project["name"].replace("-", "_")
    facts = beside / f"{name}-{project['version']}.dist-info"
    facts.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}"]
    lines += [f"Requires-Dist: {needed}" for needed in project.get("dependencies", ())]
    (facts / "METADATA").write_text("\n".join([*lines, ""]), encoding="utf-8")
    points = [f"[{GROUP}]", *[f"{slug} = {place}" for slug, place in games.items()], ""]
    (facts / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    return list(games)


# Writes the folder of a new game, and plays its golden matches.

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent


def write(names: Names, folder: Path) -> list[Path]:
    """The files that were written; raises ``FileExistsError`` where something is there already."""
    folder.mkdir(parents=True)
    for path, text in _files(names):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    play_golden(names.slug, folder)
    for compiled in sorted(folder.rglob("__pycache__")):  # of the match that was just played
        rmtree(compiled)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _files(names: Names) -> Iterator[tuple[str, str]]:
    """Each file by its place in the folder."""
    template, around = HERE / "template", HERE / "files"
    for path in sorted(template.rglob("*")):
        if path.suffix in (".py", ".md"):
            place = f"{names.module}/{path.relative_to(template).as_posix()}"
            yield place, _sorted_imports(names, path)
    tables = f"{names.module}/templates/games/tables/{names.slug}"
    yield f"{tables}/rules.html", names.in_text((around / "rules.html").read_text("utf-8"))
    yield "pyproject.toml", names.in_text((around / "pyproject.txt").read_text("utf-8"))
    yield "README.md", names.in_text((around / "README.md").read_text("utf-8"))


def _sorted_imports(names: Names, path: Path) -> str:
    """The package is no longer one of ours, so its imports stand elsewhere among the others."""
    text = names.in_text(path.read_text("utf-8"))
    if path.suffix != ".py":
        return text
    blocks = text.split("\n\n")
    return "\n\n".join(_ordered(block, names.module) for block in blocks)


def _ordered(block: str, module: str) -> str:
    """Ours among those of the rules, by the alphabet; a block of other things as it is."""
    lines = block.split("\n")
    if not block.startswith("from ") or not any(f"from {module}" in line for line in lines):
        return block
    statements: list[list[str]] = []
    for line in lines:
        if line.startswith(("from ", "import ")) or not statements:
            statements.append([line])
        else:
            statements[-1].append(line)
    statements.sort(key=lambda statement: statement[0].split()[1])
    return "\n".join(line for statement in statements for line in statement)


def play_golden(slug: str, folder: Path) -> None:
    """In a process of its own, to which the game is announced as an installed one."""
    with TemporaryDirectory() as beside:
        announce(folder, Path(beside))
        path = os.pathsep.join([beside, str(folder.resolve()), str(ROOT)])
        known = os.environ | {"PYTHONPATH": path, outside.SWITCH: "1"}
        command = [sys.executable, "-m", "cardroom.contract.golden", slug]
        subprocess.run(command, cwd=ROOT, env=known, check=True, capture_output=True)
