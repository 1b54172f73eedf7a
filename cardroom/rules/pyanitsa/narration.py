"""Moves and events as a person reads them; never more than the event itself tells.

Phrases of players at the table. The slugs are stored and sent, so they stay.

Hints for a beginner, and the moments of a match.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cardroom.rules.pyanitsa.events import (
    CardLaid,
    Dealt,
    Dispute,
    MatchOver,
    Recycled,
    SeatOut,
    TrickTaken,
)
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.predicates import FLIP
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.text import CardName, Phrase, Words, card_names, counted, joined, say, say_n
from cardroom.rules.values import Cause, Event, Move, Seat


def label(move: Move) -> Phrase:
    if move == FLIP:
        return say("Turn up the next card")
    _, *cards = move.split(" ")
    if not cards:
        return say("Collect the trick")
    return say("Collect {cards}", cards=card_names(cards, separator=" "))


def narrate(event: Event, names: Sequence[str]) -> Phrase:
    match event:
        case Dealt():
            return _dealt(event)
        case CardLaid():
            return _card_laid(event, names[event.seat])
        case Recycled():
            seat, count = names[event.seat], counted(event.count)
            return say(
                "{seat} turns the won pile over: {count}.",
                you="You turn the won pile over: {count}.",
                seat=seat,
                count=count,
            )
        case Dispute():
            return _dispute(event, names)
        case TrickTaken():
            return _trick_taken(event, names[event.seat])
        case SeatOut():
            return say(
                "{seat} has no cards left and is out.",
                you="You have no cards left and are out.",
                seat=names[event.seat],
            )
        case MatchOver():
            return _match_over(event, names)
    raise TypeError(f"{type(event).__name__} is not an event of Pyanitsa.")


def _dealt(event: Dealt) -> Phrase:
    count = counted(event.cards_per_seat)
    if not event.set_aside:
        return say("Everybody gets {count}.", count=count)
    return say_n(
        "Everybody gets {count}. {n} card set aside unseen.",
        "Everybody gets {count}. {n} cards set aside unseen.",
        event.set_aside,
        count=count,
    )


def _card_laid(event: CardLaid, seat: str) -> Phrase:
    if event.card is None:
        return say("{seat} lays a card face down.", you="You lay a card face down.", seat=seat)
    return say("{seat} lays {card}.", you="You lay {card}.", seat=seat, card=CardName(event.card))


def _dispute(event: Dispute, names: Sequence[str]) -> Phrase:
    seats = joined([names[seat] for seat in event.seats])
    match event.level == 1, event.mortgage:
        case True, False:
            return say("Dispute between {seats}.", seats=seats)
        case True, True:
            return say("Dispute between {seats}, each with a card face down.", seats=seats)
        case False, False:
            return say("Another dispute between {seats}.", seats=seats)
    return say("Another dispute between {seats}, each with a card face down.", seats=seats)


def _trick_taken(event: TrickTaken, seat: str) -> Phrase:
    count = counted(event.count)
    if event.reason == "highest":
        return say("{seat} takes {count}.", you="You take {count}.", seat=seat, count=count)
    if event.face_down:
        return _trick_with_cards_face_down(event, event.face_down, seat)
    if event.reason == "dispute_won":
        return say(
            "{seat} takes {count}, winning the dispute.",
            you="You take {count}, winning the dispute.",
            seat=seat,
            count=count,
        )
    return say(
        "{seat} takes {count}, having none left to dispute with.",
        you="You take {count}, having none left to dispute with.",
        seat=seat,
        count=count,
    )


def _trick_with_cards_face_down(event: TrickTaken, codes: Sequence[str], seat: str) -> Phrase:
    count, cards = counted(event.count), card_names(codes)
    if event.reason == "dispute_won":
        return say(
            "{seat} takes {count}, winning the dispute; face down lay {cards}.",
            you="You take {count}, winning the dispute; face down lay {cards}.",
            seat=seat,
            count=count,
            cards=cards,
        )
    return say(
        "{seat} takes {count}, having none left to dispute with; face down lay {cards}.",
        you="You take {count}, having none left to dispute with; face down lay {cards}.",
        seat=seat,
        count=count,
        cards=cards,
    )


def _match_over(event: MatchOver, names: Sequence[str]) -> Phrase:
    n, winners = len(event.winners), joined([names[seat] for seat in event.winners])
    match event.reason:
        case "all_cards":
            return say_n(
                "{winners} wins the match with all the cards.",
                "{winners} share the win with all the cards.",
                n,
                winners=winners,
            )
        case "gave_away":
            return say_n(
                "{winners} wins the match with no cards left.",
                "{winners} share the win with no cards left.",
                n,
                winners=winners,
            )
        case "limit":
            return say_n(
                "{winners} wins the match at the trick limit.",
                "{winners} share the win at the trick limit.",
                n,
                winners=winners,
            )


PHRASES: Final[Mapping[str, Phrase]] = {
    "dispute": say("A dispute!"),
    "my_ace": say("There goes my ace."),
    "heap_grows": say("My heap is growing."),
    "all_night": say("This may take all night."),
}


def hint(view: PyanitsaView) -> Words | None:
    """A hint at the next step; ``None`` when the seat has nothing to do."""
    if not view.legal_moves:
        return None
    if view.phase == "collect":
        return say("The first card you choose comes up first.")
    if view.level:
        return say("Equal cards: the next ones decide who takes everything.")
    return say("The highest card takes the trick; equal cards are a dispute.")


def match_causes(events: Iterable[Event], options: PyanitsaOptions) -> list[list[Cause]]:
    """The causes of the number of cards that each seat holds after the last trick taken.

    The hand it was dealt (R4), the cards from plain tricks and from disputes, less its own cards
    that went to others: everybody saw how many lay there.
    """
    dealt = options.deck // options.players  # also where a loaded match does not tell it
    won: dict[bool, Counter[Seat]] = {False: Counter(), True: Counter()}
    laid: Counter[Seat] = Counter()
    is_disputed = False
    for event in events:
        match event:
            case CardLaid():
                laid[event.seat] += 1
            case Dispute():
                is_disputed = True
            case TrickTaken():
                won[is_disputed][event.seat] += event.count
                won[is_disputed].subtract(laid)
                laid, is_disputed = Counter(), False
    return [_causes(dealt, won[False][seat], won[True][seat]) for seat in range(options.players)]


def _causes(dealt: int, tricks: int, disputes: int) -> list[Cause]:
    causes = [
        Cause(say("dealt"), dealt),
        Cause(say("plain tricks"), tricks),
        Cause(say("disputes"), disputes),
    ]
    return [cause for cause in causes if cause.points]


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """How many disputes there were, the longest one, the largest trick."""
    disputes, longest, largest, taker = 0, 0, 0, 0
    for event in events:
        match event:
            case Dispute():
                disputes += event.level == 1
                longest = max(longest, event.level)
            case TrickTaken() if event.count > largest:
                largest, taker = event.count, event.seat
    sentences: list[Words] = []
    if disputes:
        sentences.append(say_n("{n} dispute.", "{n} disputes.", disputes))
    if longest > 1:
        sentences.append(
            say_n("The longest dispute: {n} row.", "The longest dispute: {n} rows.", longest)
        )
    if largest:
        sentences.append(
            say_n(
                "The largest trick: {n} card to {seat}.",
                "The largest trick: {n} cards to {seat}.",
                largest,
                you=("The largest trick: {n} card to you.", "The largest trick: {n} cards to you."),
                seat=names[taker],
            )
        )
    return sentences
