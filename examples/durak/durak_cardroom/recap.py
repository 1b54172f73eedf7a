"""Hints for a beginner in a turn, and the moments of a match."""

from collections import Counter
from collections.abc import Iterable, Sequence

from cardroom.rules.cards import CARD
from cardroom.rules.text import CardName, Words, say, say_n
from cardroom.rules.values import Event, Seat
from durak_cardroom.events import Discarded, Took
from durak_cardroom.moves import PASS, TAKE, TRANSFER
from durak_cardroom.predicates import suit
from durak_cardroom.view import DurakView

MANY = 4  # cards in one attack


def hint(view: DurakView) -> Words | None:
    """A fact that helps to choose; ``None`` when the seat is not to play."""
    if not view.legal_moves:
        return None
    cheapest = view.legal_moves[0]
    if len(view.attacks) > len(view.defences) and not view.taking:
        return _defending(view, cheapest)
    if cheapest == PASS:
        return say("No card of yours has a rank that lies on the table.")
    if not view.attacks:
        return say("{card} is your weakest card; keep trumps for the end.", card=CardName(cheapest))
    if suit(CARD[cheapest]) == suit(CARD[view.trump]):
        return say("Only a trump of yours fits. It may be worth more later.")
    return say("{card} fits, and you are rid of it.", card=CardName(cheapest))


def _defending(view: DurakView, cheapest: str) -> Words:
    card = CardName(view.attacks[len(view.defences)])
    if cheapest == TAKE:
        return say("No card of yours beats {card}.", card=card)
    if cheapest.startswith(TRANSFER):
        return say("You cannot beat {card}, but pass the attack on.", card=card)
    return say("{own} is enough to beat {card}.", own=CardName(cheapest), card=card)


def moments(events: Iterable[Event], names: Sequence[str]) -> list[Words]:
    """The most cards taken and beaten at once, and who took most often."""
    most: dict[type[Event], tuple[int, Seat]] = {}
    took: Counter[Seat] = Counter()
    for event in events:
        if isinstance(event, Took | Discarded):
            most[type(event)] = max(most.get(type(event), (0, 0)), (len(event.cards), event.seat))
            took[event.seat] += isinstance(event, Took)
    return [*_largest(most, names), *_most_often(+took, names)]


def _largest(most: dict[type[Event], tuple[int, Seat]], names: Sequence[str]) -> list[Words]:
    sentences: list[Words] = []
    taken, taker = most.get(Took, (0, 0))
    lain, winner = most.get(Discarded, (0, 0))
    if taken >= MANY:
        sentences.append(say("{seat} took {n} cards at once.", seat=names[taker], n=taken))
    if lain >= 2 * MANY:
        sentences.append(
            say("{seat} beat an attack of {n} cards.", seat=names[winner], n=lain // 2)
        )
    return sentences


def _most_often(took: Counter[Seat], names: Sequence[str]) -> list[Words]:
    return [
        say_n("{seat} took once.", "{seat} took {n} times.", times, seat=names[seat])
        for seat, times in took.most_common(1)
    ]
