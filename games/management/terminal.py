"""Shared by ``arena`` and ``simulate``: arguments, the progress bar, numbers as text."""

import os
import secrets
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

from django.core.management.base import CommandError, OutputWrapper
from rich.console import Console
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from cardroom.arena import compiled_code
from cardroom.arena.errors import ArenaError
from cardroom.arena.players.names import find_game, read_pairs
from cardroom.arena.process_pool import run_parts
from cardroom.arena.request import (
    Part,
    SimulationRequest,
    compiled_searches,
    parts_of,
    why_rules,
)
from cardroom.arena.statistics import Interval
from cardroom.rules import catalog
from games.management.arena_journal import Journal

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_SEEDS = 2**31
_PAGE = 120  # columns without a terminal that COLUMNS does not say: files, pipes, tests
_WIDEST = 10_000


class Runs(Protocol[T_co]):
    """``run_part`` or its like."""

    def __call__(self, request: SimulationRequest, part: Part, *, custom: bool = False) -> T_co: ...


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", help=f"one of {', '.join(game.slug for game in catalog.GAMES)}")
    parser.add_argument("--preset", help="start from a named set of options")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="choose an option of the rules; may be given several times",
    )
    parser.add_argument("--players", type=int, help="short for --option players=N")
    parser.add_argument("--seed", type=int, help="repeat what was played under this seed")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="processes to use, by default one a core; the figures do not depend on it",
    )


def chosen_options(arguments: Mapping[str, Any], *short: str) -> dict[str, Any]:
    """The options named by ``--option`` and by their ``short`` arguments."""
    given = {name: arguments[name] for name in short if arguments[name] is not None}
    return given | read_pairs(arguments["option"])


def chosen_seed(arguments: Mapping[str, Any]) -> int:
    seed = arguments["seed"]
    return secrets.randbelow(_SEEDS) if seed is None else int(seed)


def chosen_jobs(arguments: Mapping[str, Any]) -> int:
    jobs = int(arguments["jobs"])
    if jobs < 1:
        raise CommandError(f"--jobs must be 1 or more, not {jobs}.")
    return jobs


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns an error of the arena into the sentence that ends a command."""
    try:
        yield
    except ArenaError as error:
        raise CommandError(str(error)) from error
    except KeyboardInterrupt:
        raise CommandError("Stopped.", returncode=130) from None


def console(stream: OutputWrapper) -> Console:
    """A rich console on a command's own stream, which tests and callers can redirect.

    Without a terminal it is as wide as ``COLUMNS`` says.
    """
    stream.ending = ""
    width = None if stream.isatty() else _columns()
    return Console(file=stream, highlight=False, width=width)  # type: ignore[arg-type]


def _columns() -> int:
    named = os.environ.get("COLUMNS", "")
    return int(named) if named.isdecimal() and int(named) else _PAGE


def print_table(screen: Console, table: Table) -> None:
    """Prints a table as wide as the screen, or wider where a word would not be whole."""
    for column in table.columns:
        words = [word for cell in (column.header, *column.cells) for word in str(cell).split()]
        column.min_width = max(map(len, words), default=0)
    unbound = screen.options.update(max_width=_WIDEST)
    needed = Measurement.get(screen, unbound, table).minimum
    before, screen.width = screen.width, max(screen.width, needed)
    screen.print(table)
    screen.width = before


class _Rate(ProgressColumn):
    """Matches a second since the start."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.completed / task.elapsed:,.0f}/s" if task.elapsed else "…")


def play(
    request: SimulationRequest,
    run: Runs[T],
    jobs: int,
    *,
    label: str,
    screen: Console,
    journal: Journal[T] | None = None,
) -> tuple[list[T], float]:
    """Runs all parts under a progress bar; returns their results and the matches a second.

    Parts that the journal knows are not played again, the others are noted in it.
    """
    known = {} if journal is None else journal.played()
    parts = [part for part in parts_of(request) if part not in known]
    results = [known[part] for part in parts_of(request) if part in known]
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
    )
    work: Callable[[Part], T] = partial(run, request, custom=True)
    by_kernel = not why_rules(request, custom=True)
    _warm(request, screen)
    with bar:
        games = sum(part.games for part in parts)
        task = bar.add_task(label, total=games)
        for part, result in run_parts(work, parts, jobs, threads=by_kernel) if parts else ():
            if journal is not None:
                journal.note(part, result)
            results.append(result)
            bar.advance(task, part.games)
        elapsed = bar.tasks[task].elapsed or 0.0
    return results, games / elapsed if elapsed else 0.0


def _warm(request: SimulationRequest, screen: Console) -> None:
    """Compiles the kernel or the searches that will be used, or loads them."""
    game = request.game
    if not why_rules(request, custom=True):
        if not compiled_code.is_warm(game):
            screen.print("Compiling the kernel of this game, once on this machine…")
        compiled_code.warm(game)
    elif compiled_searches(request, custom=True):
        if not compiled_code.searches_are_warm(game):
            screen.print("Compiling the searches of this game, once on this machine…")
        compiled_code.warm_searches(game)


def played_by(request: SimulationRequest) -> str:
    """Which engine plays, in words, and why if it is the slow one."""
    why = why_rules(request, custom=True)
    if not why:
        return "Played by compiled kernels."
    searching = compiled_searches(request, custom=True)
    also = f" Compiled code searches for {', '.join(searching)}." if searching else ""
    return f"Played by the rules: {why}.{also}"


def points_heading(game: str) -> str:
    """How the points of a match are counted: some games count places, and fewer are better."""
    return "places (fewer is better)" if find_game(game).points_are_places else "points"


def percent(share: float) -> str:
    return f"{share * 100:.1f}"


def percents(share: Interval) -> str:
    return f"{share.low * 100:.1f}–{share.high * 100:.1f}"
