"""An option is declared once: a field of the options struct that holds its words too.

    deck: Annotated[
        Literal[36, 52],
        option(say("Cards"), choices={36: say("36, six to ace"), 52: say("52, two to ace")}),
    ] = 36

The form, the rules page and the check of RULES.md read these words from the struct, and the JSON
Schema of the API describes the option with them.

The themes of a game's exercises, and which of them a decision has.

Like a reason, a theme follows from what the seat knows and from the moves alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Meta, inspect

from cardroom.rules.text import Words
from cardroom.rules.values import Event, Move, Options, View

_EXTRA: Final = "option_words"


@dataclass(frozen=True)
class OptionWords:
    """A name, a sentence below the field, words for values, and what the rules page adds.

    A value that has no words is shown as it is.
    """

    label: Words
    sentence: Words = ""
    choices: Mapping[Any, Words] = field(default_factory=dict)
    note: Words = ""

    def description(self) -> str:
        """All of it in English, as programs read it."""
        values = [f"`{value}`: {words}." for value, words in self.choices.items()]
        parts = [f"{self.label}.", str(self.sentence), *values, str(self.note)]
        return " ".join(filter(None, parts))


def option(
    label: Words,
    sentence: Words = "",
    *,
    choices: Mapping[Any, Words] | None = None,
    note: Words = "",
) -> Meta:
    """The words of an option; bounds stand in a ``Meta`` of their own before it."""
    words = OptionWords(label, sentence, choices or {}, note)
    return Meta(description=words.description(), extra={_EXTRA: words})


def words_of(options: type[Options]) -> dict[str, OptionWords]:
    """The words of every option; one that was declared without any is called by its field."""
    return dict(_words_of(options))


def _words_of(options: type[Options]) -> Iterator[tuple[str, OptionWords]]:
    info = inspect.type_info(options)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - options are a struct
    for each in info.fields:
        extra = each.type.extra if isinstance(each.type, inspect.Metadata) else None
        words = (extra or {}).get(_EXTRA)
        yield each.name, words or OptionWords(each.name.replace("_", " ").capitalize())


V = TypeVar("V", bound=View)

# From the view, the events that the seat remembers and all moves from the best to the worst.
ThemeOf: TypeAlias = Callable[[V, Sequence[Event], Sequence[Move]], str | None]


@dataclass(frozen=True)
class Theme:
    """``name`` heads a list of exercises, ``summary`` says what to look at."""

    name: Words
    summary: Words


@dataclass(frozen=True)
class Themes(Generic[V]):
    """``names`` by the slugs that are stored and sent; ``of`` gives one of them, or ``None``."""

    names: Mapping[str, Theme]
    of: "ThemeOf[V]"
