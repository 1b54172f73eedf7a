"""Services know no reader: they refuse with phrases, and the doors render them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
SERVICES: Final = (
    *(f"games/{name}" for name in ("matches", "live", "operations", "simulations", "exports")),
    *("games/daily", "games/people", "games/phrases", "accounts/social/services.py"),
    *("games/ratings", "cardroom/rules", "cardroom/arena", "decks/services.py"),
    *("decks/selectors.py", "decks/draft.py"),
)
OF_A_READER: Final = ("django.utils.translation", "games.language", "config.words")


def modules() -> Iterator[Path]:
    for name in SERVICES:
        place = ROOT / name
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


@pytest.mark.parametrize("place", SERVICES)
def test_every_place_exists(place):
    assert (ROOT / place).exists()


def test_no_service_renders_a_sentence():
    speaking = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in modules()
        for name in imported(module.read_text("utf-8"))
        if name in OF_A_READER
    }
    assert speaking == set()
