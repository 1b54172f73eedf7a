"""Monte Carlo search over possible worlds, for the bots of every game.

A bot describes what its seat knows as a ``World``: ``sample`` deals the cards that the seat cannot
see at random, ``play`` makes a move, ``playout`` plays on by a quick policy, and ``worth`` says how
good the end is for the seat that searches: its chance to win the match. Every sampled world is
played with every move that is still considered, so the moves are compared on the same cards. After
each round the worse half of the moves is dropped (sequential halving).

The number of playouts decides when a search ends, so the same seed gives the same choice on every
machine. A time limit is set only where a player waits for the move (``stopping_when``).

``best_move`` plays the worlds one by one. A compiled form of a search calls ``best_by``, which
halves in the same way, with a comparison that plays many worlds at once.

Flat worlds: what a search keeps of a position, for plain Python and for compiled code alike.

A class of flat values declares its fields as annotations: numbers, and lists of a fixed length.
The functions of a search name these fields (``world.top``, ``world.sizes[seat]``) and change them
in place. Plain Python runs them on this class. ``cardroom.fast.binding`` makes a record of the same
fields and compiles the same functions for it, so both forms choose the same move.

Such functions call others by their names, not as methods or through a module. For copies,
lowest bits and random numbers they call the functions at the end of this module.

The world of any game that can imagine one: its own rules, played on at random.

Slow beside a world made for one game, but it needs nothing from the game. ``monte_carlo`` is the
bot that searches with it, for games without a stronger one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from random import Random
from typing import Annotated, Any, ClassVar, Final, NamedTuple, Protocol, Self, get_args, get_origin

from cardroom.rules.bot import Bot, Search
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import Stream, seeded
from cardroom.rules.values import Event, Move, Seat, View, Weighing, pick_seat

AT_ONCE: Final = 200  # worlds of a compiled search between two looks at the clock
BATCHES: Final = 16  # of worlds, where moves are weighed
NEAR: Final = 0.01  # of the difference between the best and the worst move is as good as none


class World(Protocol):
    """A position as one seat knows it, or one of the worlds that it may be."""

    def sample(self, rng: Random) -> Self:
        """A world in which every unknown card lies somewhere, the cards still to come included."""

    def copy(self) -> Self:
        """The same world with the same chances to come."""

    def play(self, move: Move, /) -> None:
        """Makes a move of the seat that searches."""

    def playout(self) -> None:
        """Plays on until ``worth`` is known."""

    def worth(self) -> float:
        """The chance of the seat that searches to win the match, from 0 to 1."""


_out_of_time: ContextVar[Callable[[], bool] | None] = ContextVar("out_of_time", default=None)


@contextmanager
def stopping_when(out_of_time: Callable[[], bool]) -> Iterator[None]:
    """Searches inside end early once ``out_of_time`` says so, with the best move found by then.

    Without it they read no clock.
    """
    token = _out_of_time.set(out_of_time)
    try:
        yield
    finally:
        _out_of_time.reset(token)


def out_of_time() -> bool:
    """Whether a search must end now, with the best move found so far (``stopping_when``)."""
    stop = _out_of_time.get()
    return stop is not None and stop()


class Candidate:
    """A move that is compared with others, and what it was worth so far."""

    __slots__ = ("move", "total", "worlds")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.total = 0.0
        self.worlds = 0

    @property
    def mean(self) -> float:
        return self.total / max(1, self.worlds)


# Plays the moves of the candidates in so many new worlds, the same for all, and counts their worth.
Compare = Callable[[Sequence[Candidate], int], None]


def best_move(
    world: World, moves: Sequence[Move], playouts: int, rng: Random, near: float = NEAR
) -> Move:
    """The move with the highest mean worth; ``playouts`` is the budget for all moves together.

    Of finalists that are as good as equal one is picked at random, so that nobody can foretell it.
    """
    return best_by(partial(_compare, world, rng), moves, playouts, rng, near)


def best_by(
    compare: Compare,
    moves: Sequence[Move],
    playouts: int,
    rng: Random,
    near: float = NEAR,
    at_once: int = 1,
) -> Move:
    """``best_move`` by a comparison that plays up to ``at_once`` worlds between looks at the clock.

    The worlds of two calls of ``compare`` must be those of one call for both.
    """
    if len(moves) == 1:
        return moves[0]
    candidates = [Candidate(move) for move in moves]
    rounds, lowest = (len(candidates) - 1).bit_length(), 1.0
    for _ in range(rounds):
        worlds = max(1, playouts // (rounds * len(candidates)))
        enough = _in_time(compare, candidates, worlds, at_once)
        candidates.sort(key=lambda candidate: -candidate.mean)
        lowest = min(lowest, candidates[-1].mean)
        if not enough:
            break
        if len(candidates) > 2:
            candidates = candidates[: (len(candidates) + 1) // 2]
    enough_worth = candidates[0].mean - near * (candidates[0].mean - lowest)
    return rng.choice([each.move for each in candidates if each.mean >= enough_worth])


def weigh_by(
    compare: Compare, moves: Sequence[Move], worlds: int, batches: int = BATCHES
) -> Weighing:
    """Every move in so many worlds, in batches; nothing is dropped."""
    candidates = [Candidate(move) for move in moves]
    means: list[list[float]] = [[] for _ in moves]
    size = max(1, worlds // batches)
    for _ in range(batches):
        before = [candidate.total for candidate in candidates]
        compare(candidates, size)
        for mean, candidate, total in zip(means, candidates, before, strict=True):
            mean.append((candidate.total - total) / size)
    return Weighing(tuple(moves), tuple(map(tuple, means)))


def comparison(play_worlds: Callable[[int, list[int], list[float]], None]) -> Compare:
    """The comparison by a function that plays moves in sampled worlds.

    ``play_worlds(worlds, moves, totals)`` plays each of the moves in so many worlds and adds what
    they are worth to ``totals``, move by move. ``moves`` are the places of the moves in the order
    in which they are first given.
    """
    places: dict[Move, int] = {}

    def compare(candidates: Sequence[Candidate], worlds: int) -> None:
        moves = [places.setdefault(candidate.move, len(places)) for candidate in candidates]
        totals = [candidate.total for candidate in candidates]
        play_worlds(worlds, moves, totals)
        for candidate, total in zip(candidates, totals, strict=True):
            candidate.total = total
            candidate.worlds += worlds

    return compare


def _in_time(compare: Compare, candidates: Sequence[Candidate], worlds: int, at_once: int) -> bool:
    """Compares in so many worlds, a few at once; ``False`` if time ran out."""
    for done in range(0, worlds, at_once):
        compare(candidates, min(at_once, worlds - done))
        if out_of_time():
            return False
    return True


def _compare(world: World, rng: Random, candidates: Sequence[Candidate], worlds: int) -> None:
    for _ in range(worlds):
        sampled = world.sample(rng)
        for candidate in candidates:
            twin = sampled.copy()
            twin.play(candidate.move)
            twin.playout()
            candidate.total += twin.worth()
            candidate.worlds += 1


class Field(NamedTuple):
    """``shape`` is empty for a number; else the length of a list, or of lists in a list."""

    kind: type
    shape: tuple[int, ...]


class _FlatType(type):
    """Gives a class slots for its fields, and methods that make and copy its values."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> "_FlatType":
        kinds = space.get("__annotations__", {}).items()
        fields = {key: _field(kind) for key, kind in kinds if get_origin(kind) is not ClassVar}
        space |= {"FIELDS": fields, "__slots__": tuple(fields)}
        if fields:
            exec(_methods(fields), space)  # noqa: S102 - as dataclasses do; a loop is far slower
            del space["__builtins__"]
        return super().__new__(mcs, name, bases, space)


def _field(kind: Any) -> Field:
    """Of ``int``, ``float``, ``Annotated[list[int], 4]``, ``Annotated[list[list[int]], 4, 13]``."""
    if get_origin(kind) is not Annotated:
        return Field(kind, ())
    number, *shape = get_args(kind)
    while get_origin(number) is list:
        (number,) = get_args(number)
    return Field(number, tuple(shape))


def _methods(fields: dict[str, Field]) -> str:
    lines = ["def __init__(self):"]
    lines += [f"    self.{name} = {_zeros(field)}" for name, field in fields.items()]
    lines += ["def copy_to(self, twin):"]
    lines += [f"    {_copying(name, field)}" for name, field in fields.items()]
    return "\n".join(lines)


def _zeros(field: Field) -> str:
    text = repr(field.kind())
    for nested, length in enumerate(reversed(field.shape)):
        text = f"[{text} for _ in range({length})]" if nested else f"[{text}] * {length}"
    return text


def _copying(name: str, field: Field) -> str:
    if not field.shape:
        return f"twin.{name} = self.{name}"
    rows = [f"[{row}]" for row in range(field.shape[0])] if len(field.shape) > 1 else [""]
    return "; ".join(f"twin.{name}{row}[:] = self.{name}{row}" for row in rows)


class Flat(metaclass=_FlatType):
    """The base of these classes; every number is 0 at first."""

    FIELDS: ClassVar[dict[str, Field]]

    def copy_to(self, twin: Self) -> None:
        """Makes another value equal to this one."""

    def copy(self) -> Self:
        twin = type(self)()
        self.copy_to(twin)
        return twin


def copy_into(places: "list[Any]", at: int, value: Flat) -> None:
    """Makes the value at this place equal to another one."""
    value.copy_to(places[at])


def lowest_bit(number: int) -> int:
    """The place of its lowest bit that is set; -1 of 0."""
    return (number & -number).bit_length() - 1


def chance(rng: Random) -> float:
    """In [0, 1)."""
    return rng.random()


def below(rng: Random, bound: int) -> int:
    """A whole number below ``bound``, which is 128 at most."""
    return rng.randrange(bound)


def shuffle(rng: Random, cards: list[int], count: int) -> None:
    """Shuffles the first ``count`` cards."""
    shuffled = cards[:count]
    rng.shuffle(shuffled)
    cards[:count] = shuffled


def fork(rng: Random, other: Stream) -> None:
    """``other`` begins where the next word of ``rng`` says."""
    other.seed(rng.getrandbits(64))


def rewind(stream: Stream, start: Stream) -> None:
    """``stream`` goes on as ``start`` would."""
    stream.setstate(start.getstate())


LONGEST: Final = 1_000  # plies of a playout
UNDECIDED: Final = 0.5


class RulesWorld:
    """A match as one seat knows it; a sampled world has a state and the seed of its chances."""

    def __init__(self, game: AnyGame, view: View, seat: Seat, events: Sequence[Event]) -> None:
        self._game, self._view, self._seat, self._events = game, view, seat, events
        self._state: Any = None
        self._seed = 0
        self._rng = Random(0)

    def sample(self, rng: Random) -> Self:
        assert self._game.imagine is not None  # noqa: S101
        world = type(self)(self._game, self._view, self._seat, self._events)
        world._state = self._game.imagine(self._view, rng, self._events)  # noqa: SLF001
        world._seed = rng.getrandbits(64)  # noqa: SLF001
        return world

    def copy(self) -> Self:
        twin = type(self)(self._game, self._view, self._seat, self._events)
        twin._state, twin._seed, twin._rng = self._state, self._seed, Random(self._seed)  # noqa: SLF001
        return twin

    def play(self, move: Move) -> None:
        self._play(self._seat, move)

    def _play(self, seat: Seat, move: Move) -> None:
        self._state = self._game.play(self._state, seat, move, seeded(self._rng)).state

    def playout(self) -> None:
        game, rng = self._game, self._rng
        for _ in range(LONGEST):
            acting = game.to_act(self._state)
            if not acting:
                return
            seat = pick_seat(acting, rng)
            self._play(seat, rng.choice(game.legal_moves(self._state, seat)))

    def worth(self) -> float:
        outcome = self._game.outcome(self._state)
        if outcome is None:
            return UNDECIDED
        sides = self._game.sides_of(self._state.options)
        winning = [side for side in sides if set(side) & set(outcome.winners)]
        return any(self._seat in side for side in winning) / max(1, len(winning))


def monte_carlo(game: AnyGame) -> Bot[Any]:
    """The bot ``mc``, which plays any game that can imagine a world."""
    return Search(partial(_choose, game), playouts=200, playouts_a_ms=0.5).bot(
        slug="mc",
        name="Monte Carlo",
        summary="Plays every choice to the end at random, in worlds that it may be in.",
        level=3,
        rated=False,
        remembers="match",
        cost="slow",
        seconds=2.0,
    )


def _choose(game: AnyGame, view: View, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    if len(view.legal_moves) == 1:
        return view.legal_moves[0]
    seat = view.to_act[0] if view.seat is None else view.seat
    return best_move(RulesWorld(game, view, seat, events), view.legal_moves, playouts, rng)
