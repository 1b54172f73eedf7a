"""What a beginner would like to know, and what is worth telling of a match."""

from collections.abc import Iterable, Sequence

from games.rules.pyanitsa.events import Dispute, TrickTaken
from games.rules.pyanitsa.view import PyanitsaView
from games.rules.text import Words, say, say_n
from games.rules.values import Event


def hint(view: PyanitsaView) -> Words | None:
    """What happens next; ``None`` when the seat has nothing to do."""
    if not view.legal_moves:
        return None
    if view.phase == "collect":
        return say("The first card you choose comes up first.")
    if view.level:
        return say("Equal cards: the next ones decide who takes everything.")
    return say("The highest card takes the trick; equal cards are a dispute.")


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
