"""How a value of each type is written in a position and read again.

Reading gives plain values as JSON has them: msgspec makes them structs and checks their bounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import inspect

from cardroom.rules.position.grammar import BadPosition, Tree, Word, shown, spelled

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
        return [self._item.read(item, f"{at}[{n}]") for n, item in enumerate(_items(tree, at))]


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
        items = _items(tree, at)
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


def _items(tree: Tree, at: str) -> list[Tree]:
    if isinstance(tree, list):
        return tree
    raise BadPosition(f"{at}: {shown(tree)} is no list in brackets.")
