"""Moves and events as a person reads them; never more than the event itself tells."""

from collections.abc import Sequence

from cardroom.rules.text import CardName, Listing, Phrase, card_names, joined, say
from cardroom.rules.values import Event, Move
from scopa_cardroom.events import (
    Captured,
    CardChosen,
    CardPlayed,
    DealScored,
    DealStarted,
    HandsDealt,
    LeftoverTaken,
    TableLaid,
    ThrownIn,
)
from scopa_cardroom.moves import TAKES


def label(move: Move) -> Phrase:
    if move.startswith(TAKES):
        return say("Take {card}", card=CardName(move.removeprefix(TAKES)))
    return say("Play {card}", card=CardName(move))


def narrate(event: Event, names: Sequence[str]) -> Phrase:
    match event:
        case DealStarted():
            leader = names[event.leader]
            return say("Deal {n}: {leader} plays first.", n=event.round, leader=leader)
        case ThrownIn():
            return say(
                "{cards} lie on the table: the cards are dealt again.",
                cards=card_names(event.cards, separator=" "),
            )
        case TableLaid():
            cards = card_names(event.cards, separator=" ")
            return say("{cards} lie on the table.", cards=cards)
        case HandsDealt():
            return _hands_dealt(event)
        case CardPlayed():
            card, seat = CardName(event.card), names[event.seat]
            return say("{seat} plays {card}.", you="You play {card}.", seat=seat, card=card)
        case CardChosen():
            card, seat = CardName(event.card), names[event.seat]
            return say("{seat} chooses {card}.", you="You choose {card}.", seat=seat, card=card)
        case Captured():
            return _captured(event, names[event.seat])
        case LeftoverTaken():
            return say(
                "The cards left go to {seat}: {cards}.",
                you="The cards left go to you: {cards}.",
                seat=names[event.seat],
                cards=card_names(event.cards, separator=" "),
            )
        case DealScored():
            return _deal_scored(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Scopa.")


def _hands_dealt(event: HandsDealt) -> Phrase:
    own = next((hand for hand in event.hands if hand), None)
    if own is None or sum(hand is not None for hand in event.hands) > 1:
        return say("Everybody gets cards.")
    return say("You get {cards}.", cards=card_names(own, separator=" "))


def _captured(event: Captured, seat: str) -> Phrase:
    taken = card_names(event.cards, separator=" ")
    if event.sweep:
        return say(
            "{seat} takes {cards}: scopa!",
            you="You take {cards}: scopa!",
            seat=seat,
            cards=taken,
        )
    return say("{seat} takes {cards}.", you="You take {cards}.", seat=seat, cards=taken)


def _deal_scored(event: DealScored, names: Sequence[str]) -> Phrase:
    scores = [
        say(
            "{side} {points} (now {total})",
            side=joined(names[number :: len(event.sides)]),
            points=side.points,
            total=side.total,
        )
        for number, side in enumerate(event.sides)
    ]
    return say("The deal is scored: {sides}.", sides=Listing(tuple(scores)))
