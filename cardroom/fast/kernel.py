"""What every kernel has in common: batch calls, what they cover, the columns of their results.

A kernel plays whole matches of one game by the same streams as the arena does with the rules, so
match by match everything that is counted comes out equal. Its folder has one ``KERNEL``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy

from cardroom.fast.stream import WORDS
from cardroom.rules.stream import FIRST_FACTOR, GAMMA, SECOND_FACTOR, purpose_start
from cardroom.rules.values import Setup

ROW: Final = numpy.int32  # of a state that is written out; no number of it may need more
NO_TRACE: Any = numpy.zeros((0, 0), dtype=ROW)


@dataclass(frozen=True)
class Columns:
    """What the columns of a result row are, in this order; ``measures`` name event columns too."""

    reasons: tuple[str, ...]  # column 0 is an index of these, 1 the rounds, 2 the plies
    measures: tuple[str, ...]
    events: tuple[str, ...]

    @property
    def points(self) -> int:
        """The first column of points, one a side; after them come the places, one a seat."""
        return 3 + len(self.measures) + len(self.events)


# Bots and options of a variant that is checked against the rules.
Variant: TypeAlias = tuple[tuple[str, ...], Mapping[str, Any]]


def covers_every_option(_options: Any) -> str:
    """``uncovered`` of a kernel that plays by every option."""
    return ""


def players_of(options: Any) -> int:
    return options.players  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Kernel:
    """``play_batch(seeds, options, policies, results, trace, *scratch)`` fills ``results``, a row a
    match; ``scratch`` makes the arrays that it works in.

    Its loop over the matches stands in every game: a common one would have to be a closure over
    the game's functions, and Numba does not find compiled closures on the disk again.

    ``policies`` number the bots that the kernel plays exactly as the rules' bots choose.
    ``encode`` writes options and what the seats bring as an array of ints; ``uncovered`` names
    what of the options the kernel cannot play; of the rules it plays one version alone. ``row`` is
    a state of the rules as the kernel traces it, before every ply and at the end; ``trace_width``
    is the longest row. Every option is other than by default in one of the ``variants``.
    """

    slug: str
    columns: Columns
    policies: Mapping[str, int]
    encode: Callable[[Any, Sequence[Setup]], Any]
    play_batch: Callable[..., None]
    scratch: Callable[[], tuple[Any, ...]]
    row: Callable[[Any], list[int]]
    trace_width: int
    variants: Mapping[str, Variant]
    rules_version: int = 1
    uncovered: Callable[[Any], str] = covers_every_option
    sides: Callable[[Any], int] = players_of
    seats: Callable[[Any], int] = players_of

    def width(self, options: Any) -> int:
        return self.columns.points + self.sides(options) + self.seats(options)

    def play(
        self, seeds: Any, options: Any, setups: Sequence[Setup], policies: Sequence[int]
    ) -> Any:
        """One row of results a match; ``seeds`` has the starts of two streams a match."""
        return self._play(seeds, options, setups, policies, NO_TRACE)

    def traces(
        self, seeds: Any, options: Any, setups: Sequence[Setup], policies: Sequence[int]
    ) -> list[list[int]]:
        """Of each match the full state before every ply and at its end, one after the other, each
        led by its length."""
        rows, results = self.rows(seeds, options, setups, policies)
        lengths = rows[:, 0] + 1
        rows = rows[:, : lengths.max()]
        numbers = rows[numpy.arange(rows.shape[1]) < lengths[:, None]]
        last = numpy.cumsum(results[:, 2] + 1) - 1
        ends = numpy.cumsum(lengths)[last]
        return [match.tolist() for match in numpy.split(numbers, ends[:-1])]

    def rows(
        self, seeds: Any, options: Any, setups: Sequence[Setup], policies: Sequence[int]
    ) -> tuple[Any, Any]:
        """Every state of many matches, one after the other, and the results.

        A row begins with its length. Match m has ``plies + 1`` rows, its last state included.
        """
        plies = int(self.play(seeds, options, setups, policies)[:, 2].sum())
        rows = numpy.empty((plies + len(seeds), self.trace_width + 1), dtype=ROW)
        return rows, self._play(seeds, options, setups, policies, rows)

    def _play(
        self, seeds: Any, options: Any, setups: Sequence[Setup], policies: Sequence[int], trace: Any
    ) -> Any:
        results = numpy.zeros((len(seeds), self.width(options)), dtype=numpy.int64)
        encoded, seated = self.encode(options, setups), numpy.array(policies, dtype=numpy.int64)
        self.play_batch(seeds, encoded, seated, results, trace, *self.scratch())
        return results


def assemble(folder: str, **own: Any) -> Kernel:
    """The kernel made of the modules of a folder, whose name is the slug; ``own`` are other facts
    of this game.
    """
    batch, layout, states, variants = (
        import_module(f"{folder}.{name}") for name in ("batch", "layout", "states", "variants")
    )
    return Kernel(
        slug=folder.rpartition(".")[2].replace("_", "-"),
        columns=layout.COLUMNS,
        encode=states.encode,
        play_batch=batch.play_batch,
        scratch=batch.scratch,
        row=states.row,
        variants=variants.VARIANTS,
        **own,
    )


def work_arrays(*shapes: int | tuple[int, ...]) -> tuple[Any, ...]:
    """The words of ``stream``, then an array of whole numbers of each shape."""
    words = numpy.zeros(WORDS, dtype=numpy.uint64)
    return (words, *(numpy.zeros(shape, dtype=numpy.int64) for shape in shapes))


def seeds_of(seed: int, deals: Any, numbers: Any) -> Any:
    """The starts of the deck and the bot streams of many matches, as ``arena.series`` has them."""
    starts = [("decks", deals), ("bots", numbers)]
    columns = [_mixed(purpose_start(seed, purpose), which) for purpose, which in starts]
    return numpy.stack(columns, axis=1)


def _mixed(shared: int, numbers: Any) -> Any:
    """``cardroom.rules.stream.mix`` of many numbers at once; arrays wrap at 2^64 by themselves."""
    z = numpy.asarray(numbers).astype(numpy.uint64) + numpy.uint64(shared)
    z += numpy.uint64(GAMMA)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(FIRST_FACTOR)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(SECOND_FACTOR)
    return z ^ (z >> numpy.uint64(31))
