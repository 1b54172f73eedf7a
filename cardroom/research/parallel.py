"""A PettingZoo parallel environment of any game: every seat acts at every step.

Seats that are not to act have one legal action, the last one, which is to wait. Where several
seats may act at once all of them do in one step.
"""

from collections.abc import Mapping
from typing import Any

import numpy
from gymnasium.spaces import Space
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from cardroom.research.environment import (
    LARGEST_SEED,
    RENDER_MODES,
    Agent,
    Observation,
    agent_of,
    illegal,
    spaces_of,
    state_of,
    state_space_of,
)
from cardroom.research.lineup import Lineup, lineup
from cardroom.research.match import LONGEST, RunningMatch
from cardroom.research.rewards import Reward, check_reward, worth
from cardroom.research.words import in_words
from cardroom.rules.values import Seat


def parallel_environment(
    game: str,
    *,
    max_plies: int | None = LONGEST,
    reward: str = "winners",
    render_mode: str | None = None,
    **chosen: Any,
) -> "CardroomParallelEnvironment":
    """Takes what ``environment.environment`` takes."""
    return CardroomParallelEnvironment(
        lineup(game, **chosen), max_plies, render_mode, check_reward(reward)
    )


class CardroomParallelEnvironment(ParallelEnv):  # type: ignore[misc]
    """See the module; made by ``parallel_environment``."""

    def __init__(
        self,
        lineup: Lineup,
        max_plies: int | None = LONGEST,
        render_mode: str | None = None,
        reward: Reward = "winners",
    ) -> None:
        self.lineup = lineup
        self.reward = reward
        self.render_mode = render_mode
        self.metadata = {
            "name": f"cardroom_{lineup.game.slug}_parallel_v1",
            "render_modes": RENDER_MODES,
        }
        self._seats = {agent_of(seat): seat for seat in lineup.learners}
        self.possible_agents = list(self._seats)
        self.agents: list[Agent] = []
        self._action_space, self._observation_space = spaces_of(lineup, extra_actions=1)
        self.state_space = state_space_of(lineup)
        self.wait = int(self._action_space.n) - 1
        self._max_plies = max_plies
        self._random = np_random()[0]

    def action_space(self, agent: Agent) -> Space[Any]:
        return self._action_space

    def observation_space(self, agent: Agent) -> Space[Any]:
        return self._observation_space

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        if seed is not None:
            self._random = np_random(seed)[0]
        self.match = RunningMatch(self.lineup, int(self._random.integers(LARGEST_SEED)))
        self.agents = list(self.possible_agents)
        self._rendered = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[Agent, int]
    ) -> tuple[
        dict[Agent, Observation],
        dict[Agent, float],
        dict[Agent, bool],
        dict[Agent, bool],
        dict[Agent, dict[str, Any]],
    ]:
        """Plays the actions of all who are to act; ``ValueError`` if one of them is not legal."""
        for seat in self.match.to_act:
            if seat in self.match.to_act:  # a move before may have ended what all did at once
                self._play(seat, int(actions[agent_of(seat)]))
        over = not self.match.to_act
        cut = not over and self._max_plies is not None and self.match.plies > self._max_plies
        agents = self.agents
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(agents),
            self._rewards(agents),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )

    def state(self) -> Any:
        """As of ``CardroomEnvironment``."""
        return state_of(self.match)

    def seat_of(self, agent: Agent) -> Seat:
        return self._seats[agent]

    def _play(self, seat: Seat, action: int) -> None:
        legal = self.match.moves(seat)
        if action not in legal:
            raise ValueError(illegal(action, legal))
        self.match.play(seat, legal[action])

    def _observations(self, agents: list[Agent] | None = None) -> dict[Agent, Observation]:
        return {agent: self._observe(self._seats[agent]) for agent in agents or self.agents}

    def _observe(self, seat: Seat) -> Observation:
        game = self.lineup.game
        view = game.view(self.match.state, seat)
        mask = numpy.zeros(self._action_space.n, dtype=numpy.int8)
        legal = game.actions.among(view.legal_moves)  # type: ignore[union-attr]
        mask[list(legal) or [self.wait]] = 1
        numbers = numpy.frombuffer(game.observe(view), dtype=numpy.int16)  # type: ignore[misc]
        return {"observation": numbers, "action_mask": mask}

    def _rewards(self, agents: list[Agent]) -> dict[Agent, float]:
        outcome = self.match.outcome
        if outcome is None:
            return dict.fromkeys(agents, 0.0)
        of_seat = worth(self.lineup, outcome, self.reward)
        return {agent: of_seat[self._seats[agent]] for agent in agents}

    def render(self) -> str | None:
        words = in_words(self.lineup, self.match.events[self._rendered :])
        self._rendered = len(self.match.events)
        if self.render_mode == "ansi":
            return words
        print(words)  # noqa: T201 - what the mode "human" is for
        return None

    def close(self) -> None:
        """There is nothing to close."""
