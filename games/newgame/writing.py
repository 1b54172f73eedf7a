"""Writes the folder of a new game, and plays its golden matches."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final

from cardroom.rules import outside
from games.newgame.announcing import announce
from games.newgame.names import Names

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
