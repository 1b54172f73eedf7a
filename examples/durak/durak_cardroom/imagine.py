"""A possible world behind a view: cards that the seat has not seen, dealt at random."""

from collections.abc import Sequence
from random import Random

from cardroom.rules.cards import CARD
from cardroom.rules.values import Card, Event
from durak_cardroom.predicates import PACKS
from durak_cardroom.state import DurakState
from durak_cardroom.view import DurakView

Cards = tuple[Card, ...]


def imagine(view: DurakView, rng: Random, _events: Sequence[Event] = ()) -> DurakState:
    unseen = sorted(unseen_cards(view))
    rng.shuffle(unseen)
    hands = tuple([_hand(view, seat, unseen) for seat in range(len(view.hand_sizes))])
    last = [CARD[view.trump]] if view.talon else []
    return DurakState(
        options=view.options,
        hands=hands,
        talon=(*unseen, *last),
        trump=CARD[view.trump],
        attacker=view.attacker,
        defender=view.defender,
        limit=view.limit,
        points=view.points,
        places=view.places,
        passed=view.passed,
        attacks=_cards(view.attacks),
        defences=_cards(view.defences),
        gone=_cards(view.gone),
        taking=view.taking,
        over=not view.to_act,
        shown=sum(1 << card for card in _shown(view)),
        attacks_over=view.attacks_over,
        takes=view.takes,
        game=view.game,
        fool=view.fool,
    )


def unseen_cards(view: DurakView) -> set[Card]:
    """The cards of hidden hands and of the talon, except the trump card."""
    return set(PACKS[view.options.deck]) - set(_cards(view.hand)) - _shown(view)


def _shown(view: DurakView) -> set[Card]:
    known = [code for codes in view.known for code in codes]
    return set(_cards((view.trump, *view.attacks, *view.defences, *view.gone, *known)))


def _hand(view: DurakView, seat: int, unseen: list[Card]) -> Cards:
    """The own hand; of another what everybody saw, and of the unseen cards what is missing."""
    if seat == view.seat:
        return _cards(view.hand)
    known = _cards(view.known[seat])
    return (*known, *[unseen.pop() for _ in range(view.hand_sizes[seat] - len(known))])


def _cards(codes: Sequence[str]) -> Cards:
    return tuple([CARD[code] for code in codes])
