from collections.abc import Sequence

from games.rules.cards import pretty
from games.rules.values import Event, Move
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken


def label(move: Move) -> str:
    return f"Lay {pretty(move)}"


def narrate(event: Event, names: Sequence[str]) -> str:
    match event:
        case Dealt():
            return "Everybody gets three cards."
        case CardLaid(seat, card):
            return f"{names[seat]} lays {pretty(card)}."
        case TrickTaken(seat):
            return f"{names[seat]} takes the trick."
    raise TypeError(event)
