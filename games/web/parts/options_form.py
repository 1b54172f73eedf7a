"""Options of any game as a form and in words, with the terms of a match."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from msgspec import inspect

from cardroom.rules.game import AnyGame
from cardroom.rules.option import OptionWords
from cardroom.rules.values import Options
from decks import selectors
from decks.models import Deck
from games.language import wants_letters, words
from games.matches.time_bank import PACES, Clock, clock_pace
from games.web.parts.table_page import TablePage


class OptionsForm(forms.Form):
    """A field for every option."""

    def __init__(self, game: AnyGame, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.game = game
        for name, field in option_fields(game):
            self.fields[name] = field

    def values(self) -> dict[str, Any]:
        """The options as the rules take them; call it on a valid form."""
        return {name: _plain(self.fields[name], v) for name, v in self.cleaned_data.items()}


def option_fields(game: AnyGame) -> Iterator[tuple[str, forms.Field]]:
    info = inspect.type_info(game.options)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{game.slug} has no struct of options.")
    for option in info.fields:
        field = _field(_unwrapped(option.type), option.default)
        yield option.name, _in_words(field, game.option_words[option.name])


def preset_name(game: AnyGame, preset: str) -> str:
    if preset in game.preset_names:
        return words(game.preset_names[preset])
    return gettext(preset.replace("_", " "))


def _in_words(field: forms.Field, option: OptionWords) -> forms.Field:
    """The field in the words of its game; a choice without words keeps its own."""
    if isinstance(field, forms.IntegerField) and option.choices:
        field = forms.TypedChoiceField(
            choices=[(value, value) for value in option.choices], coerce=int, initial=field.initial
        )
    field.label, field.help_text = words(option.label), words(option.sentence)
    if isinstance(field, forms.ChoiceField):
        choices: dict[Any, Any] = dict(field.choices)  # type: ignore[arg-type]
        field.choices = [
            (value, words(option.choices[value]) if value in option.choices else shown)
            for value, shown in choices.items()
        ]
    return field


@dataclass(frozen=True)
class ChosenOption:
    """An option of a match in words; ``is_changed``: it is not what it is by default."""

    label: str
    value: str
    is_changed: bool


def chosen(game: AnyGame, options: Options) -> list[ChosenOption]:
    """Every option of a match, what was changed first."""
    return _chosen(game, options, get_language(), wants_letters())


@lru_cache(maxsize=1024)
def _chosen(game: AnyGame, options: Options, *_reader: object) -> list[ChosenOption]:
    all_options = [
        ChosenOption(str(field.label), _value(field, value), value != field.initial)
        for name, field in option_fields(game)
        for value in [getattr(options, name)]
    ]
    return sorted(all_options, key=lambda option: not option.is_changed)


def _value(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.ChoiceField):
        choices: dict[Any, Any] = dict(field.choices)  # type: ignore[arg-type]
        return str(choices[value])
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return gettext("no limit") if value is None else str(value)


def initial(game: AnyGame, preset: str | None = None) -> dict[str, Any]:
    """Every option with its value for a preset, as the form shows it."""
    options = game.choose_options(preset=preset)
    return {name: "" if v is None else v for name, v in msgspec.to_builtins(options).items()}


def read(game: AnyGame, sent: QueryDict) -> dict[str, Any]:
    """Every option as it was sent, as the form's fields show it again; not checked."""
    fields = OptionsForm(game).fields
    return {
        name: field.widget.value_from_datadict(sent, {}, name) for name, field in fields.items()
    }


def _unwrapped(kind: inspect.Type) -> inspect.Type:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def _field(kind: inspect.Type, default: Any) -> forms.Field:
    optional = False
    if isinstance(kind, inspect.UnionType):
        optional = kind.includes_none
        kind = _unwrapped(next(t for t in kind.types if not isinstance(t, inspect.NoneType)))
    if isinstance(kind, inspect.BoolType):
        return forms.BooleanField(required=False, initial=default)
    if isinstance(kind, inspect.LiteralType):
        choices = [(value, gettext(str(value).replace("_", " "))) for value in kind.values]
        whole = all(isinstance(value, int) for value in kind.values)
        coerce = int if whole else str
        return forms.TypedChoiceField(choices=choices, coerce=coerce, initial=default)
    if isinstance(kind, inspect.IntType):
        return forms.IntegerField(
            required=not optional, min_value=kind.ge, max_value=kind.le, initial=default
        )
    raise TypeError(f"No form field is known for an option of {kind}.")


def number_field(terms: type[msgspec.Struct], name: str, **words: Any) -> forms.Field:
    """The field of a form for a number among terms, which say its bounds and what is usual."""
    info = inspect.type_info(terms)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - terms are a struct
    term = next(each for each in info.fields if each.name == name)
    field = _field(_unwrapped(term.type), term.default)
    vars(field).update(words)
    return field


def _plain(field: forms.Field, value: Any) -> Any:
    return None if value in ("", None) and not field.required else value


# How a match is played, in a few words, and what that says to a person who is invited to it.

OPTIONS_SHOWN: Final = 6
_PACES: Final = {pace.turn_seconds: pace.name for pace in PACES}


def rules_in_words(game: AnyGame, options: Options) -> list[str]:
    """*Points to win: 51*, of what is not as usual."""
    changed = [each for each in chosen(game, options) if each.is_changed]
    return [f"{each.label}: {each.value}" for each in changed[:OPTIONS_SHOWN]]


def pace_in_words(turn_seconds: int | None, clock: Clock | None = None) -> str:
    if clock is not None:
        return words(clock_pace(clock).name)
    if turn_seconds is None:
        return gettext("no limit for a move")
    if turn_seconds in _PACES:
        return words(_PACES[turn_seconds])
    return gettext("{n} seconds for a move").format(n=turn_seconds)


@dataclass(frozen=True)
class Invitation:
    """An open match for a person who may never have heard of the game.

    ``seat`` is the one that a single press takes; none where the reader cannot sit down.
    """

    page: TablePage

    @property
    def host(self) -> str:
        return self.page.name_of(self.page.match.creator_id)

    @property
    def summary(self) -> str:
        return words(self.page.match.rules.summary)

    @property
    def rules(self) -> list[str]:
        return rules_in_words(self.page.match.rules, self.page.match.options)

    @property
    def pace(self) -> str:
        match = self.page.match
        return pace_in_words(match.turn_seconds, match.banks.terms if match.banks else None)

    @property
    def seat(self) -> int | None:
        free = [panel.seat for panel in self.page.seat_panels if panel.seat.kind == "open"]
        own = [seat.index for seat in free if seat.awaits(self.page.user)]
        anybodys = [seat.index for seat in free if self.page.is_free_for_reader(seat)]
        return next(iter(own + anybodys), None) if self.page.can_join else None


def invitation(page: TablePage) -> Invitation | None:
    """While the match waits for players and the reader has no seat in it."""
    is_open = page.match.status == "open" and not page.own_seats
    return Invitation(page) if is_open else None


# The side decks that a player may bring to a match.


def decks_for(user: UUID | None, game: AnyGame) -> Iterable[Deck]:
    """The player's own decks; none where the game has no side decks."""
    return selectors.of(user) if user and game.needs_side_deck else ()
