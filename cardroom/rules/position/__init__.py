"""A position as one line of text and back, for tests, bug reports and record tools.

    high-card options={players=3} hands=[[7H 9C] [TD KS] [6S 8H]] stock=[AC 2D] leader=1 laid=[QH]

The game's slug, then the fields of its state; what has the value of its default is left out. The
types of the fields say how a value is written: a card as its code, tuples and sets of cards in
brackets, a struct as its fields in braces, ``yes``, ``no``, ``-`` for nothing, a text as it is or
in the quotes of JSON. The line holds every secret of the match: never show it to a player.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from cardroom.rules.game import AnyGame
from cardroom.rules.position.forms import Structs, form_of
from cardroom.rules.position.grammar import BadPosition, parsed

__all__ = ["BadPosition", "read", "write"]

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
