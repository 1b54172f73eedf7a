"""Phrases of the rules in the reader's language, with the letters that the reader wants on cards.

The language is Django's active one. Only doors use this: a service refuses with phrases, and what
is stored is English or no sentence at all.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext, trans_real

import config.words
from cardroom.rules.cards import pretty
from cardroom.rules.text import ENGLISH, Language, Phrase, Words

# Jack, queen, king and ace as players of a language print them. Czech packs carry J Q K A.
LETTERS: Final = {
    "tr": {"J": "V", "Q": "K", "K": "P", "A": "A"},
    "ru": {"J": "В", "Q": "Д", "K": "К", "A": "Т"},
}
_local: ContextVar[bool] = ContextVar("local_letters", default=False)
wants_letters: Final = _local.get  # whether the reader wants the letters of their language


class _Reader:
    def knows(self, message: str, plural: str | None) -> bool:
        known = _messages(get_language() or "en")
        return (message if plural is None else (message, 0)) in known or not _has_words(message)

    def gettext(self, message: str) -> str:
        return gettext(message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        return ngettext(one, many, count)

    def card(self, code: str) -> str:
        return card_text(code)


@cache
def _has_words(message: str) -> bool:
    """Whether there is anything to translate beside the values."""
    return any(map(str.isalpha, re.sub(r"{\w+}", "", message)))


@cache
def _messages(language: str) -> Container[object]:
    """The translations into a language, by message; one that counts by message and form."""
    translation: Any = trans_real.translation(language)
    catalog: Container[object] = translation._catalog  # noqa: SLF001
    return catalog


_READER: Final[Language] = _Reader()


@config.words.words.register(Phrase)
def words(sentence: Words) -> str:
    """A phrase, or a sentence in plain English, for the reader."""
    return gettext(sentence) if isinstance(sentence, str) else sentence.render(reader())


def speaker() -> Callable[[Words], str]:
    """``words`` for many phrases at once; for a reader of English the cheaper ``str``."""
    return str if is_english() else words


def tag_of_language() -> str:
    """The mark of an answer in the reader's words and letters; the English one has none."""
    if is_english():
        return ""
    return f"-{get_language()}{'-letters' if letters() else ''}"


def reader() -> Language:
    """The language in which phrases are rendered for the reader."""
    return ENGLISH if (get_language() or "en").startswith("en") else _READER


def is_english() -> bool:
    return reader() is ENGLISH


def card_text(code: str) -> str:
    """A card as short text: ``TD`` is ``10♦``; the court cards by the reader's letters."""
    if code[0] == "X":
        return gettext("Joker {n}").format(n=code[1])
    shown = pretty(code)
    return letter(code[0]) + shown[1:] if code[0] in "JQKA" else shown


def letter(rank: str) -> str:
    """The letter of a rank: ``J`` is ``В`` for a reader of Russian who wants Russian letters."""
    return letters().get(rank, rank)


def letters() -> dict[str, str]:
    """The reader's own letters; empty for international ones."""
    return LETTERS.get(get_language() or "", {}) if wants_letters() else {}


def has_letters() -> bool:
    """Whether the language has letters of its own."""
    return get_language() in LETTERS


@contextmanager
def local_letters(*, wanted: bool) -> Iterator[None]:
    token = _local.set(wanted)
    try:
        yield
    finally:
        _local.reset(token)


# How cards look to a reader: two or four colours, and which back. A cookie keeps it.

COOKIE: Final = "card_look"
COLOURS: Final = {"two": gettext_lazy("Two colours"), "four": gettext_lazy("Four colours")}
BACKS: Final = {
    "lattice": gettext_lazy("Lattice"),
    "rays": gettext_lazy("Rays"),
    "waves": gettext_lazy("Waves"),
}


@dataclass(frozen=True)
class Look:
    colours: str = "two"
    back: str = "lattice"

    @property
    def classes(self) -> str:
        """Classes of the page's element; the usual look needs none."""
        four = "four-colours" if self.colours == "four" else ""
        back = "" if self.back == "lattice" else f"back-{self.back}"
        return " ".join(filter(None, (four, back)))

    @property
    def back_picture(self) -> str:
        return f"games/cards/back-{self.back}.svg"


def look_of(request: HttpRequest) -> Look:
    colours, _dot, back = request.COOKIES.get(COOKIE, "").partition(".")
    return chosen({"colours": colours, "back": back})


def chosen(named: Mapping[str, str], before: Look = Look()) -> Look:
    """The look with the values named; those that are none keep what was before."""
    colours, back = named.get("colours", ""), named.get("back", "")
    return Look(
        colours if colours in COLOURS else before.colours, back if back in BACKS else before.back
    )
