"""Every package of the tree stands in a contract of its own name (``make check``)."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

from cardroom.rules import catalog

ROOT: Final = Path(__file__).resolve().parent.parent
APPS: Final = ("accounts", "config", "decks", "games")
DJANGO: Final = {"migrations", "templatetags", "commands"}  # Django finds these by their name
SETTINGS: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]


def packages() -> list[str]:
    found = [path.parent for app in APPS for path in (ROOT / app).rglob("__init__.py")]
    names = [".".join(path.relative_to(ROOT).parts) for path in found]
    return sorted(name for name in names if not DJANGO & set(name.split(".")))


def named(contract: dict[str, Any]) -> set[str]:
    """The modules that a contract says something of; what it forbids to others is not meant."""
    containers = contract.get("containers", ())
    modules = {*contract.get("source_modules", ()), *contract.get("modules", ()), *containers}
    for container in containers:
        for layer in contract["layers"]:
            modules |= {f"{container}.{part.strip(' ()')}" for part in layer.split("|")}
    return modules


NAMED: Final = set().union(*map(named, SETTINGS["contracts"]))


def test_every_package_stands_in_a_contract():
    assert len(packages()) > 100
    outside = [p for p in packages() if not any(fnmatch(p, name) for name in NAMED)]
    assert outside == []


def test_a_folder_holds_sixteen_files_at_most():
    """Except a game's own folder, the shared values of the rules and what Django wants flat."""
    games = {f"cardroom.rules.{slug.replace('-', '_')}" for slug in catalog.slugs()}
    wide = {
        package: count
        for package in packages()
        if (count := len(list((ROOT / package.replace(".", "/")).glob("*.py"))) - 1) > 16
        and package not in {"cardroom.rules", *games}
    }
    assert wide == {}
