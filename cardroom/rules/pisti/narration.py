"""Pişti in words: a move as a button says it, an event as the table tells it."""

from collections.abc import Sequence
from functools import reduce

from cardroom.rules.pisti.events import (
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
)
from cardroom.rules.text import (
    CardName,
    Listing,
    Phrase,
    Value,
    card_names,
    counted,
    joined,
    say,
    say_n,
)
from cardroom.rules.values import Event, Move


def label(move: Move) -> Phrase:
    return say("Play {card}", card=CardName(move))


def narrate(event: Event, names: Sequence[str]) -> Phrase:  # noqa: C901 - one line an event
    """One sentence that tells no more than the event does; ``names`` by seat."""
    match event:
        case DealStarted():
            return _deal_started(event, names)
        case HandDealt():
            return _hand_dealt(event, names[event.seat])
        case CentreDealt():
            cards, top = counted(event.count), CardName(event.top)
            return say("{cards} lie in the centre, {top} on top.", cards=cards, top=top)
        case JackBuried():
            jack, top = CardName(event.card), CardName(event.top)
            return say("{jack} goes under the pile; {top} is turned up.", jack=jack, top=top)
        case Redeal():
            return say("Four jacks lie in the centre: the cards are dealt again.")
        case CardPlayed():
            return say(
                "{seat} plays {card}.",
                you="You play {card}.",
                seat=names[event.seat],
                card=CardName(event.card),
            )
        case Captured():
            return _captured(event, names[event.seat])
        case Pisti():
            return _pisti(event, names[event.seat])
        case LeftoverAwarded():
            return _leftover_awarded(event, names[event.seat])
        case DealScored():
            return _deal_scored(event, names)
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Pişti.")


def _deal_started(event: DealStarted, names: Sequence[str]) -> Phrase:
    return say(
        "Deal {n}: {dealer} deals, {starter} starts.",
        n=event.deal_no,
        dealer=names[event.dealer],
        starter=names[event.starter],
    )


def _hand_dealt(event: HandDealt, seat: str) -> Phrase:
    count = counted(event.count)
    if not event.cards:
        return say("{seat} gets {count}.", you="You get {count}.", seat=seat, count=count)
    shown = card_names(event.cards, separator=" ")
    return say(
        "{seat} gets {count}: {cards}.",
        you="You get {count}: {cards}.",
        seat=seat,
        count=count,
        cards=shown,
    )


def _captured(event: Captured, seat: str) -> Phrase:
    count = counted(event.count)
    if not event.face_down:
        return say("{seat} captures {count}.", you="You capture {count}.", seat=seat, count=count)
    shown = card_names(event.face_down, separator=" ")
    return say(
        "{seat} captures {count}; face down lay {cards}.",
        you="You capture {count}; face down lay {cards}.",
        seat=seat,
        count=count,
        cards=shown,
    )


def _pisti(event: Pisti, seat: str) -> Phrase:
    if event.kind == "double":
        return say_n(
            "{seat} makes a double pişti: {n} point.",
            "{seat} makes a double pişti: {n} points.",
            event.points,
            you=("You make a double pişti: {n} point.", "You make a double pişti: {n} points."),
            seat=seat,
        )
    return say_n(
        "{seat} makes a pişti: {n} point.",
        "{seat} makes a pişti: {n} points.",
        event.points,
        you=("You make a pişti: {n} point.", "You make a pişti: {n} points."),
        seat=seat,
    )


def _leftover_awarded(event: LeftoverAwarded, seat: str) -> Phrase:
    return say_n(
        "The last card goes to {seat}.",
        "The last {n} cards go to {seat}.",
        event.count,
        you=("The last card goes to you.", "The last {n} cards go to you."),
        seat=seat,
    )


def _deal_scored(event: DealScored, names: Sequence[str]) -> Phrase:
    scores = [
        say(
            "{side} {points} (now {total})",
            side=_side(number, len(event.sides), names),
            points=side.deal_points,
            total=side.total,
        )
        for number, side in enumerate(event.sides)
    ]
    return say("The deal is scored: {sides}.", sides=Listing(tuple(scores)))


def _match_over(event: MatchOver, names: Sequence[str]) -> Phrase:
    totals = _totals(event)
    if event.winner is None:
        return say("The match is over, {totals}: a draw.", totals=totals)
    sides = len(event.totals)
    return say_n(
        "{winners} wins the match, {totals}.",
        "{winners} win the match, {totals}.",
        len(names) // sides,
        winners=_side(event.winner, sides, names),
        totals=totals,
    )


def _side(side: int, sides: int, names: Sequence[str]) -> Listing:
    """The players of a side: ``Ada and Cleo``."""
    return joined(names[side::sides])


def _totals(event: MatchOver) -> Value:
    """The best first: ``155 to 120``."""
    ordered: list[Value] = [*sorted(event.totals, reverse=True)]
    return reduce(lambda more, total: say("{more} to {total}", more=more, total=total), ordered)
