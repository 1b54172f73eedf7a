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

A batch as a vector environment of Gymnasium: one learner a lane, its rivals inside.

    env = CardroomVectorEnv(batch_of(slug, 256, seed=1, auto_reset=False))
    observations, _ = env.reset(seed=1)
    while training:
        actions = choose(observations["observation"], observations["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(actions)

The learner sits on seat ``lane % players`` unless ``seat`` names one for all. ``rival`` chooses for
the other seats, an action a row of ``(observations, masks, generator)``; by itself it is any legal
action. A lane whose match is over is dealt again in the same step (``AutoresetMode.SAME_STEP``):
the last observation of the match that ended is in ``infos["final_obs"]``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cardroom.arena.statistics import BadRequest
from cardroom.fast.compiling import STREAMS
from cardroom.fast.kernel import Kernel, mixed, of_the_game
from cardroom.research.environment import LONGEST, Reward, check_reward, lineup
from cardroom.rules import catalog
from cardroom.rules.encoding import option_numbers
from cardroom.rules.shuffles import purpose_start

NOBODY: Final = -1  # in ``seats``: the match of this lane is over


def _modules() -> Iterator[tuple[str, str]]:
    """The games that have batches, each with its module."""
    for game in catalog.OF_THE_HOUSE:
        room = f"cardroom.research.{game.slug.replace('-', '_')}"
        if find_spec(room) and find_spec(f"{room}.batch"):
            yield game.slug, f"{room}.batch"


BATCHES: Final = dict(sorted(_modules()))


# Functions of a game whose match is one record: of kernels (``fast.kernel``), (words, match,
# action), (match, seat, out), except the options, and (match, seat, mask), if the match goes on.
open_match = is_over = finish = act = see = allow = of_the_game


def deal_lanes(options: Any, lanes: Any, words: Any, matches: Any, results: Any) -> None:
    for at in range(lanes.shape[0]):
        if lanes[at]:
            results[at] = 0
            matches[at, 0] = options[0]
            open_match(words[at], matches[at, 0])


def play_lanes(
    actions: Any, lanes: Any, over: Any, _options: Any, words: Any, matches: Any, results: Any
) -> None:
    for at in range(lanes.shape[0]):
        over[at] = False
        if lanes[at]:
            act(words[at], matches[at, 0], actions[at])
            if is_over(matches[at, 0]):
                finish(matches[at, 0], results[at])
                over[at] = True


def look_lanes(
    _options: Any, public: Any, who: Any, observations: Any, masks: Any, _words: Any, matches: Any,
    _results: Any,
) -> None:  # fmt: skip
    for at in range(observations.shape[0]):
        own, out, match = max(0, who[at]), observations[at], matches[at, 0]
        out[:] = 0
        masks[at, :] = 0
        see(match, own, out)
        for nth in range(public.shape[0]):
            out[out.shape[0] - public.shape[0] + nth] = public[nth]
        if not is_over(match):
            allow(match, own, masks[at])


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
    deal: ClassVar[Callable[..., None]]
    play: ClassVar[Callable[..., None]]
    look: ClassVar[Callable[..., None]]

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
        self.play(chosen, moving, self._over, self._options, *self._tables)
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

    @abstractmethod
    def _to_act(self) -> Any:
        """The seat to act in every lane, ``NOBODY`` where the match is over."""

    def _public_numbers(self) -> Sequence[int]:
        """The numbers of the options in every observation."""
        return option_numbers(self.lineup.options)

    def _deal(self, lanes: Any) -> None:
        for stream in range(STREAMS):
            begun = mixed(self._starts[lanes, stream], self.numbers[lanes])
            self._tables[0][lanes, stream] = begun
        self.deal(self._options, lanes, *self._tables)

    def _write(self, seats: Any, observations: Any, masks: Any) -> None:
        self.look(self._options, self._public, seats, observations, masks, *self._tables)

    def _blank_tables(self, count: int) -> tuple[Any, ...]:
        """Words and arrays of every match as in the kernel, then what it counts."""
        words, *others = [
            numpy.zeros((count, *array.shape), dtype=array.dtype).view(type(array))
            for array in self.kernel.scratch()
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
    """As ``cardroom.research.environment``, of many matches at once."""
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


Rival: TypeAlias = Callable[[Any, Any, numpy.random.Generator], Any]
KEYS: Final = ("observation", "action_mask")


def any_legal(_observations: Any, masks: Any, generator: numpy.random.Generator) -> Any:
    """A legal action a row, each as likely as another."""
    return ((1 - generator.random(masks.shape)) * masks).argmax(axis=1)


class CardroomVectorEnv(VectorEnv):
    """See the module. ``max_steps`` of a learner truncate a match; ``ValueError`` for a batch that
    deals by itself, for then the end of a match would not be seen."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        batch: Batch,
        seat: int | None = None,
        rival: Rival = any_legal,
        max_steps: int = LONGEST,
    ) -> None:
        if batch.auto_reset:
            raise ValueError("A vector environment needs a batch with auto_reset=False.")
        self.batch, self.num_envs = batch, len(batch)
        self._rival, self._max_steps = rival, max_steps
        lanes = numpy.arange(len(batch))
        self._own = lanes % batch.players if seat is None else numpy.full(len(batch), seat)
        self.single_action_space = Discrete(batch.masks.shape[1])
        self.single_observation_space = _space_of(batch)
        self.action_space = batch_space(self.single_action_space, len(batch))
        self.observation_space = batch_space(self.single_observation_space, len(batch))
        self._chance = numpy.random.default_rng()
        self._steps = numpy.zeros(len(batch), dtype=numpy.int64)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deals every lane again; with a seed lane ``i`` plays its match ``i``."""
        if seed is not None:
            self._chance = numpy.random.default_rng(seed)
        self.batch.reset(seed)
        self._steps[:] = 0
        self._let_rivals_play(numpy.zeros(len(self.batch)))
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Plays for the learner of every lane, then its rivals up to its next turn."""
        rewards = numpy.zeros(len(self.batch))
        given, _ = self.batch.step(actions)
        self._gather(given, rewards)
        self._steps += 1
        self._let_rivals_play(rewards, redeal=False)
        terminated = self.batch.seats == NOBODY
        truncated = ~terminated & (self._steps >= self._max_steps)
        infos = self._begin_again(terminated | truncated)
        return self._seen(), rewards, terminated, truncated, infos

    def _begin_again(self, ended: Any) -> dict[str, Any]:
        """Deals the lanes that ended; what their learners saw last."""
        if not ended.any():
            return {}
        last = self._seen()
        final = numpy.full(len(ended), None, dtype=object)
        for lane in numpy.flatnonzero(ended):
            final[lane] = {key: last[key][lane].copy() for key in KEYS}
        self.batch.reset(lanes=ended)
        self._steps[ended] = 0
        self._let_rivals_play(numpy.zeros(len(self.batch)))
        return {"final_obs": final, "_final_obs": ended}

    def _let_rivals_play(self, rewards: Any, *, redeal: bool = True) -> None:
        """Until every learner is to act. ``redeal`` deals matches that end before it ever was."""
        batch = self.batch
        while True:
            over = batch.seats == NOBODY
            if redeal and over.any():
                batch.reset(lanes=over)
                continue
            playing = ~over & (batch.seats != self._own)
            if not playing.any():
                return
            actions = self._rival(batch.observations, batch.masks, self._chance)
            given, _ = batch.step(actions, playing=playing)
            self._gather(given, rewards)

    def _gather(self, given: Any, rewards: Any) -> None:
        rewards += given[numpy.arange(len(rewards)), self._own]

    def _seen(self) -> dict[str, Any]:
        observations, masks = self.batch.look_as(self._own)
        return dict(zip(KEYS, (observations, masks), strict=True))


def _space_of(batch: Batch) -> Dict:
    layout: Any = batch.game.observation
    least, most = (numpy.array(bound, dtype=numpy.int16) for bound in layout.bounds())
    mask = Box(0, 1, (batch.masks.shape[1],), dtype=numpy.int8)
    return Dict({"observation": Box(least, most, dtype=numpy.int16), "action_mask": mask})
