"""A PettingZoo AEC environment of any game: one seat after the other.

    env = environment(slug, preset=None, bots={1: "random"})
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else numpy.flatnonzero(observation["action_mask"])[0])

Agents are ``seat_0``, ``seat_1`` …; seats that bots play are none. An observation is
``Game.observe`` of the seat's view with the mask of its legal actions; ``memory.remembering`` adds
what the seat could remember. Rewards come at the end of the match.
Of several seats that may act at once the lowest acts first.

A match of more than ``match.LONGEST`` plies is truncated, unless ``max_plies`` is another number
or None. An environment is copied by ``copy.deepcopy`` and pickled in the middle of a match, bots
and all, and each of the two goes on as the other does.

The game and its players, chosen by the names that people write.

The reward of every seat for a finished match: three ways to count it, each with sum zero.

The events of a match in words.

One running match: learners move by action numbers, bots move by themselves.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from cardroom.arena.players import (
    EventPlayer,
    Player,
    ViewPlayer,
    choose_options,
    find_bot,
    find_game,
    seat_player,
)
from cardroom.arena.series import generator
from cardroom.arena.statistics import BadRequest
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Event, Move, Options, Outcome, Seat, Setup, Step, pick_seat


@dataclass(frozen=True, eq=False)
class Lineup:
    """A game with its options; ``bots`` play some of the seats, learners the others."""

    game: AnyGame
    options: Options
    setups: tuple[Setup, ...]
    bots: Mapping[Seat, Bot[Any]]

    @property
    def learners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in range(len(self.setups)) if seat not in self.bots)

    def without_bots(self) -> "Lineup":
        """The same match with a learner on every seat."""
        return Lineup(self.game, self.options, self.setups, {})

    def __deepcopy__(self, _memo: Any) -> "Lineup":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Games and bots are made of functions, so they are found again by their names."""
        bots = {seat: bot.slug for seat, bot in self.bots.items()}
        return _by_names, (self.game.slug, self.options, self.setups, bots)


def _by_names(
    slug: str, options: Options, setups: tuple[Setup, ...], bots: Mapping[Seat, str]
) -> Lineup:
    game = find_game(slug)
    playing = {seat: find_bot(game, name, custom=True) for seat, name in bots.items()}
    return Lineup(game, options, setups, playing)


def lineup(
    game: str,
    *,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    bots: Mapping[Seat, str] | None = None,
    side_decks: Sequence[Sequence[str]] = (),
    **named: Any,
) -> Lineup:
    """A checked lineup; ``BadRequest`` says what is wrong and what is allowed.

    Options may be ``named`` by themselves: ``players=4``.
    """
    rules = find_game(game)
    if rules.actions is None or rules.observation is None or rules.observe is None:
        raise BadRequest(f"{rules.name} has no action numbers and observations to learn from.")
    chosen = choose_options(rules, {**(options or {}), **named}, preset)
    seats = rules.seats(chosen)
    for seat in bots or {}:
        if seat not in range(seats):
            raise BadRequest(f"There is no seat {seat!r}; seats are 0 to {seats - 1}.")
    playing = {seat: find_bot(rules, name, custom=True) for seat, name in (bots or {}).items()}
    if len(playing) == seats:
        raise BadRequest("Bots play every seat; leave at least one to learn.")
    if side_decks and len(side_decks) != seats:
        raise BadRequest(f"{len(side_decks)} side decks are given for {seats} seats.")
    setups = (_setup(seat, playing.get(seat), side_decks) for seat in range(seats))
    completed = tuple(rules.complete_setup(chosen, setup) for setup in setups)
    return Lineup(rules, chosen, completed, playing)


def _setup(seat: Seat, bot: Bot[Any] | None, side_decks: Sequence[Sequence[str]]) -> Setup:
    return Setup(
        name=f"seat {seat}",
        bot=None if bot is None else bot.slug,
        side_deck=tuple(side_decks[seat]) if side_decks else None,
    )


Reward: TypeAlias = Literal["winners", "places", "margin"]
REWARDS: Final[tuple[Reward, ...]] = get_args(Reward)


def rewards(game: AnyGame, outcome: Outcome, seats: int) -> tuple[float, ...]:
    """From -1 to 1, by who won.

    A single winner has 1 and every other seat an equal part of -1; winners share what they win, and
    a match that all win is worth nothing to anybody. Where points are places, which is where there
    may be a loser only, every place counts.
    """
    if game.points_are_places:
        return by_place(outcome.places)
    share, fair = 1 / len(outcome.winners), 1 / seats
    scale = seats / (seats - 1)
    return tuple(
        ((share if seat in outcome.winners else 0.0) - fair) * scale for seat in range(seats)
    )


def by_place(places: Sequence[int]) -> tuple[float, ...]:
    """1 for each seat that one is ahead of and -1 for each that one is behind, shared by all."""
    others = len(places) - 1
    return tuple(
        sum((mine < place) - (place < mine) for place in places) / others for mine in places
    )


def by_margin(
    game: AnyGame, outcome: Outcome, sides: Sequence[Sequence[int]], seats: int
) -> tuple[float, ...]:
    """The points of the own side less the mean of the others'; fewer are better where points are
    places. Not scaled: a margin has the unit of the game's points.
    """
    sign = -1.0 if game.points_are_places else 1.0
    total = sum(outcome.points)
    of_side = [
        sign * (mine - (total - mine) / (len(outcome.points) - 1)) for mine in outcome.points
    ]
    side_of = {seat: side for side, members in enumerate(sides) for seat in members}
    return tuple(of_side[side_of[seat]] for seat in range(seats))


def worth(lineup: Lineup, outcome: Outcome, reward: Reward) -> tuple[float, ...]:
    """The reward of every seat of the lineup for the match."""
    return _WAYS[reward](lineup, outcome)


def check_reward(reward: str) -> Reward:
    """``BadRequest`` if there is no such way to count."""
    for known in REWARDS:
        if reward == known:
            return known
    raise BadRequest(f"There is no reward {reward!r}; there are: {', '.join(REWARDS)}.")


def _winners(lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    return rewards(lineup.game, outcome, len(lineup.setups))


def _places(_lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    return by_place(outcome.places)


def _margin(lineup: Lineup, outcome: Outcome) -> tuple[float, ...]:
    sides = lineup.game.sides_of(lineup.options)
    return by_margin(lineup.game, outcome, sides, len(lineup.setups))


_WAYS: Final[Mapping[Reward, Callable[[Lineup, Outcome], tuple[float, ...]]]] = {
    "winners": _winners,
    "places": _places,
    "margin": _margin,
}


def in_words(lineup: Lineup, events: Sequence[Event]) -> str:
    """The events as a spectator sees them, a line each."""
    names = [setup.name.capitalize() for setup in lineup.setups]
    return "\n".join(str(lineup.game.sentence(event.seen_by(None), names)) for event in events)


# Environments cut a longer match off unless they are given another number. Played at random few
# matches have a tenth of it; players that repeat themselves may never end one.
LONGEST: Final = 10_000


class RunningMatch:
    """Match ``number`` of a seed: the decks and the bots' chances are those of the arena.

    A copy and a pickle go on by themselves as this one does: with the same decks to come, and with
    bots that remember the same.
    """

    def __init__(self, lineup: Lineup, seed: int, number: int = 0) -> None:
        self.lineup = lineup
        self.plies = 0
        self.events: list[Event] = []
        self.round_began = 0  # the number of the event that opened the running round
        self._chance = generator(seed, "decks", number)
        self._rng = generator(seed, "bots", number)
        self._seat_bots({})
        self._take(self.game.start(lineup.options, lineup.setups, self._shuffle))
        self._let_bots_play()

    def _seat_bots(self, remembered: Mapping[Seat, list[Event]]) -> None:
        """Makes what cannot be copied or pickled from what can."""
        self.game = self.lineup.game
        self._shuffle = seeded(self._chance)
        self._players: dict[Seat, Player] = {
            seat: seat_player(self.game, seat, bot, self._rng)
            for seat, bot in self.lineup.bots.items()
        }
        for seat, player in self._players.items():
            if isinstance(player, ViewPlayer):
                player.remembered = list(remembered.get(seat, ()))
        self._observers = [p for p in self._players.values() if isinstance(p, EventPlayer)]

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The learners that may act now; nobody once the match is over."""
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        outcome: Outcome | None = self.game.outcome(self.state)
        return outcome

    def moves(self, seat: Seat) -> Mapping[int, Move]:
        """The legal actions of a seat, each with the move that it plays."""
        actions: Mapping[int, Move] = self.game.actions.among(  # type: ignore[union-attr]
            self.game.legal_moves(self.state, seat)
        )
        return actions

    def play(self, seat: Seat, move: Move) -> None:
        """Plays a move of a learner and then every bot that follows."""
        self._take(self.game.play(self.state, seat, move, self._shuffle))
        self._let_bots_play()

    def copy(self) -> "RunningMatch":
        other = RunningMatch.__new__(RunningMatch)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, _memo: Any) -> "RunningMatch":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        derived = ("game", "_shuffle", "_players", "_observers")
        kept = {name: value for name, value in vars(self).items() if name not in derived}
        remembered = {
            seat: list(player.remembered)
            for seat, player in self._players.items()
            if isinstance(player, ViewPlayer)
        }
        own = {"events": list(self.events), "_chance": copy(self._chance), "_rng": copy(self._rng)}
        return {**kept, **own, "remembered": remembered}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        remembered = kept.pop("remembered")
        vars(self).update(kept)
        self._seat_bots(remembered)

    def seen_since(self, seat: Seat, first: int) -> list[Event]:
        """The events from number ``first`` on, as the seat saw them."""
        return [event.seen_by(seat) for event in self.events[first:]]

    def observed(self, seat: Seat) -> Any:
        """The numbers of ``Game.observe`` for a seat."""
        return self.game.observe(self.game.view(self.state, seat))  # type: ignore[misc]

    def _take(self, step: Step[Any]) -> None:
        self.state = step.state
        self.plies += 1
        for number, event in enumerate(step.events, start=len(self.events)):
            if type(event) is self.game.opening:
                self.round_began = number
        self.events += step.events
        for player in self._observers:
            player.observe(step)

    def _let_bots_play(self) -> None:
        game, players = self.game, self._players
        acting = game.to_act(self.state)
        while players and (bots := [seat for seat in acting if seat in players]):
            seat, state = pick_seat(bots, self._rng), self.state
            moves = game.legal_moves(state, seat)
            forced = len(moves) == 1 and not game.represents_others(moves[0])
            move = moves[0] if forced else players[seat].choose(state, moves)
            self._take(game.play(state, seat, move, self._shuffle))
            acting = game.to_act(self.state)
        self._to_act: tuple[Seat, ...] = acting


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


class OfALineup:
    """The base of both kinds of environments: agents, spaces, the next match, its words."""

    kind = ""  # in its name
    extra_actions = 0

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
        self.metadata: dict[str, Any] = {
            "name": f"cardroom_{lineup.game.slug}{self.kind}_v1",
            "render_modes": RENDER_MODES,
        }
        self._seats = {agent_of(seat): seat for seat in lineup.learners}
        self.possible_agents = list(self._seats)
        self.agents: list[Agent] = []
        self._action_space, self._observation_space = spaces_of(lineup, self.extra_actions)
        self.state_space = state_space_of(lineup)
        self._max_plies = max_plies
        self._random = np_random()[0]

    def action_space(self, agent: Agent) -> Space[Any]:
        return self._action_space

    def observation_space(self, agent: Agent) -> Space[Any]:
        return self._observation_space

    def state(self) -> Any:
        """The observations of all seats, a row a seat: every hand, but no deck to come."""
        seats = range(len(self.lineup.setups))
        return numpy.array([self.match.observed(seat) for seat in seats], dtype=numpy.int16)

    def seat_of(self, agent: Agent) -> Seat:
        return self._seats[agent]

    def _deal(self, seed: int | None) -> None:
        """A new match. Without a seed it is the next one of the seed given before."""
        if seed is not None:
            self._random = np_random(seed)[0]
        self.match = RunningMatch(self.lineup, int(self._random.integers(LARGEST_SEED)))
        self.agents = list(self.possible_agents)
        self._rendered = 0

    def render(self) -> str | None:
        """The events since the last call, in words, as a spectator sees them."""
        words = in_words(self.lineup, self.match.events[self._rendered :])
        self._rendered = len(self.match.events)
        if self.render_mode == "ansi":
            return words
        print(words)  # noqa: T201 - what the mode "human" is for
        return None

    def close(self) -> None:
        """There is nothing to close."""


class CardroomEnvironment(OfALineup, AECEnv):  # type: ignore[misc]
    """See the module; made by ``environment``."""

    def __init__(self, lineup: Lineup, *terms: Any) -> None:
        super().__init__(lineup, *terms)
        self.metadata["is_parallelizable"] = False
        self._names = {seat: agent for agent, seat in self._seats.items()}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals a new match."""
        self._deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._legal: Mapping[int, Move] | None = None
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


def illegal(action: int | None, legal: Mapping[int, Move]) -> str:
    allowed = ", ".join(f"{number} ({move})" for number, move in list(legal.items())[:12])
    return f"Action {action!r} is not legal here; legal are {allowed}{', …' * (len(legal) > 12)}."
