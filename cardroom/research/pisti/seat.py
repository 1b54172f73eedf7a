"""The features of a move from which a network learns Pişti.

The observation is what the view says; which cards are gone a player has to remember, and so does
the learner: ``Watcher`` keeps count of them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy

from cardroom.research.environment import CardroomEnvironment
from cardroom.rules.cards import CARD, RANK
from cardroom.rules.pisti.encoding import OBSERVATION
from cardroom.rules.pisti.events import CardPlayed, CentreDealt
from cardroom.rules.values import Event

RANKS: Final = 13
FEATURES: Final = 16 + 3 * RANKS
AT: Final = OBSERVATION.starts
JACK, ACE = 9, 12
TWO_CLUBS, TEN_DIAMONDS = CARD["2C"], CARD["TD"]


class Watcher:
    """What a player has seen of the running deal, and the features of its moves."""

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
