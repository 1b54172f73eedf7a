"""A position as one line of text and back, for tests, bug reports and record tools.

    high-card options={players=3} hands=[[7H 9C] [TD KS] [6S 8H]] stock=[AC 2D] leader=1 laid=[QH]

The game's slug, then the fields of its state; what has the value of its default is left out. The
types of the fields say how a value is written: a card as its code, tuples and sets of cards in
brackets, a struct as its fields in braces, ``yes``, ``no``, ``-`` for nothing, a text as it is or
in the quotes of JSON. The line holds every secret of the match: never show it to a player.

The grammar of a position: words, values in brackets, fields in braces. No types, no game.

How a value of each type is written in a position and read again.

Reading gives plain values as JSON has them: msgspec makes them structs and checks their bounds.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
from msgspec import inspect

from cardroom.rules.game import AnyGame

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


Codes = Sequence[str]  # the code of each card


class Form(Protocol):
    def fits(self, value: Any) -> bool:
        """Whether this is the form of such a value, among the members of a union."""

    def write(self, value: Any) -> str: ...

    def read(self, tree: Tree, at: str) -> Any:
        """The plain value; ``at`` names the field in the text of ``BadPosition``."""


def form_of(kind: inspect.Type, codes: Codes) -> Form:
    match kind:
        case inspect.Metadata(extra={"card": True}):
            return Symbols(dict(enumerate(codes)), "is not a card")
        case inspect.Metadata(extra={"card_set": True}):
            return CardSets(Symbols(dict(enumerate(codes)), "is not a card"))
        case inspect.Metadata():
            return form_of(kind.type, codes)
        case inspect.VarTupleType():
            return Tuples(form_of(kind.item_type, codes))
        case inspect.TupleType():
            return Places([form_of(item, codes) for item in kind.item_types])
        case inspect.UnionType():
            return Members([form_of(member, codes) for member in kind.types])
        case inspect.StructType():
            return Structs(kind, {one.name: form_of(one.type, codes) for one in kind.fields})
    return _simple(kind)


def _simple(kind: inspect.Type) -> Form:
    match kind:
        case inspect.NoneType():
            return Symbols({None: "-"}, "is not -")
        case inspect.BoolType():
            return Symbols({True: "yes", False: "no"}, "is neither yes nor no")
        case inspect.LiteralType():
            words = {one: spelled(one) for one in kind.values}
            return Symbols(words, f"is none of {', '.join(words.values())}")
        case inspect.IntType():
            return Numbers()
        case inspect.StrType():
            return Texts()
    raise TypeError(f"There is no text form for values of type {kind}.")


class Symbols(Form):
    """Values that are a word each."""

    def __init__(self, word_of: Mapping[Any, str], fault: str) -> None:
        self._word_of = word_of
        self._value_of = {word: value for value, word in word_of.items()}
        self._fault = fault

    def fits(self, value: Any) -> bool:
        return any(value == one and type(value) is type(one) for one in self._word_of)

    def write(self, value: Any) -> str:
        return self._word_of[value]

    def read(self, tree: Tree, at: str) -> Any:
        if isinstance(tree, Word) and tree.as_written in self._value_of:
            return self._value_of[tree.as_written]
        raise BadPosition(f"{at}: {shown(tree)} {self._fault}.")


class Numbers(Form):
    def fits(self, value: Any) -> bool:
        return type(value) is int

    def write(self, value: Any) -> str:
        return str(value)

    def read(self, tree: Tree, at: str) -> int:
        if isinstance(tree, Word) and tree.as_written.removeprefix("-").isdecimal():
            return int(tree.text)
        raise BadPosition(f"{at}: {shown(tree)} is not a whole number.")


class Texts(Form):
    def fits(self, value: Any) -> bool:
        return isinstance(value, str)

    def write(self, value: Any) -> str:
        return spelled(value)

    def read(self, tree: Tree, at: str) -> str:
        if isinstance(tree, Word):
            return tree.text
        raise BadPosition(f"{at}: {shown(tree)} is not a text.")


class Tuples(Form):
    def __init__(self, item: Form) -> None:
        self._item = item

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple)

    def write(self, value: Any) -> str:
        return f"[{' '.join(map(self._item.write, value))}]"

    def read(self, tree: Tree, at: str) -> list[Any]:
        return [
            self._item.read(item, f"{at}[{n}]") for n, item in enumerate(_forms_items(tree, at))
        ]


class CardSets(Tuples):
    """Sets of cards as the bits of one int, written as the list of their codes."""

    def fits(self, value: Any) -> bool:
        return type(value) is int

    def write(self, value: Any) -> str:
        return super().write([card for card in range(value.bit_length()) if value >> card & 1])

    def read(self, tree: Tree, at: str) -> Any:
        cards = super().read(tree, at)
        if len(set(cards)) < len(cards):
            raise BadPosition(f"{at}: a card stands twice.")
        return sum(1 << card for card in cards)


class Places(Form):
    """Tuples of a fixed length, a form for each place."""

    def __init__(self, places: Sequence[Form]) -> None:
        self._places = places

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple)

    def write(self, value: Any) -> str:
        pairs = zip(self._places, value, strict=True)
        return f"[{' '.join([form.write(item) for form, item in pairs])}]"

    def read(self, tree: Tree, at: str) -> list[Any]:
        items = _forms_items(tree, at)
        if len(items) != len(self._places):
            raise BadPosition(f"{at}: {len(items)} values, not {len(self._places)}.")
        pairs = enumerate(zip(self._places, items, strict=True))
        return [form.read(item, f"{at}[{n}]") for n, (form, item) in pairs]


class Members(Form):
    """Values of one type or another; a text among other words stands in quotes."""

    def __init__(self, members: Sequence[Form]) -> None:
        self._members = sorted(members, key=lambda form: isinstance(form, Texts))

    def fits(self, value: Any) -> bool:
        return any(member.fits(value) for member in self._members)

    def write(self, value: Any) -> str:
        member = next(member for member in self._members if member.fits(value))
        if isinstance(member, Texts):
            return msgspec.json.encode(value).decode()
        return member.write(value)

    def read(self, tree: Tree, at: str) -> Any:
        faults = []
        for member in self._members:
            try:
                return member.read(tree, at)
            except BadPosition as fault:
                faults.append(str(fault))
        raise BadPosition(" ".join(faults))


class Structs(Form):
    """Named fields; one that has its default value is left out."""

    def __init__(self, kind: inspect.StructType, forms: Mapping[str, Form]) -> None:
        self._kind = kind
        self._fields = {field.name: field for field in kind.fields}
        self._forms = forms

    def fits(self, value: Any) -> bool:
        return isinstance(value, self._kind.cls)

    def write(self, value: Any) -> str:
        return "{" + " ".join(self.fields_of(value)) + "}"

    def fields_of(self, value: Any) -> Iterator[str]:
        for name, field in self._fields.items():
            held = getattr(value, name)
            if field.required or held != field.default:
                yield f"{name}={self._forms[name].write(held)}"

    def read(self, tree: Tree, at: str) -> dict[str, Any]:
        if not isinstance(tree, dict):
            raise BadPosition(f"{at}: {shown(tree)} is no struct in braces.")
        inside = f"{at}." if at else ""
        for name in tree:
            if name not in self._fields:
                raise BadPosition(f"{inside}{name} is no field of {self._kind.cls.__name__}.")
        for name, field in self._fields.items():
            if field.required and name not in tree:
                raise BadPosition(f"{inside}{name} is missing.")
        return {
            self._fields[name].encode_name: self._forms[name].read(held, f"{inside}{name}")
            for name, held in tree.items()
        }


def _forms_items(tree: Tree, at: str) -> list[Tree]:
    if isinstance(tree, list):
        return tree
    raise BadPosition(f"{at}: {shown(tree)} is no list in brackets.")


MOST_CARDS = 256  # no pack has more different cards


def write(game: AnyGame, state: Any) -> str:
    """The line of a state, secrets included."""
    return " ".join([game.slug, *_form_of(game).fields_of(state)])


def read(game: AnyGame, line: str) -> Any:
    """The state of a line; ``BadPosition`` names the field that is wrong."""
    slug, fields = parsed(line)
    if slug != game.slug:
        raise BadPosition(f"This is a position of {slug!r}, not of {game.slug!r}.")
    try:
        return msgspec.convert(_form_of(game).read(fields, ""), game.state)
    except msgspec.ValidationError as error:
        raise BadPosition(f"{error}.") from None


@cache
def _form_of(game: AnyGame) -> Structs:
    form = form_of(inspect.type_info(game.state), _codes(game))
    assert isinstance(form, Structs)  # noqa: S101 - a state is a struct
    return form


def _codes(game: AnyGame) -> tuple[str, ...]:
    """The codes of all cards, by number from 0 on, up to the first number that is no card."""
    codes: list[str] = []
    for card in range(MOST_CARDS):
        try:
            codes.append(game.card_text(card))
        except LookupError:
            break
    return tuple(codes)
