"""A possible world behind a view, for bots: unseen cards dealt at random."""

from collections.abc import Sequence
from random import Random

from cardroom.rules.cards import CARD
from cardroom.rules.shithead.knowledge import known_hands, unseen_cards
from cardroom.rules.shithead.options import cards_each
from cardroom.rules.shithead.predicates import in_order
from cardroom.rules.shithead.state import Cards, ShitheadState, Slots
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event


def imagine(view: ShitheadView, rng: Random, events: Sequence[Event] = ()) -> ShitheadState:
    """A state this seat cannot tell from the true one; ``events`` add the cards it remembers."""
    unseen = unseen_cards(view)
    known = _remembered(view, unseen, events)
    for cards in known:
        unseen.difference_update(cards)
    lot = sorted(unseen)
    rng.shuffle(lot)
    return ShitheadState(
        options=view.options,
        game_no=view.game_no,
        dealer=view.dealer,
        direction=view.direction,
        phase=view.phase,
        turn=view.turn,
        ready=view.ready,
        hands=_hands(view, known, lot),
        hidden=_hidden(view, lot),
        stock=tuple(lot),
        tops=tuple(_cards(top) for top in view.tops),
        pile=_cards(view.pile),
        burned=_cards(view.burned),
        places=view.places,
        turns=view.turns,
        times_shed=view.times_shed,
        points=view.points,
        last_shed=view.last_shed,
        swaps_left=view.swaps_left,
    )


def _remembered(
    view: ShitheadView, unseen: set[int], events: Sequence[Event]
) -> tuple[frozenset[int], ...]:
    known = known_hands(events, len(view.tops))
    return tuple(
        frozenset() if seat == view.seat else cards & unseen for seat, cards in enumerate(known)
    )


def _hands(
    view: ShitheadView, known: Sequence[frozenset[int]], lot: list[int]
) -> tuple[Cards, ...]:
    hands = []
    for seat, count in enumerate(view.hand_counts):
        if seat == view.seat:
            hands.append(_cards(view.hand))
        else:
            hands.append(in_order([*known[seat], *_take(lot, count - len(known[seat]))]))
    return tuple(hands)


def _hidden(view: ShitheadView, lot: list[int]) -> tuple[Slots, ...]:
    k = cards_each(view.options)
    return tuple(
        tuple([lot.pop() if slot in occupied else None for slot in range(k)])
        for occupied in view.hidden
    )


def _take(lot: list[int], count: int) -> list[int]:
    return [lot.pop() for _ in range(count)]


def _cards(codes: Sequence[str]) -> Cards:
    return tuple([CARD[code] for code in codes])
