"""Pişti in words: a move as a button says it, an event as the table tells it."""

from collections.abc import Sequence

from games.rules.cards import pretty
from games.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealScored,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
    Redeal,
    SideScore,
)
from games.rules.values import Event, Move

_PISTI = {"single": "a pişti", "double": "a double pişti"}


def label(move: Move) -> str:
    return f"Play {pretty(move)}"


def narrate(event: Event, names: Sequence[str]) -> str:  # noqa: C901 - one line an event
    """One sentence that tells no more than the event does; ``names`` by seat."""
    match event:
        case DealStarted():
            return (
                f"Deal {event.deal_no}: {names[event.dealer]} deals, {names[event.starter]} starts."
            )
        case HandDealt():
            return f"{names[event.seat]} gets {_cards(event.count)}{_listed(event.cards)}."
        case CentreDealt():
            return f"{_cards(event.count)} lie in the centre, {pretty(event.top)} on top."
        case JackBuried():
            return f"{pretty(event.card)} goes under the pile; {pretty(event.top)} is turned up."
        case Redeal():
            return "Four jacks lie in the centre: the cards are dealt again."
        case CardPlayed():
            return f"{names[event.seat]} plays {pretty(event.card)}."
        case Captured():
            return f"{names[event.seat]} captures {_cards(event.count)}{_under(event.face_down)}."
        case Pisti():
            return f"{names[event.seat]} makes {_PISTI[event.kind]}: {event.points} points."
        case LeftoverAwarded():
            left = "card goes" if event.count == 1 else f"{event.count} cards go"
            return f"The last {left} to {names[event.seat]}."
        case DealScored():
            return _scores(event.sides, names)
        case MatchOver():
            return _result(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Pişti.")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _listed(codes: Sequence[str] | None) -> str:
    return f": {' '.join(map(pretty, codes))}" if codes else ""


def _under(face_down: Sequence[str] | None) -> str:
    return f"; face down lay {' '.join(map(pretty, face_down))}" if face_down else ""


def _side_name(side: int, side_count: int, names: Sequence[str]) -> str:
    return " and ".join(names[side::side_count])


def _scores(sides: Sequence[SideScore], names: Sequence[str]) -> str:
    told = [
        f"{_side_name(side, len(sides), names)} {score.deal_points} (now {score.total})"
        for side, score in enumerate(sides)
    ]
    return f"The deal is scored: {', '.join(told)}."


def _result(event: MatchOver, names: Sequence[str]) -> str:
    totals = " to ".join(map(str, sorted(event.totals, reverse=True)))
    if event.winner is None:
        return f"The match is over, {totals}: a draw."
    winners = _side_name(event.winner, len(event.totals), names)
    verb = "wins" if len(names) == len(event.totals) else "win"
    return f"{winners} {verb} the match, {totals}."
