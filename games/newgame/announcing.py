"""Announces a package that lies in a folder, as if it were installed: for a try, not for a service.

The facts of its ``pyproject.toml`` are written as an installer writes them; both folders then stand
on the path.
"""

import tomllib
from pathlib import Path
from typing import Any

from cardroom.rules.outside import GROUP


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
