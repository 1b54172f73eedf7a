"""Common parts of all kernels: batch calls, their coverage, the columns of their results.

A kernel plays whole matches of one game by the same streams as the arena does with the rules, so
match by match everything that is counted comes out equal. Its folder has one ``KERNEL``.

Compiling kernels ahead of time, and knowing whether that is done.

``python -m cardroom.fast.kernel`` fills the cache of this machine or image; given a file and a
word, it notes that there. Code that must not wait asks ``is_warm`` first; loading compiled code
takes a fraction of a second.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module, util
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, Protocol, TypeAlias

import numpy

from cardroom import fast
from cardroom.fast.compiling import BOTS, COMPILED, DECKS, WORDS, cache_folder
from cardroom.rules.shuffles import FIRST_FACTOR, GAMMA, SECOND_FACTOR, purpose_start
from cardroom.rules.values import Setup

ROW: Final = numpy.int32  # of a state that is written out; no number of it may need more
NO_TRACE: Any = numpy.zeros((0, 0), dtype=ROW)


@dataclass(frozen=True)
class Columns:
    """The columns of a result row, in this order; ``measures`` name event columns too."""

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

    ``play_matches``, bound to a game's functions, is that of a game whose match is one record.

    ``policies`` number the bots that the kernel plays exactly as the rules' bots choose.
    ``encode`` writes options and what the seats bring as an array of ints, or as the match before
    its first card; ``uncovered`` names what of the options the kernel cannot play; of the rules it
    plays one version alone. ``row`` is a state of the rules as the kernel traces it, before every
    ply and at the end; ``trace_width`` is the longest row. Every option is other than by default in
    one of the ``variants``.
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
    """The kernel made of ``match`` in a folder, whose name is the slug; ``own`` are other facts of
    this game.
    """
    match = import_module(f"{folder}.match")
    return Kernel(
        slug=folder.rpartition(".")[2].replace("_", "-"),
        columns=match.COLUMNS,
        encode=match.encode,
        play_batch=match.play_batch,
        scratch=match.scratch,
        row=match.row,
        variants=match.VARIANTS,
        **own,
    )


def of_the_game(*_given: Any) -> Any:
    """Stands for a function of the game until ``binding.bound`` puts that in its place."""
    raise TypeError("This loop has no game: bind the functions of one to it.")


# (words, match) · (match) · (words, match, policies) · (match, result) · (match, row of a trace)
open_match = is_over = take_turn = finish = note = of_the_game
PLIES: Final = 2


def play_matches(
    seeds: Any, options: Any, policies: Any, results: Any, trace: Any, words: Any, matches: Any
) -> None:
    first = 0
    for number in range(seeds.shape[0]):
        words[DECKS], words[BOTS] = seeds[number, DECKS], seeds[number, BOTS]
        matches[0] = options[0]
        match, result, rows = matches[0], results[number], trace[first:]
        open_match(words, match)
        while not is_over(match):
            if rows.shape[0]:
                note(match, rows[result[PLIES]])
            take_turn(words, match, policies)
            result[PLIES] += 1
        finish(match, result)
        if rows.shape[0]:
            note(match, rows[result[PLIES]])
        first += result[PLIES] + 1


def work_arrays(*shapes: int | tuple[int, ...]) -> tuple[Any, ...]:
    """The words of ``stream``, then an array of whole numbers of each shape."""
    words = numpy.zeros(WORDS, dtype=numpy.uint64)
    return (words, *(numpy.zeros(shape, dtype=numpy.int64) for shape in shapes))


def seeds_of(seed: int, deals: Any, numbers: Any) -> Any:
    """The starts of the deck and the bot streams of many matches, as ``arena.series`` has them."""
    starts = [("decks", deals), ("bots", numbers)]
    columns = [mixed(purpose_start(seed, purpose), which) for purpose, which in starts]
    return numpy.stack(columns, axis=1)


def mixed(shared: Any, numbers: Any) -> Any:
    """``shuffles.mix`` of many numbers at once; arrays wrap at 2^64 by themselves."""
    z = numpy.asarray(numbers).astype(numpy.uint64) + numpy.asarray(shared, dtype=numpy.uint64)
    z += numpy.uint64(GAMMA)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(FIRST_FACTOR)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(SECOND_FACTOR)
    return z ^ (z >> numpy.uint64(31))


class Loaded(Protocol):
    """A search, or a module of compiled functions."""

    @property
    def load(self) -> Callable[[], None]: ...


_NOTHING: Final = numpy.zeros((0, 2), dtype=numpy.uint64)
_loaded: set[str] = set()


def kernels() -> dict[str, Kernel]:
    """Every kernel by the slug of its game."""
    names = [f"{fast.__name__}.{module.name}" for module in iter_modules(fast.__path__)]
    modules = [import_module(name) for name in names]
    every = [module.KERNEL for module in modules if hasattr(module, "KERNEL")]
    return {kernel.slug: kernel for kernel in every}


def search_modules() -> dict[str, Any]:
    """The modules of what else is compiled of games, by their slugs."""
    names = {slug: f"{fast.__name__}.{slug.replace('-', '_')}.search" for slug in kernels()}
    return {
        slug: import_module(name)
        for slug, name in names.items()
        if util.find_spec(name) is not None
    }


def is_warm(slug: str) -> bool:
    """Whether calling the kernel of this game does not compile anything first."""
    return _is_noted(slug)


def warm(kernel: Kernel) -> None:
    """Compiles the kernel, or loads it, and notes that it is there."""
    results = numpy.zeros((0, 32), dtype=numpy.int64)
    array, scratch = numpy.zeros(0, dtype=numpy.int64), kernel.scratch()
    options = scratch[1] if scratch[1].dtype.names else array  # a match, or numbers
    kernel.play_batch(_NOTHING, options, array, results, NO_TRACE, *scratch)
    _note(kernel.slug)


def searches_are_warm(slug: str) -> bool:
    """Whether the searches of this game's bots compile nothing when they are called."""
    return _is_noted(_searches(slug))


def load_searches(slug: str, searches: Iterable[Loaded]) -> bool:
    """Loads the searches of a game if they are compiled; whether they are."""
    if not searches_are_warm(slug):
        return False
    if _searches(slug) not in _loaded:
        warm_searches(slug, searches)
    return True


def warm_searches(slug: str, searches: Iterable[Loaded]) -> None:
    """Compiles the searches of a game, or loads them, and notes that they are there."""
    for search in searches:
        search.load()
    _note(_searches(slug))


def _searches(slug: str) -> str:
    return f"{slug}.searches"


def _is_noted(name: str) -> bool:
    return name in _loaded or (cache_folder() / f"{name}.warm").exists()


def _note(name: str) -> None:
    _loaded.add(name)
    with suppress(OSError):  # nowhere to keep it: the next process compiles again
        (cache_folder() / f"{name}.warm").touch()


def warm_all() -> None:
    for kernel in kernels().values():
        warm(kernel)
    for slug, module in search_modules().items():
        warm_searches(slug, module.SEARCHES.values())
        if hasattr(module, "MEETING"):
            warm_searches(f"{slug}.meeting", [module.MEETING])


def main() -> None:
    if not COMPILED:
        print("Numba is not installed or switched off: the rules play everything.")  # noqa: T201
        sys.exit(1)
    warm_all()
    print(f"Compiled kernels: {', '.join(kernels())}; kept in {cache_folder()}.")  # noqa: T201
    if sys.argv[1:]:
        note, sources = sys.argv[1:]
        with suppress(OSError):  # a full disk: another start looks again
            Path(note).write_text(sources)


if __name__ == "__main__":
    main()
