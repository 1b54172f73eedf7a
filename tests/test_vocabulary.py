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
# "Who picks up holds …" lacks the noun that it is about: "A seat that picks up holds …". So does
# "What a seat sees.": "The view of a seat."; inside a text such a clause may be the subject.
HEADLESS = re.compile(r"(?:^|[.:;] )(?:Who|Whom|Whoever) \w+|^What\b")
# A file without any of these has neither fault; to parse it takes ten times as long as to read it.
SUSPECT = re.compile(rf"(?i:\b_*(?:{'|'.join(sorted(UTTERED))})_*\b)|\bWho|\"\"\"What\b")
DESCRIBED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NAMED = (*DESCRIBED, ast.arg, ast.Name, ast.Attribute)
SENT_OR_STORED = {"BulkResult", "Phrases"}  # classes with a field of such a name
DOCUMENT = TOP / "tests" / "fixtures" / "openapi.json"  # its descriptions stay as they are


@pytest.mark.parametrize("room", ROOMS)
def test_a_name_is_what_the_thing_is(room: str) -> None:
    assert [place for part, path in nodes(room) for place in uttered(part, path)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_sentence_has_a_head(room: str) -> None:
    assert [place for part, path in nodes(room) for place in headless(part, path)] == []


def test_both_are_noticed() -> None:
    text = '"""What wins."""\ndef told(found):\n    """Who plays wins."""\n    self._asked = 1'
    for fault in ("self._asked = 1", "TOLD = 1", '"""Whoever plays wins."""', '"""What wins."""'):
        assert SUSPECT.search(fault)
    assert not SUSPECT.search("holder = foundation.whom(1)")
    tree = list(renamable(ast.parse(text)))
    assert list(uttered(tree, Path("a.py"))) == ["a.py:2 told", "a.py:2 found", "a.py:4 _asked"]
    assert list(headless(tree, Path("a.py"))) == ["a.py: What wins.", "a.py: Who plays wins."]


@cache
def nodes(room: str) -> list[tuple[list[ast.AST], Path]]:
    """The nodes with a name or a docstring, by file that may have a fault."""
    files = sorted((TOP / room).rglob("*.py"))
    read = [(path.read_text("utf-8"), path) for path in files if "migrations" not in path.parts]
    return [(list(renamable(ast.parse(text))), path) for text, path in read if SUSPECT.search(text)]


def renamable(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a file with a name or a docstring, except those of `SENT_OR_STORED`."""
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
    if isinstance(node, DESCRIBED[1:]):
        return node.name
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


@cache
def sent() -> str:
    """Every description of the API document, with its plain words alone."""
    return " ".join(DOCUMENT.read_text("utf-8").replace("\\n", " ").replace("`", "").split())


def headless(part: list[ast.AST], path: Path) -> Iterator[str]:
    for node in part:
        if isinstance(node, DESCRIBED):
            text = " ".join((ast.get_docstring(node) or "").split())
            if HEADLESS.search(text) and text.replace("`", "") not in sent():
                yield f"{path.name}: {text}"
