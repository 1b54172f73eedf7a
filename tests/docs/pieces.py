"""docs/pieces.md: every signature that the author of a game meets, as the sources have it.

``python -m tests.docs`` writes it again.
"""

import ast
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
Comments = dict[int, tuple[str, bool]]
LONGEST: Final = 110
PAGE: Final = ROOT / "docs" / "pieces.md"

HEAD: Final = """# The pieces

Every signature that the author of a game meets, taken from the sources by `python -m tests.docs`.
How they come together is told in [Add a game](games.md); `manage.py newgame` writes
a game that uses nearly all of them.
"""
# A heading, the file, and the names that matter to an author; none: all that are public.
PIECES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("The facts of a game", "cardroom/rules/game.py", ("Game",)),
    ("Values", "cardroom/rules/values.py", ()),
    ("Steps", "cardroom/rules/values.py", ("StepBuilder",)),
    ("Cards", "cardroom/rules/cards.py", ()),
    ("Seats", "cardroom/rules/values.py", ()),
    ("Shuffles", "cardroom/rules/shuffles.py", ("Shuffle", "Stacked", "seeded")),
    ("Errors", "cardroom/rules/values.py", ()),
    ("Words", "cardroom/rules/text.py", ()),
    ("Options", "cardroom/rules/option.py", ()),
    ("Computers", "cardroom/rules/bot.py", ("Bot", "Search", "random_move", "RANDOM")),
    ("Searches", "cardroom/rules/search.py", ("World", "best_move")),
    ("Re-deals", "cardroom/rules/redeal.py", ("DefaultRedeal",)),
    ("Numbers for programs that learn", "cardroom/rules/encoding.py", ()),
    (
        "The generic table, and scenes seat by seat",
        "games/web/tables/any_game.py",
        ("Fields", "SeatedScene"),
    ),
    ("What the page of a game may state", "games/web/tables/__init__.py", ("GamePage",)),
    (
        "The page that a scene is made of",
        "games/web/parts/table_page.py",
        (
            *("TablePage", "ViewedMatch", "MatchEvents", "MatchSeats", "SeatPanel"),
            *("SeatBank", "MoveButton"),
        ),
    ),
    ("Motions on the table", "games/web/parts/motions.py", ()),
)


def page() -> str:
    return "\n".join([HEAD, *[_section(*piece) for piece in PIECES]])


def _section(title: str, file: str, names: tuple[str, ...]) -> str:
    source = (ROOT / file).read_text("utf-8")
    tree, comments = ast.parse(source), _comments(source)
    meaning = (ast.get_docstring(tree) or "").split("\n\n")[0]
    lines = [line for node in tree.body for line in _piece(node, names, comments)]
    head = [f"## {title}", "", f"`{file}`: {meaning}", "", "```pyi"]
    return "\n".join([*head, *lines[:-1], "```", ""])


def _comments(source: str) -> Comments:
    """The comment of each line, and whether it stands alone there."""
    lines = source.splitlines()
    return {
        token.start[0]: (token.string, lines[token.start[0] - 1].lstrip().startswith("#"))
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type == tokenize.COMMENT and "noqa" not in token.string
    }


def _piece(node: ast.stmt, names: tuple[str, ...], comments: Comments) -> Iterator[str]:
    """A definition without its body; nothing for what is private or not asked for."""
    for name in _named(node):
        if (names and name not in names) or name.startswith("_"):
            return
        match node:
            case ast.FunctionDef():
                yield from _function(node)
            case ast.ClassDef():
                yield from _class(node, comments)
            case _:
                yield from _fact(node, comments, "")
        yield ""


def _named(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
    return []


def _function(node: ast.FunctionDef, indent: str = "") -> Iterator[str]:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    for decorator in node.decorator_list:
        yield f"{indent}@{ast.unparse(decorator)}"
    yield f"{indent}def {node.name}({ast.unparse(node.args)}){returns}: ..."
    yield from _said(node, f"{indent}    ")


def _class(node: ast.ClassDef, comments: Comments) -> Iterator[str]:
    bases = [*map(ast.unparse, node.bases), *map(_keyword, node.keywords)]
    yield f"class {node.name}({', '.join(bases)}):" if bases else f"class {node.name}:"
    yield from _said(node, "    ")
    for inner in node.body:
        if isinstance(inner, ast.AnnAssign) and not ast.unparse(inner.target).startswith("_"):
            yield from _fact(inner, comments, "    ")
        elif isinstance(inner, ast.FunctionDef) and _is_met(inner.name):
            yield from _function(inner, "    ")


def _is_met(name: str) -> bool:
    """How a value is made is met by its reader, too."""
    return name == "__init__" or not name.startswith("_")


def _fact(node: ast.stmt, comments: Comments, indent: str) -> Iterator[str]:
    """A field or a constant, with what is noted above and beside it."""
    above = node.lineno
    while comments.get(above - 1, ("", False))[1]:
        above -= 1
    yield from (f"{indent}{comments[line][0]}" for line in range(above, node.lineno))
    beside = comments.get(node.end_lineno or node.lineno)
    yield f"{indent}{_short(ast.unparse(node))}{f'  {beside[0]}' if beside else ''}"


def _keyword(keyword: ast.keyword) -> str:
    return f"{keyword.arg}={ast.unparse(keyword.value)}"


def _said(node: ast.FunctionDef | ast.ClassDef, indent: str) -> Iterator[str]:
    """The first paragraph of its docstring."""
    said = (ast.get_docstring(node) or "").split("\n\n")[0]
    yield from (f"{indent}# {line}" for line in said.splitlines())


def _short(text: str) -> str:
    """A value that takes a line and more is not for reading."""
    head, equals, _ = text.partition(" = ")
    return text if len(text) <= LONGEST or not equals else f"{head} = …"
