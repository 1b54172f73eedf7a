"""Names and docstrings of the product say what a thing is, not that somebody uttered it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("vocabulary")  # every file is read once
TOP = Path(__file__).parents[1]
ROOMS = sorted(
    str(init.parent.relative_to(TOP))
    for init in [*TOP.glob("*/__init__.py"), *TOP.glob("games/*/__init__.py")]
    if init.parent.name not in {"games", "migrations", "tests"}
)
UTTERED = {"told", "said", "asked", "found"}
# "Who picks up holds …" lacks the noun that it is about: "A seat that picks up holds …".
HEADLESS = re.compile(r"(?:^|[.:;] )(?:Who|Whom|Whoever) \w+")
# A file without any of these has neither fault; to parse it takes ten times as long as to read it.
SUSPECT = re.compile(rf"(?i:\b_*(?:{'|'.join(sorted(UTTERED))})_*\b)|\bWho")
NAMED = (ast.Module, ast.FunctionDef, ast.ClassDef, ast.arg, ast.Name, ast.Attribute)
# Descriptions in the API document and a column, which stay as they are.
SENT_OR_STORED = {
    *("BlockPlayer", "MatchInvite", "Outcome", "RecordedSeat", "SeatRequest", "Seeks"),
    *("BulkResult", "Phrases"),
}


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_is_what_the_thing_is(room: str) -> None:
    assert [place for part, path in nodes(room) for place in uttered(part, path)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_sentence_has_a_head(room: str) -> None:
    assert [place for part, path in nodes(room) for place in headless(part, path)] == []


def test_both_are_noticed() -> None:
    text = 'def told(found):\n    """Who plays wins."""\n    self._asked = 1'
    assert all(map(SUSPECT.search, ["self._asked = 1", "TOLD = 1", '"""Whoever plays wins."""']))
    assert not SUSPECT.search("holder = foundation.whom(1)")
    tree = list(renamable(ast.parse(text)))
    assert list(uttered(tree, Path("a.py"))) == ["a.py:1 told", "a.py:1 found", "a.py:3 _asked"]
    assert list(headless(tree, Path("a.py"))) == ["a.py: Who plays wins."]


@cache
def nodes(room: str) -> list[tuple[list[ast.AST], Path]]:
    """What has a name or a docstring, by file that may have a fault."""
    files = sorted((TOP / room).rglob("*.py"))
    read = [(path.read_text("utf-8"), path) for path in files if "migrations" not in path.parts]
    return [(list(renamable(ast.parse(text))), path) for text, path in read if SUSPECT.search(text)]


def renamable(node: ast.AST) -> Iterator[ast.AST]:
    """What is named or described in a file, but for classes whose words others read."""
    left = [node]
    while left:
        node = left.pop()
        if getattr(node, "name", "") in SENT_OR_STORED:
            continue
        if isinstance(node, NAMED):
            yield node
        left += reversed(list(ast.iter_child_nodes(node)))


def uttered(part: list[ast.AST], path: Path) -> Iterator[str]:
    for node in part:
        name = bound(node)
        if name.lower().strip("_") in UTTERED:
            yield f"{path.name}:{node.lineno} {name}"  # type: ignore[attr-defined]


def bound(node: ast.AST) -> str:
    """The name that this node gives to something."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def headless(part: list[ast.AST], path: Path) -> Iterator[str]:
    for node in part:
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            text = " ".join((ast.get_docstring(node) or "").split())
            if HEADLESS.search(text):
                yield f"{path.name}: {text}"
