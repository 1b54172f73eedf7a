"""Words in a template that no tag translates: text, and attributes that people read."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from django.template.base import Lexer, TokenType

READ: Final = frozenset(
    {"title", "alt", "aria-label", "aria-description", "aria-valuetext", "placeholder"}
)
NOT_READ: Final = frozenset({"script", "style", "code", "pre"})
KNOWN: Final = re.compile(
    r"\bCardroom\b|&\w+;|\b(?:Home|End)\b|^(?:tiny|over)$"
)  # names, keys, classes
WORD: Final = re.compile(r"[^\W\d_]{2,}")
_BLOCKS: Final = {
    "comment": "endcomment",
    "blocktranslate": "endblocktranslate",
    "block body_class": "endblock",
    "block stream": "endblock",
    "block waiting_hidden": "endblock",  # an attribute of a tag in base.html
}
_TEXT_OF_A_TAG: Final = re.compile(
    r"""\|(?:default|default_if_none|yesno|pluralize):(["'])(.*?)\1"""
)


def untranslated(source: str) -> list[str]:
    reader = _Reader()
    reader.feed("".join(_without_tags(source)))
    reader.close()
    return [*reader.found, *_defaults(source)]


def _without_tags(source: str) -> Iterator[str]:
    until = None
    for token in Lexer(source).tokenize():
        word = (token.contents.split() or [""])[0]
        if until:
            until = None if token.token_type is TokenType.BLOCK and word == until else until
        elif token.token_type is TokenType.BLOCK:
            until = _BLOCKS.get(word) or _BLOCKS.get(token.contents)
        elif token.token_type is TokenType.TEXT:
            yield token.contents


def _defaults(source: str) -> Iterator[str]:
    for token in Lexer(source).tokenize():
        if token.token_type is TokenType.VAR:
            yield from (text for _, text in _TEXT_OF_A_TAG.findall(token.contents) if _words(text))


def _words(text: str) -> bool:
    return WORD.search(KNOWN.sub("", text)) is not None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in READ and value and _words(value)]
        if tag in NOT_READ:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside and _words(data):
            self.found.append(data.strip())
