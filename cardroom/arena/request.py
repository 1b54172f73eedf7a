"""A request to play many matches: described, split, run in parts, merged.

Commands and background tasks call exactly these functions. A ``SimulationRequest`` is plain JSON
with everything a part depends on, so a part can be run by any process, again after a crash, and
gives the same figures each time; ``figures.merge`` takes the parts in any order. Figures of one
seed do not depend on how the matches were split.

Runs the parts of a simulation side by side and hands back each as it is done.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from cardroom.arena import compiled_code, engine
from cardroom.arena.figures import Figures, merge
from cardroom.arena.players import (
    SideDecks,
    check_side_decks,
    choose_options,
    entrant_names,
    find_bot,
    find_game,
    seat_names,
)
from cardroom.arena.series import Clock, MatchRecord, PausedNumber, Series
from cardroom.arena.statistics import BadRequest
from cardroom.rules.text import say

if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel

MOST_GAMES: Final = 10_000_000
MOST_IN_A_PART: Final = 250
MOST_IN_A_KERNEL_PART: Final = 20_000
KERNEL_BATCH: Final = 200  # matches between two looks at the clock
LARGEST_SEED: Final = 2**53 - 1  # what every JSON reader keeps exactly


class SimulationRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to play: every option written out, a bot's name for every seat.

    ``rules_version`` is left out where it is 1, as in requests that were stored without it.

    ``swap`` plays the same decks with every rotation of the entrants round the table.
    ``side_decks``, one a seat, are what the bots bring; unless given, each brings its own.
    """

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    games: Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)]
    swap: bool = False
    side_decks: SideDecks | UnsetType = UNSET  # left out of the JSON when there are none
    rules_version: int | UnsetType = UNSET


class Part(NamedTuple):
    """Part of a simulation: the matches ``first`` … ``first + games - 1``."""

    first: int
    games: int


def describe(
    game: str,
    *,
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    bots: Sequence[str] = (),
    games: int = 1000,
    seed: int = 0,
    swap: bool = False,
    side_decks: SideDecks = (),
    custom: bool = False,
) -> SimulationRequest:
    """A checked request; ``BadRequest`` says what is wrong and what is allowed.

    The last bot named takes the seats that are left (in teams a name stands for a side); without
    names the game's stand-in plays all.
    ``custom`` lets dotted paths be imported: for a command line, never for the web.
    """
    rules = find_game(game)
    options = choose_options(rules, values or {}, preset)
    names = seat_names(tuple(bots) or (rules.stand_in,), rules.sides_of(options))
    for name in names:
        find_bot(rules, name, custom=custom)
    check_side_decks(rules, options, names, side_decks)
    check_within("games", games, 1, MOST_GAMES)
    check_within("seed", seed, 0, LARGEST_SEED)
    return SimulationRequest(
        game=game,
        options=msgspec.to_builtins(options),
        bots=names,
        games=games,
        seed=seed,
        swap=swap,
        side_decks=side_decks or UNSET,
        rules_version=rules.rules_version if rules.rules_version > 1 else UNSET,
    )


def parts_of(request: SimulationRequest, size: int | None = None) -> tuple[Part, ...]:
    """The parts to run, each of ``size`` matches: by default a hundredth, but not too many."""
    each = size or max(1, min(most_in_a_part(request), -(-request.games // 100)))
    return tuple(
        Part(first, min(each, request.games - first)) for first in range(0, request.games, each)
    )


def run_part(request: SimulationRequest, part: Part, *, custom: bool = False) -> Figures:
    """Plays one part. Pure: the same part gives the same figures anywhere, by either engine."""
    matches = series(request, custom=custom)
    kernel = engine.kernel_for(matches)
    if kernel is not None:
        return engine.figures(kernel, matches, _numbers(part))
    return matches.figures(_numbers(part))


def why_rules(request: SimulationRequest, *, custom: bool = False) -> str:
    """The reason why the rules play this request; empty when a kernel plays it."""
    return engine.why_rules(series(request, custom=custom))


def compiled_searches(request: SimulationRequest, *, custom: bool = False) -> tuple[str, ...]:
    """The bots of this request that search by compiled code where the rules play the rest."""
    matches = series(request, custom=custom)
    slugs = (bot.slug for bot in matches.bots if compiled_code.has_search(matches.game, bot))
    return tuple(dict.fromkeys(slugs))


def most_in_a_part(request: SimulationRequest) -> int:
    """Kernels play many matches at once. Parts for the rules are small, so that they stop soon."""
    by_kernel = not why_rules(request, custom=True)
    return MOST_IN_A_KERNEL_PART if by_kernel else MOST_IN_A_PART


class PausedPart(msgspec.Struct, frozen=True):
    """A part that was stopped: the figures of its first matches, and the one it stopped in."""

    done: int
    figures: Figures
    match: PausedNumber | None


def run_part_until(
    request: SimulationRequest,
    part: Part,
    stop: Callable[[], bool],
    paused: PausedPart | None = None,
) -> Figures | PausedPart:
    """Plays a part from its start or from where it paused, until ``stop`` says so between moves.

    However often it pauses and wherever it goes on, the figures are those of ``run_part``. A kernel
    plays what is not begun yet, if it is compiled already.
    """
    matches = series(request)
    if paused is None or paused.match is None:
        kernel = engine.kernel_for(matches)
        if kernel is not None and compiled_code.is_warm(kernel.slug):
            return _run_batches(kernel, matches, part, stop, paused)
    paused = paused or PausedPart(0, Figures(), None)
    done, figures, inside = paused.done, [paused.figures], paused.match
    for number in range(part.first + done, part.first + part.games):
        played = matches.play_until(number, stop, inside)
        if isinstance(played, PausedNumber):
            return PausedPart(done, merge(figures), played)
        figures.append(matches.figures_of(number, played))
        done, inside = done + 1, None
    return merge(figures)


def _run_batches(
    kernel: "Kernel",
    matches: Series,
    part: Part,
    stop: Callable[[], bool],
    paused: PausedPart | None,
) -> Figures | PausedPart:
    done, batches = (paused.done, [paused.figures]) if paused else (0, [])
    while done < part.games:
        size = min(KERNEL_BATCH, part.games - done)
        first = part.first + done
        batches.append(engine.figures(kernel, matches, range(first, first + size)))
        done += size
        if stop() and done < part.games:
            return PausedPart(done, merge(batches), None)
    return merge(batches)


def run_timed(
    request: SimulationRequest, part: Part, *, custom: bool = False
) -> tuple[Figures, dict[str, Clock]]:
    """The same with a stopwatch on every bot (which costs some speed); kernels have none."""
    clocks = {name: Clock() for name in names_of(request)}
    matches = series(request, custom=custom)
    kernel = engine.kernel_for(matches)
    if kernel is not None:
        return engine.figures(kernel, matches, _numbers(part)), clocks
    return matches.figures(_numbers(part), clocks), clocks


def run_recorded(
    request: SimulationRequest, part: Part, *, custom: bool = False
) -> tuple[Figures, dict[str, Clock], list[MatchRecord]]:
    """The same, and a record of every match."""
    clocks = {name: Clock() for name in names_of(request)}
    matches = series(request, custom=custom)
    kernel = engine.kernel_for(matches)
    if kernel is not None:
        figures, records = engine.records(kernel, matches, _numbers(part))
        return figures, clocks, records
    played = [(number, matches.play(number, clocks)) for number in _numbers(part)]
    figures = merge(matches.figures_of(*each) for each in played)
    return figures, clocks, [matches.record_of(*each) for each in played]


def series(request: SimulationRequest, *, custom: bool = False) -> Series:
    """The matches behind a request, to play or look at one by one."""
    game = find_game(request.game, request.rules_version or 1)
    return Series(
        game=game,
        options=choose_options(game, request.options),
        bots=tuple(find_bot(game, name, custom=custom) for name in request.bots),
        seed=request.seed,
        swap=request.swap,
        side_decks=request.side_decks or (),
    )


def names_of(request: SimulationRequest) -> tuple[str, ...]:
    """The entrants, one a seat, by the names their figures are kept under."""
    return entrant_names(request.bots, request.side_decks or ())


def _numbers(part: Part) -> range:
    return range(part.first, part.first + part.games)


def check_within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        sentence = say(
            "{name} must be {least} to {most}, not {n}.",
            name=name,
            least=f"{low:,}",
            most=f"{high:,}",
            n=f"{value:,}",
        )
        raise BadRequest(sentence)


T = TypeVar("T")

_AHEAD = 2  # parts in hand per process, so that none waits for the next


def run_parts(
    run: Callable[[Part], T], parts: Sequence[Part], jobs: int, *, threads: bool = False
) -> Iterator[tuple[Part, T]]:
    """Each part with its result, in the order they finish; with one job here and in order.

    ``run`` must be picklable (a function of a module or a ``partial`` of one). The processes are
    fresh ones that have imported nothing but what ``run`` needs, so no connection is shared.
    ``threads`` are enough for kernels, which do not hold the interpreter.
    """
    if jobs == 1 or len(parts) == 1:
        for part in parts:
            yield part, run(part)
        return
    workers = min(jobs, len(parts))
    with _executor(workers, threads=threads) as pool:
        waiting = iter(parts)
        running = {pool.submit(run, part): part for part in islice(waiting, workers * _AHEAD)}
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    part = running.pop(future)
                    for following in islice(waiting, 1):
                        running[pool.submit(run, following)] = following
                    yield part, future.result()
        finally:
            _cancel(running)


def _executor(workers: int, *, threads: bool) -> Executor:
    if threads:
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(workers, get_context("spawn"), _exit_with_parent)


def _exit_with_parent() -> None:
    """Ends a worker process quietly when the process that started it is interrupted or killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches every process of a terminal
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _cancel(running: dict[Future[T], Part]) -> None:
    """Cancels what has not begun: the caller stopped reading, or a part failed."""
    for future in running:
        future.cancel()
