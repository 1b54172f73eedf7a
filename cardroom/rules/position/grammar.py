"""The grammar of a position: words, values in brackets, fields in braces. No types, no game."""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import msgspec

_TOKEN = re.compile(r'\s*(?:([][{}=])|("(?:[^"\\]|\\.)*")|([^][{}="\s]+))')
_BARE = re.compile(r"[A-Za-z][\w+-]*|-?[0-9]+")
END = "the end of the line"


class BadPosition(ValueError):
    """A line that is no position of its game; the text names the field."""


class Word(NamedTuple):
    """A word of the line: ``as_written`` is its text, or its text in quotes."""

    as_written: str
    text: str


Tree: TypeAlias = "Word | list[Tree] | dict[str, Tree]"


def shown(tree: "Tree") -> str:
    """A value as the text of a fault names it."""
    match tree:
        case Word(as_written):
            return repr(as_written)
        case list():
            return "a list in brackets"
    return "a struct in braces"


def spelled(value: object) -> str:
    """A number or a text as one word; a text that would not read as one in the quotes of JSON."""
    text = str(value)
    return text if _BARE.fullmatch(text) else msgspec.json.encode(text).decode()


def parsed(line: str) -> tuple[str, dict[str, Tree]]:
    """The first word of a line, and the fields that follow it."""
    tokens = _Tokens(line)
    return tokens.word("The slug of a game"), _fields(tokens, END)


class _Tokens:
    """The tokens of a line: punctuation as ``str``, words as ``Word``."""

    def __init__(self, line: str) -> None:
        self._rest: Iterator[str | Word] = _tokens(line)
        self.next: str | Word = next(self._rest)

    def take(self) -> str | Word:
        taken = self.next
        self.next = next(self._rest, END)
        return taken

    def word(self, what: str) -> str:
        token = self.take()
        if isinstance(token, Word) and token.text == token.as_written:
            return token.text
        raise BadPosition(f"{what} is expected, not {_named(token)}.")

    def expect(self, mark: str, after: str) -> None:
        if self.take() != mark:
            raise BadPosition(f"{after}: {mark!r} is expected.")


def _tokens(line: str) -> Iterator[str | Word]:
    at, line = 0, line.strip()
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise BadPosition(f"{line[at:]!r} is not a value.")
        mark, quoted, bare = match.groups()
        yield mark or (Word(quoted, _unquoted(quoted)) if quoted else Word(bare, bare))
        at = match.end()
    yield END


def _named(token: str | Word) -> str:
    return token if token == END else repr(token.as_written if isinstance(token, Word) else token)


def _unquoted(text: str) -> str:
    try:
        return str(msgspec.json.decode(text, type=str))
    except msgspec.DecodeError:
        raise BadPosition(f"{text} is not a text in quotes.") from None


def _fields(tokens: _Tokens, until: str) -> dict[str, Tree]:
    fields: dict[str, Tree] = {}
    while tokens.next != until:
        name = tokens.word("The name of a field")
        tokens.expect("=", name)
        if name in fields:
            raise BadPosition(f"{name} stands twice.")
        fields[name] = _value(tokens, name)
    return fields


def _value(tokens: _Tokens, at: str) -> Tree:
    match tokens.take():
        case Word() as word:
            return word
        case "[":
            return list(_items(tokens, at))
        case "{":
            fields = _fields(tokens, "}")
            tokens.take()
            return fields
        case other:
            raise BadPosition(f"{at}: a value is expected, not {_named(other)}.")


def _items(tokens: _Tokens, at: str) -> Iterator[Tree]:
    while tokens.next != "]":
        yield _value(tokens, at)
    tokens.take()
