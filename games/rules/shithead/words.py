"""Moves and events in words, and why a card cannot be played now."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.rules.cards import CARD, RANK, pretty
from games.rules.shithead import events as happened
from games.rules.shithead import notation, refusals
from games.rules.shithead.view import ShitheadView
from games.rules.values import Event, Move

_FROM: Final = {
    "hand": "",
    "top": " from the top cards",
    "hand_top": " from hand and top cards",
    "hidden": " from the hidden cards",
}
_REASON: Final = {"ten": "a ten", "four": "four of a kind", "jokers": "two jokers"}


def why_not(view: ShitheadView, code: str) -> str | None:
    """Why this card may not be played on the pile now, for example "8♦ is lower than the king on
    the pile."; ``None`` if it may. Whose turn it is, and where the card lies, is not asked."""
    pile = [CARD[card] for card in view.pile]
    return refusals.why_not(pile, view.options, RANK[CARD[code]], pretty(code))


def label(move: Move) -> str:
    choice = notation.read(move)
    if choice.kind == "ready":
        return "Ready"
    if choice.kind == "pickup":
        return "Pick up the pile"
    if choice.kind == "blind":
        return f"Turn up hidden card {choice.numbers[0] + 1}"
    if choice.kind == "swap":
        card, top = move.split(" ")[1:]
        return f"Lay {pretty(card)} open, take {pretty(top)}"
    return f"Play {_listed(move.split(' '))}"


def narrate(event: Event, names: Sequence[str]) -> str:
    """One short sentence; never more than the event itself tells."""
    match event:
        case happened.GameStarted():
            return (
                f"Game {event.game_no}: {names[event.dealer]} deals {event.k} cards of each kind."
            )
        case happened.Dealt():
            return f"{names[event.seat]} shows {_listed(event.top)}."
        case happened.Exchanged():
            took, lays = pretty(event.to_hand), pretty(event.to_top)
            return f"{names[event.seat]} lays {lays} open and takes {took}."
        case happened.Ready():
            return f"{names[event.seat]} is ready."
        case happened.Played():
            return f"{names[event.seat]} plays {_listed(event.cards)}{_FROM[event.source]}."
        case happened.HiddenFailed():
            return f"{names[event.seat]} turns up {pretty(event.card)}, which may not be played."
        case happened.PickedUp():
            return f"{names[event.seat]} picks up {_counted(event.count)}."
        case happened.Direction():
            way = "clockwise" if event.value == 1 else "anticlockwise"
            return f"Play goes {way} now."
        case _:
            return _narrate_ends(event, names)


def _narrate_ends(event: Event, names: Sequence[str]) -> str:
    match event:
        case happened.Burned():
            burned = _counted(event.count)
            return f"{_REASON[event.reason].capitalize()}: {names[event.seat]} burns {burned}."
        case happened.Drew():
            drawn = "a card" if event.card is None else pretty(event.card)
            return f"{names[event.seat]} draws {drawn}; {event.stock} left in the stock."
        case happened.SeatOut():
            return f"{names[event.seat]} is out in place {event.place}."
        case happened.Turn():
            return f"{names[event.seat]} is to play."
        case happened.GameOver():
            return " ".join([_shed(event, names), *_left(event.remaining, names)])
        case happened.MatchOver():
            best = [names[s.seat] for s in event.standings if s.place == 1]
            return f"The match is over; {_and(best)} {_wins(best)}."
        case _:
            raise TypeError(f"{type(event).__name__} is no event of Shithead.")


def _shed(event: happened.GameOver, names: Sequence[str]) -> str:
    shed = [names[seat] for seat in event.shed]
    return f"The game is over; {_and(shed)} {'is' if len(shed) == 1 else 'share being'} the shed."


def _left(remaining: Iterable[happened.Remaining], names: Sequence[str]) -> list[str]:
    return [
        f"{names[left.seat]} is left with {_listed((*left.hand, *left.top, *left.hidden))}."
        for left in remaining
    ]


def _listed(codes: Iterable[str]) -> str:
    return " ".join(map(pretty, codes))


def _counted(cards: int) -> str:
    return "one card" if cards == 1 else f"{cards} cards"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _wins(names: Sequence[str]) -> str:
    return "wins" if len(names) == 1 else "share the win"
