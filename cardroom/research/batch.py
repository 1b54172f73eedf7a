"""Thousands of matches at once: a vectorised environment on the compiled kernel of a game.

    batch = batch_of(slug, 4096, seed=1)
    while training:
        actions = choose(batch.observations, batch.masks)  # an action for every match
        rewards, over = batch.step(actions)

In every match one seat is to act, ``batch.seats``; ``observations`` and ``masks`` are of that seat.
A match that ends gives its rewards and is followed by the next one of the seed: lane ``i`` plays
match ``i``, then ``i + n``, ``i + 2n`` … Observations, actions and decks are those of
``environment``, of several seats that may act at once the lowest acts first. The arrays are the
batch's own: ``step`` writes into them. Without Numba everything works, far slower.

Each game has its subclass (``cardroom.research.<slug>.batch``), made of three compiled functions
over the arrays of its kernel: ``deal``, ``play`` and ``look``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Final, NamedTuple

import numpy

from cardroom.arena.errors import BadRequest
from cardroom.fast.kernel import Kernel
from cardroom.research.lineup import lineup
from cardroom.research.rewards import Reward, check_reward
from cardroom.rules import catalog
from cardroom.rules.encoding import option_numbers
from cardroom.rules.stream import purpose_start

NOBODY: Final = -1  # in ``seats``: the match of this lane is over


def _modules() -> Iterator[tuple[str, str]]:
    """The games that have batches, each with its module."""
    for game in catalog.OF_THE_HOUSE:
        room = f"cardroom.research.{game.slug.replace('-', '_')}"
        if find_spec(room) and find_spec(f"{room}.batch"):
            yield game.slug, f"{room}.batch"


BATCHES: Final = dict(sorted(_modules()))


class Lane(NamedTuple):
    """One match in the middle, to be loaded into any lane of a batch of the same options."""

    number: int
    starts: Any
    tables: tuple[Any, ...]


class Batch(ABC):
    """``count`` matches side by side; see the module.

    ``observations`` has a row of ``Game.observe`` a match (int16), ``masks`` 1 for every legal
    action (int8), ``seats`` who is to act, ``numbers`` which match of the seed is played.
    With ``auto_reset`` off a lane whose match is over waits for ``reset``.
    """

    slug: ClassVar[str]
    kernel: ClassVar[Kernel]

    def __init__(
        self,
        count: int,
        *,
        preset: str | None = None,
        options: Mapping[str, Any] | None = None,
        side_decks: Sequence[Sequence[str]] = (),
        seed: int = 0,
        reward: str = "winners",
        auto_reset: bool = True,
        **named: Any,
    ) -> None:
        chosen = lineup(self.slug, preset=preset, options=options, side_decks=side_decks, **named)
        if missing := self.kernel.uncovered(chosen.options):
            raise BadRequest(f"The kernel of {chosen.game.name} does not play {missing}.")
        self.lineup, self.game, self.players = chosen, chosen.game, len(chosen.setups)
        self.reward: Reward = check_reward(reward)
        self.auto_reset = auto_reset
        size, actions = chosen.game.observation.size, len(chosen.game.actions.texts)  # type: ignore[union-attr]
        self.observations = numpy.zeros((count, size), dtype=numpy.int16)
        self.masks = numpy.zeros((count, actions), dtype=numpy.int8)
        self.seats = numpy.zeros(count, dtype=numpy.int64)
        self.numbers = numpy.zeros(count, dtype=numpy.int64)
        self._rewards = numpy.zeros((count, self.players))
        self._over = numpy.zeros(count, dtype=numpy.bool_)
        self._starts = numpy.zeros((count, 2), dtype=numpy.uint64)
        self._options = self.kernel.encode(chosen.options, chosen.setups)
        self._public = numpy.array(self._public_numbers(), dtype=numpy.int16)
        self._tables = self._blank_tables(count)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.numbers)

    def reset(self, seed: int | None = None, lanes: Any = None, numbers: Any = None) -> None:
        """Deals new matches to the lanes (all of them, or those named or marked).

        With a ``seed`` lane ``i`` plays match ``i`` of it, or the match named in ``numbers``;
        without one the match after those that were played.
        """
        chosen = self._marked(lanes)
        if seed is not None:
            purposes = [purpose_start(seed, purpose) for purpose in ("decks", "bots")]
            self._starts[chosen] = numpy.array(purposes, dtype=numpy.uint64)
            self.numbers[chosen] = numpy.arange(len(self))[chosen]
        elif numbers is None:
            self.numbers[chosen] += len(self)
        if numbers is not None:
            self.numbers[chosen] = numbers
        self._deal(chosen)
        self._look()

    def step(self, actions: Any, playing: Any = None) -> tuple[Any, Any]:
        """Plays one action in every match: the rewards of all seats and which matches ended.

        ``playing`` marks the lanes that move; the others stay as they are. ``ValueError`` names
        the first match whose action is not legal; then none is played.
        """
        chosen = numpy.ascontiguousarray(actions, dtype=numpy.int64)
        if chosen.shape != self.numbers.shape:
            raise ValueError(f"There are {len(self)} matches; name an action for each.")
        moving = self._marked(playing)
        self._check(chosen, moving)
        self._play(chosen, moving, self._over)
        self._rewards[:] = 0.0
        if self._over.any():
            self._end()
        self._look()
        return self._rewards, self._over

    def save(self, lane: int) -> Lane:
        """The match of a lane as it stands."""
        tables = tuple(table[lane].copy() for table in self._tables)
        return Lane(int(self.numbers[lane]), self._starts[lane].copy(), tables)

    def load(self, lane: int, saved: Lane) -> None:
        """Goes on with a saved match in this lane, as it would have gone on in its own."""
        self.numbers[lane], self._starts[lane] = saved.number, saved.starts
        for table, row in zip(self._tables, saved.tables, strict=True):
            table[lane] = row
        self._look()

    def look_as(self, seats: Any) -> tuple[Any, Any]:
        """New observations and masks as these seats see their matches, one seat a lane."""
        observations, masks = numpy.zeros_like(self.observations), numpy.zeros_like(self.masks)
        self._write(numpy.asarray(seats, dtype=numpy.int64), observations, masks)
        return observations, masks

    # What a game adds.

    @abstractmethod
    def _to_act(self) -> Any:
        """The seat to act in every lane, ``NOBODY`` where the match is over."""

    @abstractmethod
    def _deal(self, lanes: Any) -> None: ...

    @abstractmethod
    def _play(self, actions: Any, lanes: Any, over: Any) -> None: ...

    @abstractmethod
    def _write(self, seats: Any, observations: Any, masks: Any) -> None: ...

    def _public_numbers(self) -> Sequence[int]:
        """What every observation says of the options."""
        return option_numbers(self.lineup.options)

    # What they all have in common.

    def _blank_tables(self, count: int) -> tuple[Any, ...]:
        """Words and arrays of every match as in the kernel, then what it counts."""
        words, *others = [
            numpy.zeros((count, *array.shape), dtype=array.dtype) for array in self.kernel.scratch()
        ]
        results = numpy.zeros((count, self.kernel.width(self.lineup.options)), dtype=numpy.int64)
        return (words, *others, results)

    def _marked(self, lanes: Any) -> Any:
        """Lanes as one truth value each."""
        if lanes is None:
            return numpy.ones(len(self), dtype=numpy.bool_)
        named = numpy.asarray(lanes)
        if named.dtype == numpy.bool_:
            return numpy.ascontiguousarray(named)
        marked = numpy.zeros(len(self), dtype=numpy.bool_)
        marked[named] = True
        return marked

    def _check(self, actions: Any, moving: Any) -> None:
        known = (actions >= 0) & (actions < self.masks.shape[1])
        lanes = numpy.arange(len(self))
        legal = known & (self.masks[lanes, numpy.where(known, actions, 0)] == 1)
        wrong = numpy.flatnonzero(moving & ~legal)
        if len(wrong):
            at = int(wrong[0])
            allowed = numpy.flatnonzero(self.masks[at]).tolist()
            raise ValueError(f"Action {actions[at]} is not legal in match {at}, {allowed} are.")

    def _end(self) -> None:
        """Rewards the matches that ended, and deals what follows."""
        ended = self._tables[-1][self._over, self.kernel.columns.points :]
        sides = self.kernel.sides(self.lineup.options)
        points, places = ended[:, :sides], ended[:, sides : sides + self.players]
        self._rewards[self._over] = rewards_of(self, points, places)
        if self.auto_reset:
            self.numbers[self._over] += len(self)
            self._deal(self._over)

    def _look(self) -> None:
        self.seats[:] = self._to_act()
        self._write(self.seats, self.observations, self.masks)


def rewards_of(batch: Batch, points: Any, places: Any) -> Any:
    """As ``cardroom.research.rewards``, of many matches at once."""
    if batch.reward == "margin":
        return _margins(batch, points)
    if batch.reward == "places" or batch.game.points_are_places:
        ahead = numpy.sign(places[:, None, :] - places[:, :, None]).sum(axis=2)
        return ahead / (batch.players - 1)
    first = places == 1
    share = first / first.sum(axis=1, keepdims=True)
    return (share - 1 / batch.players) * batch.players / (batch.players - 1)


def _margins(batch: Batch, points: Any) -> Any:
    others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
    sign = -1.0 if batch.game.points_are_places else 1.0
    side_of = numpy.zeros(batch.players, dtype=numpy.int64)
    for side, members in enumerate(batch.game.sides_of(batch.lineup.options)):
        side_of[list(members)] = side
    return (sign * (points - others))[:, side_of]


def batch_of(game: str, count: int, **chosen: Any) -> Batch:
    """``count`` matches of a game; ``chosen`` is what ``Batch`` takes. ``BadRequest`` for names and
    options that there are not, and for games without a kernel."""
    if game not in BATCHES:
        known = ", ".join(BATCHES)
        raise BadRequest(f"There are no batches of {game!r}; there are of: {known}.")
    made: Batch = import_module(BATCHES[game]).BATCH(count, **chosen)
    return made
