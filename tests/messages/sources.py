"""Every message: Python calls, template tags, what is declared in classes, what is borrowed.

Borrowed are sentences of libraries that we translate in our own words: the table `borrowed.pot`.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.pofile import read_po
from django.template import engines
from django.template.base import FilterExpression, Node, NodeList
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT: Final = Path(__file__).resolve().parent.parent.parent
BORROWED: Final = Path(__file__).with_name("borrowed.pot")
APPS: Final = ("accounts", "cardroom", "config", "decks", "games")
# The admin is English, and so is what operators are told.
NOT_FOR_READERS: Final = re.compile(
    r"/(migrations|static|admin|management|newgame|operators)/|/refereeing\.py|/threaded_wsgi\.py|"
    r"/audit/(?!wording)|/operations/(?!reports)"
)
SINGLE: Final = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop", "say"})
COUNTING: Final = frozenset({"ngettext", "ngettext_lazy", "say_n"})
_MARKED: Final = re.compile(r"\b(?:_|gettext\w*|ngettext\w*|say|say_n)\(|\braise ")
_IN_TAG: Final = re.compile(r"""\b_\((?:"([^"]+)"|'([^']+)')\)""")


class Message(NamedTuple):
    """``plural`` is empty for what does not count."""

    text: str
    plural: str = ""


def all_messages() -> dict[Message, str]:
    """Each message with the first file that says it, as they are found."""
    found: dict[Message, str] = {}
    for path in files("py"):
        refusals = frozenset() if "/rules/" in path.as_posix() else refusal_names()
        for message in python_messages(path.read_text("utf-8"), refusals):
            found.setdefault(message, _name(path))
    for path in files("html"):
        for message in template_messages(path.read_text("utf-8")):
            found.setdefault(message, _name(path))
    from tests.messages.declared import declared_messages

    for message, place in (*declared_messages(), *borrowed_messages()):
        found.setdefault(message, place)
    return found


def borrowed_messages() -> Iterator[tuple[Message, str]]:
    """Each with the package that says it."""
    with BORROWED.open("rb") as file:
        for entry in read_po(file):
            if entry.id:
                text, plural = entry.id if entry.pluralizable else (entry.id, "")
                yield Message(text, plural), entry.locations[0][0]


def files(ending: str) -> Iterator[Path]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob(f"*.{ending}")):
            if not NOT_FOR_READERS.search(path.as_posix()):
                yield path


def python_messages(source: str, refusals: frozenset[str] = frozenset()) -> Iterator[Message]:
    """``refusals`` are names of classes whose literal sentence the doors translate."""
    if not _MARKED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _call(node, refusals)


def template_messages(source: str) -> Iterator[Message]:
    for one, other in _IN_TAG.findall(source):
        yield Message(one or other)
    if "translate" in source:
        yield from _nodes(engines["django"].from_string(source).template.nodelist)


def _call(node: ast.Call, refusals: frozenset[str]) -> Iterator[Message]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    texts = [list(_texts(arg)) for arg in node.args[:2]]
    if texts and (name in SINGLE or name in refusals):
        yield from map(Message, texts[0])
    elif name in COUNTING and len(texts) == 2 and all(texts):
        yield Message(texts[0][0], texts[1][0])
    yield from _second_person(node, name)


def _second_person(node: ast.Call, name: str) -> Iterator[Message]:
    """``say("{seat} is out.", you="You are out.")``; of ``say_n`` the singular and the plural."""
    for keyword in node.keywords:
        if keyword.arg == "you" and name == "say":
            yield from map(Message, _texts(keyword.value))
        elif keyword.arg == "you" and isinstance(keyword.value, ast.Tuple):
            yield Message(*[text for each in keyword.value.elts for text in _texts(each)])


def _texts(node: ast.expr) -> Iterator[str]:
    """The text of a literal; of ``"one" if … else "other"`` both."""
    if isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value


@cache
def refusal_names() -> frozenset[str]:
    from tests.messages.declared import refusal_classes

    return frozenset(each.__name__ for each in refusal_classes())


def _nodes(nodes: Iterable[Node]) -> Iterator[Message]:
    for node in nodes:
        if isinstance(node, BlockTranslateNode):
            one, _ = node.render_token_list(node.singular)
            many = node.render_token_list(node.plural)[0] if node.plural else ""
            yield Message(one, many)
        elif isinstance(node, TranslateNode):
            yield from _literal(node.filter_expression)
        for attribute in dict.fromkeys(("nodelist", *node.child_nodelists)):
            yield from _nodes(getattr(node, attribute, None) or NodeList())


def _literal(expression: FilterExpression) -> Iterator[Message]:
    literal = getattr(expression.var, "literal", expression.var)
    if isinstance(literal, str):
        yield Message(literal.replace("%", "%%"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
