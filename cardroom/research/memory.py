"""What a seat could remember of the running round, as numbers beside its observation.

A view says how things stand; which cards went by a player has to remember. ``remembering(env)``
adds to every observation a key ``memory`` with

* ``seen``: for every card of the game how often the events of this round showed it to the seat,
* ``moves``: for every seat how many events of this round were its own,
* ``newest``: for the last ``NEWEST`` of these, the seat plus one and the card plus one; 0 is none.

Seats are counted from the observing one on. Nothing is counted that the seat did not see
(``Event.seen_by``). The wrapper takes environments of either kind:

    env = remembering(environment(slug, bots={1: "random"}))
    env.reset(seed=1)
    env.observe("seat_0")["memory"]
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
import numpy
from gymnasium.spaces import Box, Dict, Space
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

from cardroom.research.environment import Agent, CardroomEnvironment, Observation
from cardroom.research.lineup import Lineup
from cardroom.research.match import RunningMatch
from cardroom.research.parallel import CardroomParallelEnvironment
from cardroom.rules.encoding import MOST
from cardroom.rules.values import Event, Seat

NEWEST: Final = 12


def remembering(env: Any) -> Any:
    """The environment with ``memory`` in its observations."""
    if isinstance(env, CardroomParallelEnvironment):
        return RememberingParallel(env)
    return Remembering(env)


class Memory:
    """How much is remembered of a lineup, and what a seat of a match remembers."""

    def __init__(self, lineup: Lineup) -> None:
        self.seats = len(lineup.setups)
        self.cards = _cards_of(lineup)
        self._numbers = {card: number for number, card in enumerate(self.cards)}
        self.opening = lineup.game.opening
        self.size = len(self.cards) + self.seats + 2 * NEWEST

    @property
    def space(self) -> Box:
        return Box(0, MOST, (self.size,), dtype=numpy.int16)

    def of(self, match: RunningMatch, seat: Seat) -> Any:
        """What the seat remembers of the running round of a match."""
        out = numpy.zeros(self.size, dtype=numpy.int16)
        seen, moves = out[: len(self.cards)], out[len(self.cards) :][: self.seats]
        newest: list[tuple[int, int]] = []
        for event in match.seen_since(seat, match.round_began):
            shown = [self._numbers[card] for card in _texts(event) if card in self._numbers]
            by = getattr(event, "seat", None)
            numpy.add.at(seen, shown, 1)
            if by is None:
                continue
            relative = (by - seat) % self.seats
            moves[relative] += 1
            newest += [(relative + 1, card + 1) for card in shown]
        last = newest[-NEWEST:][::-1]
        out[self.size - 2 * NEWEST :][: 2 * len(last)] = numpy.ravel(last) if last else 0
        return out


def _cards_of(lineup: Lineup) -> list[str]:
    """The texts of every card in play, in alphabetical order."""
    match = RunningMatch(lineup.without_bots(), 0)
    cards = match.game.cards(match.state)
    return sorted({match.game.card_text(card) for card in cards if isinstance(card, int | str)})


def _texts(event: Event) -> Iterator[str]:
    """Every text in the fields of an event."""
    pending: list[Any] = list(msgspec.structs.astuple(event))
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, msgspec.Struct):
            pending += msgspec.structs.astuple(value)
        elif isinstance(value, tuple | list):
            pending += value


def _with_memory(env: Any, memory: Memory) -> Dict:
    """The space of every agent: they all have the same."""
    plain = env.observation_space(env.possible_agents[0])
    return Dict({**plain.spaces, "memory": memory.space})


class Remembering(BaseWrapper):  # type: ignore[misc]
    """One seat after the other, with memory; made by ``remembering``."""

    def __init__(self, env: CardroomEnvironment) -> None:
        super().__init__(env)
        self._memory = Memory(env.lineup)
        self._space = _with_memory(env, self._memory)

    def observation_space(self, agent: Agent) -> Space[Any]:
        return self._space

    def observe(self, agent: Agent) -> Observation:
        env: CardroomEnvironment = self.env
        observed: Observation = super().observe(agent)
        return {**observed, "memory": self._memory.of(env.match, env.seat_of(agent))}


class RememberingParallel(BaseParallelWrapper):  # type: ignore[misc]
    """All seats at once, with memory; made by ``remembering``."""

    def __init__(self, env: CardroomParallelEnvironment) -> None:
        super().__init__(env)
        self._memory = Memory(env.lineup)
        self._space = _with_memory(env, self._memory)

    def observation_space(self, agent: Agent) -> Space[Any]:
        return self._space

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, Any]]:
        observations, infos = super().reset(seed=seed, options=options)
        return self._remembered(observations), infos

    def step(self, actions: Mapping[Agent, int]) -> Any:
        observations, *others = super().step(actions)
        return self._remembered(observations), *others

    def _remembered(self, observations: Mapping[Agent, Observation]) -> dict[Agent, Observation]:
        env: CardroomParallelEnvironment = self.env
        return {
            agent: {**observed, "memory": self._memory.of(env.match, env.seat_of(agent))}
            for agent, observed in observations.items()
        }
