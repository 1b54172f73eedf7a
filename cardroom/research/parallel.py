"""A PettingZoo parallel environment of any game: every seat acts at every step.

Seats that are not to act have one legal action, the last one, which is to wait. Where several
seats may act at once all of them do in one step.

The memory of a seat in the running round, as numbers beside its observation.

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

The file of a training, with a header of its contents, and the bot that plays it.

``policy.npz`` holds arrays and a header, which names the game, the ``kind`` of player (a module of
the game's folder here), the shapes of the arrays and the version of the encoding. A file for
another encoding, or with other shapes, is refused: its numbers would mean something else. The arena
plays a file by the name ``trained:FILE``.
"""

import hashlib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import msgspec
import numpy
from gymnasium.spaces import Box, Dict, Space
from pettingzoo import ParallelEnv
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

from cardroom.arena.statistics import BadRequest
from cardroom.research.environment import (
    LONGEST,
    Agent,
    CardroomEnvironment,
    Lineup,
    Observation,
    OfALineup,
    RunningMatch,
    agent_of,
    check_reward,
    illegal,
    lineup,
    worth,
)
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.encoding import MOST
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, Seat, View


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


class CardroomParallelEnvironment(OfALineup, ParallelEnv):  # type: ignore[misc]
    """See the module; made by ``parallel_environment``."""

    kind = "_parallel"
    extra_actions = 1

    @property
    def wait(self) -> int:
        """The last action."""
        return int(self._action_space.n) - 1

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        self._deal(seed)
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
        """The memory of the seat in the running round of a match."""
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


FORMAT: Final = "cardroom-trained/1"
HEADER: Final = "header"

Choice = Callable[[View, Sequence[Event], Random], Move]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``shapes`` are those of the arrays, by their names; ``notes`` is what a training may add."""

    format: str
    game: str
    kind: str
    encoding: str
    shapes: dict[str, tuple[int, ...]]
    notes: dict[str, Any] = {}


class Kind(Protocol):
    """A module ``cardroom.research.<slug>.<kind>`` that can play what it wrote."""

    REMEMBERS: str
    SHAPES: Mapping[str, tuple[int | None, ...]]  # None: of any size

    def player(self, arrays: Mapping[str, Any]) -> Choice: ...


def encoding_version(game: AnyGame) -> str:
    """Changes with every action number and every place of an observation."""
    layout: Any = game.observation
    features = [(each.name, each.size, each.least, each.most) for each in layout.features]
    content = msgspec.json.encode((features, game.actions.texts, game.rules_version))  # type: ignore[union-attr]
    return hashlib.sha256(content).hexdigest()[:16]


def save(path: Path, game: AnyGame, kind: str, arrays: Mapping[str, Any], **notes: Any) -> None:
    """Writes the file beside its name first, so that a half one is never read."""
    shapes = {name: tuple(numpy.shape(array)) for name, array in arrays.items()}
    header = Header(FORMAT, game.slug, kind, encoding_version(game), shapes, notes)
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.with_suffix(".part.npz")
    text = numpy.frombuffer(msgspec.json.encode(header), dtype=numpy.uint8)
    whole: dict[str, Any] = {HEADER: text, **arrays}
    numpy.savez(begun, **whole)
    begun.replace(path)


def load(path: Path, game: AnyGame | None = None) -> tuple[Header, dict[str, Any]]:
    """The header and the arrays; ``BadRequest`` says why a file cannot be used (for this game)."""
    try:
        with numpy.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = msgspec.json.decode(arrays.pop(HEADER).tobytes(), type=Header)
    except FileNotFoundError:
        raise BadRequest(f"There is no file {path}.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadRequest(f"{path} is no file that a training of Cardroom wrote.") from None
    if game is not None:
        _check(path, header, arrays, game)
    return header, arrays


def _check(path: Path, header: Header, arrays: Mapping[str, Any], game: AnyGame) -> None:
    if header.format != FORMAT:
        raise BadRequest(f"{path} has the format {header.format}; {FORMAT} can be read here.")
    if header.game != game.slug:
        raise BadRequest(f"{path} was trained for {header.game}, not for {game.slug}.")
    if header.encoding != encoding_version(game):
        raise BadRequest(
            f"{path} was trained with another encoding of {game.name}: {header.encoding}, now it "
            f"is {encoding_version(game)}. Train again."
        )
    shapes = {name: tuple(array.shape) for name, array in arrays.items()}
    if shapes != header.shapes:
        raise BadRequest(f"{path} has arrays of other shapes than its header says.")


def bot(game: AnyGame, path: Path, slug: str) -> Bot[Any]:
    """The player in a file, never rated."""
    header, arrays = load(path, game)
    kind = _kind(path, header, game)
    _check_shapes(path, header, kind)
    return Bot(
        slug=slug,
        name=f"Trained ({path.stem})",
        summary="A player that was trained.",
        level=1,
        choose=kind.player(arrays),
        rated=False,
        suggested=False,
        remembers=kind.REMEMBERS,
    )


def _kind(path: Path, header: Header, game: AnyGame) -> Kind:
    """A file may name those alone that its game lists, and no other module."""
    room = f"cardroom.research.{game.slug.replace('-', '_')}"
    known: Sequence[str] = ()
    if game in catalog.OF_THE_HOUSE and find_spec(room):
        known = getattr(import_module(room), "TRAINED", ())
    if header.kind not in known:
        raise BadRequest(f"{path} holds a {header.kind!r}, which is not known here.")
    module: Any = import_module(f"{room}.{header.kind}")
    return module  # type: ignore[no-any-return]


def _check_shapes(path: Path, header: Header, kind: Kind) -> None:
    """Every array that the kind needs, with the sizes that it states."""
    for name, wanted in kind.SHAPES.items():
        shape = header.shapes.get(name)
        if shape is None or len(shape) != len(wanted) or not _fits(shape, wanted):
            raise BadRequest(f"{path}: array {name!r} has the shape {shape}, not {wanted}.")


def _fits(shape: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return all(own in (None, size) for own, size in zip(wanted, shape, strict=True))
