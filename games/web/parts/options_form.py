"""A form for any game's options, made from the fields of its options struct."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from msgspec import inspect

from cardroom.rules.game import AnyGame
from cardroom.rules.option import OptionWords
from cardroom.rules.values import Options
from games.language import words


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
    """What the form shows for a preset: every option with its value."""
    options = game.choose_options(preset=preset)
    return {name: "" if v is None else v for name, v in msgspec.to_builtins(options).items()}


def read(game: AnyGame, sent: QueryDict) -> dict[str, Any]:
    """What was sent for every option, as the form's fields show it again; not checked."""
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


def _plain(field: forms.Field, value: Any) -> Any:
    return None if value in ("", None) and not field.required else value
