"""What a beginner would like to know, and what is worth telling of a match."""

from collections import Counter
from collections.abc import Iterable, Sequence

from cardroom.rules.cause import Cause
from cardroom.rules.pyanitsa.events import CardLaid, Dispute, TrickTaken
from cardroom.rules.pyanitsa.options import PyanitsaOptions
from cardroom.rules.pyanitsa.view import PyanitsaView
from cardroom.rules.text import Words, say, say_n
from cardroom.rules.values import Event, Seat


def hint(view: PyanitsaView) -> Words | None:
    """What happens next; ``None`` when the seat has nothing to do."""
    if not view.legal_moves:
        return None
    if view.phase == "collect":
        return say("The first card you choose comes up first.")
    if view.level:
        return say("Equal cards: the next ones decide who takes everything.")
    return say("The highest card takes the trick; equal cards are a dispute.")


def match_causes(events: Iterable[Event], options: PyanitsaOptions) -> list[list[Cause]]:
    """What the cards are made of that each seat holds after the last trick that was taken.

    The hand it was dealt (R4), what plain tricks brought it and what disputes did, less its own
    cards that went to others: everybody saw how many lay there.
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
                seat=names[taker],
            )
        )
    return sentences
