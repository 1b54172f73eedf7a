"""Knowledge of a player of Pişti at many tables at once, as features of every card it could play.

A view says how things stand; ``Tables`` remembers beside it which cards were seen and what the pile
is worth. Everything is arrays, one row a table, so a batch of thousands costs little more than one.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy

from cardroom.research.environment import CardroomEnvironment
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


# The features of a move from which a network learns Pişti.
#
# The observation is what the view says; which cards are gone a player has to remember, and so
# does the learner: ``Watcher`` keeps count of them.

SEAT_FEATURES: Final = 16 + 3 * RANKS


TWO_CLUBS, TEN_DIAMONDS = CARD["2C"], CARD["TD"]


class Watcher:
    """The cards that a player has seen in the running deal, and the features of its moves."""

    def __init__(self) -> None:
        self._seen = numpy.zeros(RANKS)
        self._pile: list[int] = []

    def listen(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, CardPlayed):
                card = CARD[event.card]
                self._seen[RANK[card]] += 1
                taken = self._pile and (RANK[card] == RANK[self._pile[-1]] or RANK[card] == JACK)
                self._pile = [] if taken else [*self._pile, card]
            elif isinstance(event, CentreDealt):
                self._seen[:] = 0
                self._seen[RANK[CARD[event.top]]] = 1
                self._pile = [CARD[event.top]]

    def rows(self, numbers: Any, actions: Sequence[int]) -> Any:
        """A row of features for each of these actions, in the state that ``numbers`` observe."""
        shared = self._shared(numbers)
        return numpy.stack([self._features(shared, card) for card in actions])

    def _shared(self, numbers: Any) -> tuple[Any, Any, float, float]:
        hand = numbers[AT["hand"] : AT["hand"] + 52].reshape(4, RANKS).sum(0)
        unseen = 4 - self._seen - hand
        points = sum(map(worth, self._pile))
        return hand, unseen, points, float(numbers[AT["plays_made"]])

    def _features(self, shared: tuple[Any, Any, float, float], card: int) -> Any:
        hand, unseen, points, plays = shared
        rank, top = RANK[card], RANK[self._pile[-1]] if self._pile else None
        takes = top is not None and (rank in (top, JACK))
        lonely = len(self._pile) == 1
        facts = (
            1.0,
            takes,
            takes and lonely and rank == top,  # a pişti
            takes and rank == JACK,
            takes * (points + worth(card)) / 5,
            takes * len(self._pile) / 10,
            (not takes) * (points + worth(card)) / 5,
            (not takes) * len(self._pile) / 10,
            (not takes) * unseen[rank] / 3,
            (not takes) * (top is None) * unseen[rank] / 3,  # what a pişti against us would need
            unseen[JACK] / 4,
            (not takes) * unseen[JACK] / 4 * (points + len(self._pile) / 4) / 5,
            (hand[rank] - 1) / 3,
            hand[JACK] / 4,
            plays / 48,
            (not takes) * hand[rank] * unseen[rank] / 6,
        )
        own = numpy.zeros(RANKS)
        own[rank] = 1
        return numpy.concatenate([numpy.array(facts, dtype=float), own, hand / 4, unseen / 4])


class Seat:
    """A learner at one table: the environment, what it has seen, the moves that it made."""

    def __init__(self, env: CardroomEnvironment, seed: int | None) -> None:
        self.env = env
        env.reset(seed=seed)
        (self.agent,) = env.possible_agents
        self.made: list[Any] = []
        self._heard = 0
        self._watcher = Watcher()

    @property
    def over(self) -> bool:
        return bool(self.env.terminations[self.agent])

    def margin(self) -> float:
        """The points of the deal, less the rival's."""
        outcome = self.env.match.outcome
        assert outcome is not None  # noqa: S101 - asked when the deal is over
        own = int(self.agent.removeprefix("seat_"))
        return float(outcome.points[own] - outcome.points[1 - own])

    def candidates(self) -> tuple[list[int], Any]:
        """The legal actions, and a row of features for each."""
        self._watcher.listen(self.env.seen_events(self.agent, self._heard))
        self._heard = len(self.env.match.events)
        observation = self.env.observe(self.agent)
        actions = observation["action_mask"].nonzero()[0].tolist()
        return actions, self._watcher.rows(observation["observation"], actions)

    def play(self, action: int, features: Any) -> None:
        self.made.append(features)
        self.env.step(action)


def worth(card: int) -> float:
    """The points that a captured card scores (pisti R23)."""
    if card in (TWO_CLUBS, TEN_DIAMONDS):
        return 2.0 if card == TWO_CLUBS else 3.0
    return float(RANK[card] in (JACK, ACE)) + 3 / 52
