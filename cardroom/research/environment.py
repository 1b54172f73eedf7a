"""A PettingZoo AEC environment of any game: one seat after the other.

    env = environment(slug, preset=None, bots={1: "random"})
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else numpy.flatnonzero(observation["action_mask"])[0])

Agents are ``seat_0``, ``seat_1`` …; seats that bots play are none. An observation is
``Game.observe`` of the seat's view with the mask of its legal actions; ``memory.remembering`` adds
what the seat could remember. Rewards come at the end of the match (``cardroom.research.rewards``).
Of several seats that may act at once the lowest acts first.

A match of more than ``match.LONGEST`` plies is truncated, unless ``max_plies`` is another number
or None. An environment is copied by ``copy.deepcopy`` and pickled in the middle of a match, bots
and all, and each of the two goes on as the other does.
"""

from collections.abc import Mapping
from typing import Any

import numpy
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from cardroom.research.lineup import Lineup, lineup
from cardroom.research.match import LONGEST, RunningMatch
from cardroom.research.rewards import Reward, check_reward, worth
from cardroom.research.words import in_words
from cardroom.rules.values import Event, Move, Seat

Agent = str
Observation = dict[str, Any]
LARGEST_SEED = 2**53 - 1
RENDER_MODES = ["human", "ansi"]


def environment(
    game: str,
    *,
    max_plies: int | None = LONGEST,
    reward: str = "winners",
    render_mode: str | None = None,
    **chosen: Any,
) -> "CardroomEnvironment":
    """An environment of a game; ``chosen`` are ``preset``, ``options``, ``bots`` (seat → name),
    ``side_decks`` (one a seat) and options by their names (``players=4``).

    ``max_plies`` truncates longer matches. ``reward`` is ``winners``, ``places`` or ``margin``.
    ``BadRequest`` for names and options that there are not.
    """
    return CardroomEnvironment(lineup(game, **chosen), max_plies, render_mode, check_reward(reward))


class CardroomEnvironment(AECEnv):  # type: ignore[misc]
    """See the module; made by ``environment``."""

    def __init__(
        self,
        lineup: Lineup,
        max_plies: int | None = LONGEST,
        render_mode: str | None = None,
        reward: Reward = "winners",
    ) -> None:
        super().__init__()
        self.lineup = lineup
        self.reward = reward
        self.render_mode = render_mode
        self.metadata = {
            "name": f"cardroom_{lineup.game.slug}_v1",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self.possible_agents = [agent_of(seat) for seat in lineup.learners]
        self.agents: list[Agent] = []
        self._seats = dict(zip(self.possible_agents, lineup.learners, strict=True))
        self._names = {seat: agent for agent, seat in self._seats.items()}
        self._action_space, self._observation_space = spaces_of(lineup)
        self.state_space = state_space_of(lineup)
        self._max_plies = max_plies
        self._random = np_random()[0]

    def action_space(self, agent: Agent) -> Space[Any]:
        return self._action_space

    def observation_space(self, agent: Agent) -> Space[Any]:
        return self._observation_space

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals a new match. Without a seed it is the next one of the seed given before."""
        if seed is not None:
            self._random = np_random(seed)[0]
        self.match = RunningMatch(self.lineup, int(self._random.integers(LARGEST_SEED)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._legal: Mapping[int, Move] | None = None
        self._rendered = 0
        self.agent_selection = self.agents[0]
        self._next()

    def observe(self, agent: Agent) -> Observation:
        seat, game = self._seats[agent], self.lineup.game
        view = game.view(self.match.state, seat)
        mask = bytearray(self._action_space.n)
        if view.legal_moves:
            legal = game.actions.among(view.legal_moves)  # type: ignore[union-attr]
            for action in legal:
                mask[action] = 1
            if agent == self.agent_selection:
                self._legal = legal
        numbers = numpy.frombuffer(game.observe(view), dtype=numpy.int16)  # type: ignore[misc]
        return {"observation": numbers, "action_mask": numpy.frombuffer(mask, dtype=numpy.int8)}

    def state(self) -> Any:
        """What all seats observe together, a row a seat: every hand, but no deck to come."""
        return state_of(self.match)

    def seat_of(self, agent: Agent) -> Seat:
        return self._seats[agent]

    def step(self, action: int | None) -> None:
        """Plays an action of the agent selected; ``ValueError`` if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        legal = self.match.moves(seat) if self._legal is None else self._legal
        move = None if action is None else legal.get(int(action))
        if move is None:
            raise ValueError(illegal(action, legal))
        self._cumulative_rewards[agent] = 0.0
        self._legal = None
        self.match.play(seat, move)
        self._next()
        if self.render_mode == "human":
            self.render()

    def _next(self) -> None:
        """Selects who acts; ends the match if nobody does."""
        to_act, limit = self.match.to_act, self._max_plies
        if to_act and (limit is None or self.match.plies <= limit):
            self.agent_selection = self._names[to_act[0]]
            return
        if to_act:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._finish()
        self._deads_step_first()

    def _finish(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None  # noqa: S101 - nobody is to act, so the match is over
        of_seat = worth(self.lineup, outcome, self.reward)
        self.rewards = {agent: of_seat[self._seats[agent]] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def seen_events(self, agent: Agent, first: int = 0) -> list[Event]:
        """The events of the match from number ``first`` on, as the agent's seat saw them."""
        return self.match.seen_since(self._seats[agent], first)

    def render(self) -> str | None:
        """What has happened since the last call, in words, as a spectator sees it."""
        words = in_words(self.lineup, self.match.events[self._rendered :])
        self._rendered = len(self.match.events)
        if self.render_mode == "ansi":
            return words
        print(words)  # noqa: T201 - what the mode "human" is for
        return None

    def close(self) -> None:
        """There is nothing to close."""


def agent_of(seat: Seat) -> Agent:
    return f"seat_{seat}"


def spaces_of(lineup: Lineup, extra_actions: int = 0) -> tuple[Discrete, Dict]:
    """The spaces of every seat: actions, and observations with their mask."""
    game = lineup.game
    assert game.actions is not None  # noqa: S101 - ``lineup`` refused all other games
    assert game.observation is not None  # noqa: S101
    least, most = (numpy.array(bound, dtype=numpy.int16) for bound in game.observation.bounds())
    count = len(game.actions.texts) + extra_actions
    observation = Dict(
        {
            "observation": Box(least, most, dtype=numpy.int16),
            "action_mask": Box(0, 1, (count,), dtype=numpy.int8),
        }
    )
    return Discrete(count), observation


def state_space_of(lineup: Lineup) -> Space[Any]:
    """A row of observation for every seat, those of bots included."""
    bounds = lineup.game.observation.bounds()  # type: ignore[union-attr]
    shape = (len(lineup.setups), 1)
    least, most = (numpy.tile(numpy.array(bound, dtype=numpy.int16), shape) for bound in bounds)
    return Box(least, most, dtype=numpy.int16)


def state_of(match: RunningMatch) -> Any:
    seats = range(len(match.lineup.setups))
    return numpy.array([match.observed(seat) for seat in seats], dtype=numpy.int16)


def illegal(action: int | None, legal: Mapping[int, Move]) -> str:
    allowed = ", ".join(f"{number} ({move})" for number, move in list(legal.items())[:12])
    return f"Action {action!r} is not legal here; legal are {allowed}{', …' * (len(legal) > 12)}."
