"""Words travel as phrases: a message with named values, translated where it is shown.

The rules write every sentence with :func:`say` or :func:`say_n`. ``str(phrase)`` is the English
sentence; a door renders the same phrase in another language and with other card letters. The two
function names are what message extraction looks for, so their first arguments are literals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from cardroom.rules.cards import pretty

Value: TypeAlias = "str | int | Phrase | CardName | Listing"


class Language(Protocol):
    """A language in which a door renders phrases. ``knows``: whether it translates a message."""

    def knows(self, message: str, plural: str | None) -> bool: ...

    def gettext(self, message: str) -> str: ...

    def ngettext(self, one: str, many: str, count: int) -> str: ...

    def card(self, code: str) -> str: ...


class _English:
    gettext = str
    card = staticmethod(pretty)

    def knows(self, message: str, plural: str | None) -> bool:
        return True

    def ngettext(self, one: str, many: str, count: int) -> str:
        return one if count == 1 else many


ENGLISH: Language = _English()


class ReaderName(str):
    """The name of the person who reads: a phrase whose ``seat`` it is speaks to them."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CardName:
    """A playing card as a value of a phrase; the door chooses the letters."""

    code: str

    def render(self, language: Language) -> str:
        return language.card(self.code)


@dataclass(frozen=True, slots=True)
class Listing:
    """Values one after the other: ``7♥, 8♥``; with a conjunction ``7♥, 8♥ and 9♥``."""

    values: tuple[Value, ...]
    conjunction: bool = False
    separator: str = ", "

    def render(self, language: Language) -> str:
        *most, last = [
            str(value) if isinstance(value, str | int) else value.render(language)
            for value in self.values
        ] or [""]
        if not most:
            return last
        if not self.conjunction:
            return self.separator.join([*most, last])
        earlier = self.separator.join(most)
        return language.gettext("{most} and {last}").format(most=earlier, last=last)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message, its plural where it counts, and the values of its ``{names}``.

    ``you`` is the same message, with its plural, for the person it is about.
    """

    message: str
    values: Mapping[str, Value]
    plural: str | None = None
    count: int = 0
    you: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.render(ENGLISH)

    def render(self, language: Language) -> str:
        """The sentence in a language; values that are phrases are rendered in it too.

        Where words are missing, here or in a value, the whole sentence is English.
        """
        if self.you and isinstance(self.values.get("seat"), ReaderName):
            return self.to_you().render(language)
        if language is not ENGLISH and not _is_known(self, language):
            language = ENGLISH
        if self.plural is None:
            message = language.gettext(self.message)
        else:
            message = language.ngettext(self.message, self.plural, self.count)
        if not self.values:
            return message
        values = dict(self.values)
        for name, value in values.items():
            if hasattr(value, "render"):
                values[name] = value.render(language)
        return message.format_map(values)

    def to_you(self) -> "Phrase":
        """For the person it is about; the same phrase where it has no second person."""
        if not self.you:
            return self
        message, *plural = self.you
        return Phrase(message, self.values, plural[0] if plural else None, self.count)


def _is_known(value: Any, language: Language) -> bool:
    if isinstance(value, Phrase):
        if not language.knows(value.message, value.plural):
            return False
        return all(_is_known(inner, language) for inner in value.values.values())
    return not isinstance(value, Listing) or all(_is_known(v, language) for v in value.values)


Words: TypeAlias = Phrase | str


def say(message: str, *, you: str = "", **values: Value) -> Phrase:
    """A phrase: ``say("{seat} is out.", you="You are out.", seat=names[0])``."""
    return Phrase(message, values, you=(you,) if you else ())


def say_n(
    one: str, many: str, n: int, *, you: tuple[str, str] | tuple[()] = (), **values: Value
) -> Phrase:
    """A phrase that counts; ``{n}`` is the number."""
    return Phrase(one, {"n": n, **values}, many, n, you)


def named_for(reader: int | None, names: Sequence[str]) -> list[str]:
    """The names by seat; the reader's is rendered as *you* where a phrase has words for it."""
    return [ReaderName(name) if seat == reader else name for seat, name in enumerate(names)]


def phrase_of(words: Words) -> Phrase:
    """The words as a phrase; a plain string is an English message, braces and all."""
    return Phrase(words, {}) if isinstance(words, str) else words


def one_after_the_other(sentences: Sequence[Words]) -> Phrase:
    """Several sentences as one phrase."""
    listing = Listing(tuple(map(phrase_of, sentences)), separator=" ")
    return Phrase("{sentences}", {"sentences": listing})


def counted(n: int) -> Phrase:
    """``1 card``, ``3 cards``."""
    return say_n("{n} card", "{n} cards", n)


def card_names(
    codes: Sequence[str], *, conjunction: bool = False, separator: str = ", "
) -> Listing:
    """Cards by their codes: ``7♥, 8♥``."""
    return Listing(tuple([CardName(code) for code in codes]), conjunction, separator)


def joined(values: Sequence[Value]) -> Listing:
    """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``."""
    return Listing(tuple(values), conjunction=True)
