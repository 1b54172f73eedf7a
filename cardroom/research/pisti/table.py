"""What a player of Pişti can know of many tables at once, as features of every card it could play.

A view says how things stand; ``Tables`` remembers beside it which cards were seen and what the pile
is worth. Everything is arrays, one row a table, so a batch of thousands costs little more than one.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.rules.cards import CARD, RANK
from cardroom.rules.pisti.encoding import OBSERVATION
from cardroom.rules.pisti.events import CardPlayed, CentreDealt, JackBuried
from cardroom.rules.values import Event

CARDS: Final = 52
RANKS: Final = 13
SLOTS: Final = 4  # cards in a hand
AT: Final = OBSERVATION.starts
RANK_OF: Final = numpy.array(RANK[:CARDS])
JACK, ACE = 9, 12
ONE_OF_RANK: Final = (RANK_OF[:, None] == numpy.arange(RANKS)).astype(numpy.float32)
WORTH: Final = numpy.where((RANK_OF == JACK) | (RANK_OF == ACE), 1.0, 0.0).astype(numpy.float32)
WORTH[CARD["2C"]], WORTH[CARD["TD"]] = 2.0, 3.0
SHARED: Final = 3 * RANKS + 10
OF_CARD: Final = RANKS + 12
FEATURES: Final = SHARED + OF_CARD


class Tables:
    """``seen`` marks the cards that lay open in this deal, ``points`` are those of the pile."""

    def __init__(self, count: int) -> None:
        self.seen = numpy.zeros((count, CARDS), dtype=numpy.float32)
        self.points = numpy.zeros(count, dtype=numpy.float32)

    def deal(self, observations: Any) -> None:
        """A new deal on every table: only the top card of the centre is open."""
        self.seen[:] = observations[:, AT["top"] : AT["top"] + CARDS]
        self.points[:] = self.seen @ WORTH

    def play(self, observations: Any, cards: Any) -> None:
        """A card is played on every table, as it was observed before."""
        top = observations[:, AT["top"] : AT["top"] + CARDS]
        same = top.any(axis=1) & (RANK_OF[top.argmax(axis=1)] == RANK_OF[cards])
        taken = (observations[:, AT["pile_size"]] > 0) & (same | (RANK_OF[cards] == JACK))
        self.points = numpy.where(taken, 0.0, self.points + WORTH[cards]).astype(numpy.float32)
        self.seen[numpy.arange(len(cards)), cards] = 1.0

    def features(self, observations: Any) -> tuple[Any, Any, Any]:
        """Cards in the hand (tables, slots), their features, and the shared ones of a table.

        A slot without a card has the card -1.
        """
        held = observations[:, AT["hand"] : AT["hand"] + CARDS]
        order = numpy.argsort(-held, axis=1, kind="stable")[:, :SLOTS]
        cards = numpy.where(numpy.take_along_axis(held, order, axis=1) > 0, order, -1)
        shared, hand, unseen, top = self._shared(observations, held)
        own = self._of_cards(observations, numpy.maximum(cards, 0), hand, unseen, top)
        wide = numpy.broadcast_to(shared[:, None, :], (*cards.shape, SHARED))
        return cards, numpy.concatenate([wide, own], axis=2), shared

    def _shared(self, observations: Any, held: Any) -> tuple[Any, Any, Any, Any]:
        hand = held @ ONE_OF_RANK
        unseen = 4.0 - self.seen @ ONE_OF_RANK - hand
        top = observations[:, AT["top"] : AT["top"] + CARDS] @ ONE_OF_RANK
        unknown = 1.0 - self.seen - held
        heaps = observations[:, AT["heap_sizes"]] - observations[:, AT["heap_sizes"] + 1]
        pile = observations[:, AT["pile_size"]]
        facts = (
            pile == 0,
            pile == 1,
            pile / 10,
            self.points / 5,
            observations[:, AT["face_down"]] / 3,
            observations[:, AT["plays_made"]] / 48,
            heaps / 26,
            observations[:, AT["last_capturer"]],
            unknown[:, CARD["TD"]],
            unknown[:, CARD["2C"]],
        )
        shared = numpy.concatenate(
            [hand / 2, unseen / 2, top, numpy.stack(facts, axis=1)], axis=1, dtype=numpy.float32
        )
        return shared, hand, unseen, top

    def _of_cards(self, observations: Any, cards: Any, hand: Any, unseen: Any, top: Any) -> Any:
        pile = observations[:, AT["pile_size"]].astype(numpy.float32)[:, None]
        points, rank = self.points[:, None], RANK_OF[cards]
        same = numpy.take_along_axis(top, rank, axis=1) > 0
        jack = rank == JACK
        takes = (pile > 0) & (same | jack)
        left = numpy.take_along_axis(unseen, rank, axis=1)
        own = numpy.take_along_axis(hand, rank, axis=1)
        facts = (
            takes,
            takes & (pile == 1) & same,  # a pişti
            takes & jack,
            takes * (points + WORTH[cards]) / 5,
            takes * pile / 10,
            ~takes * (points + WORTH[cards]) / 5,
            ~takes * pile / 10,
            ~takes * left / 3,
            ~takes * (pile == 0) * left / 3,  # what a pişti against us would need
            ~takes * unseen[:, JACK][:, None] / 4 * (points + WORTH[cards] + 1) / 5,
            (own - 1) / 3,
            WORTH[cards] / 3,
        )
        of_rank = ONE_OF_RANK[cards]
        stacked = numpy.stack(facts, axis=2).astype(numpy.float32)
        return numpy.concatenate([of_rank, stacked], axis=2)


def table_of(events: Sequence[Event]) -> Tables:
    """One table, as the events of its deal tell."""
    table, pile = Tables(1), list[int]()
    for event in events:
        if isinstance(event, CentreDealt):
            table, pile = Tables(1), [CARD[event.top]]
            table.seen[0, pile] = 1.0
        elif isinstance(event, JackBuried):
            table.seen[:] = 0.0
            pile = [CARD[event.top]]
            table.seen[0, pile] = 1.0
        elif isinstance(event, CardPlayed):
            card = CARD[event.card]
            taken = bool(pile) and RANK_OF[card] in (RANK_OF[pile[-1]], JACK)
            table.seen[0, card] = 1.0
            pile = [] if taken else [*pile, card]
    table.points[0] = WORTH[pile].sum() if pile else 0.0
    return table
