"""The defaults of the facts in ``Game`` that a game need not state."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from cardroom.rules import cards
from cardroom.rules.bot import Bot
from cardroom.rules.redeal import DefaultRedeal
from cardroom.rules.state_fields import cards_in, fields_of, is_seat, item_type
from cardroom.rules.text import Phrase, Words, say
from cardroom.rules.values import (
    AnyCard,
    Event,
    Move,
    Options,
    Pinned,
    Redealt,
    Resigned,
    RolledBack,
    Seat,
    Setup,
    State,
    each_seat_a_side,
)

__all__ = ["each_seat_a_side"]

TWO_SEATS = (2, 2)


def seat_bounds(options: type[Options]) -> tuple[int, int]:
    """Fewest and most seats: the bounds of the option ``players``; without it two."""
    info = msgspec.inspect.type_info(options)
    assert isinstance(info, msgspec.inspect.StructType)  # noqa: S101 - options are a struct
    for field in info.fields:
        kind = field.type
        if isinstance(kind, msgspec.inspect.Metadata):  # where the option has bounds or words
            kind = kind.type
        if field.name == "players" and isinstance(kind, msgspec.inspect.IntType):
            return kind.ge or TWO_SEATS[0], kind.le or TWO_SEATS[1]
    return TWO_SEATS


def seats(options: Any) -> int:
    return int(getattr(options, "players", TWO_SEATS[0]))


def strongest(bots: Sequence[Bot[Any]]) -> str:
    """The strongest rated bot; the first of equal ones."""
    return max((bot for bot in bots if bot.rated), key=lambda bot: bot.level).slug


def cards_of(state: type[State]) -> Callable[[Any], Sequence[AnyCard]]:
    """Every card of a state, found by the types of its fields."""
    cards = cards_in(state)
    return _no_cards(state) if cards is None else lambda value: tuple(cards.listed(value))


def redeal_of(game: Any) -> Callable[..., Redealt[Any]]:
    """Deals again what no view and no event names, by the types of the state's fields."""
    if not game.distinct_cards:
        return _refusing(f"{game.name} has equal cards, so it must state `redeal` itself.")
    if cards_in(game.state) is None:
        return _no_cards(game.state)
    return default_redeal(game)


def default_redeal(game: Any) -> DefaultRedeal:
    """The default re-deal of a game, whether or not the game states its own."""
    return DefaultRedeal(
        view=game.view,
        opening=game.opening,
        card_text=game.card_text,
        pinned=game.pinned,
        arrange=game.arrange,
        deals=game.deals,
    )


def _no_cards(state: type[State]) -> Callable[..., Any]:
    return _refusing(
        f"No field of {state.__name__} is typed Card; type them so, or state `cards` and `redeal`."
    )


def _refusing(sentence: str) -> Callable[..., Any]:
    def refuse(*_: Any) -> Any:
        raise TypeError(sentence)

    return refuse


def pinned(_state: Any, _history: Any) -> tuple[Pinned, ...]:
    return ()


def arrange(state: Any) -> Any:
    return state


card_text: Final[Callable[[int], str]] = cards.TEXT.__getitem__


def label(move: Move) -> Words:
    """The move with its cards as people write them."""
    return " ".join(cards.pretty(part) if part in cards.CARD else part for part in move.split())


def narrate(event: Event, names: Sequence[str]) -> Words:
    """The event's name and fields in words: ``Card played: Ada, 7♥.``"""
    kind = str(type(event).__struct_config__.tag).replace("_", " ").capitalize()
    fields = fields_of(type(event)).items()
    facts = [_in_words(getattr(event, name), of, names) for name, of in fields]
    stated = ", ".join(filter(None, facts))
    return f"{kind}: {stated}." if stated else f"{kind}."


def _in_words(value: Any, kind: msgspec.inspect.Type, names: Sequence[str]) -> str:
    """Seats by their names, cards as people write them; nothing for what is null."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        items = [_in_words(item, item_type(kind, at), names) for at, item in enumerate(value)]
        return ", ".join(filter(None, items))
    if is_seat(kind):
        return str(names[value])
    return cards.pretty(value) if isinstance(value, str) and value in cards.CARD else str(value)


def narrate_resignation(event: Resigned, names: Sequence[str]) -> Phrase:
    name = names[event.seat]
    if event.timed_out:
        return say("{seat} ran out of time.", you="You ran out of time.", seat=name)
    return say("{seat} resigned.", you="You resigned.", seat=name)


def narrate_roll_back(event: RolledBack, round_name: str) -> Phrase:
    match round_name:
        case "deal":
            return say("Deal {round} was dealt again from its beginning.", round=event.round)
        case "game":
            return say("Game {round} was dealt again from its beginning.", round=event.round)
        case "match":
            return say("The match was dealt again from its beginning.")
        case _:
            return say("Round {round} was dealt again from its beginning.", round=event.round)


def leaders_by(places: bool) -> Callable[[Sequence[Sequence[int]]], tuple[int, ...]]:  # noqa: FBT001
    """The sides with the highest sum of scores; the lowest where these are places."""
    return partial(_leaders, min if places else max)


def _leaders(
    best: Callable[[Sequence[int]], int], scores: Sequence[Sequence[int]]
) -> tuple[int, ...]:
    totals = [sum(made) for made in zip(*scores, strict=True)]
    return tuple(side for side, total in enumerate(totals) if total == best(totals))


def match_point(_options: Any, _scores: Any) -> tuple[int, ...]:
    return ()


def check_options(_options: Any) -> None:
    return None


def complete_setup(_options: Any, setup: Setup) -> Setup:
    return setup


def retired_seats(_state: Any) -> frozenset[Seat]:
    return frozenset()


def autoplays(_state: Any, _seat: Seat) -> bool:
    return False


def redeal_suffices(_state: Any, _steps: Any) -> bool:
    return False


def time_goes_on(_state: Any) -> bool:
    return False


def public_move(move: Move) -> Move:
    return move


def alike(move: Move) -> Move:
    return move


def represents_others(_move: Move) -> bool:
    return False
