"""Shared by commands of the arena: arguments, progress, tables, journals, numbers as text."""

import hashlib
import os
import secrets
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any, Generic, Protocol, TypeVar

import msgspec
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

from cardroom.arena import compiled_code, luck
from cardroom.arena.luck import AdjustedMatch, AdjustedScore, Value
from cardroom.arena.players import choose_options, find_game, read_pairs
from cardroom.arena.ranking import Contest, Tournament
from cardroom.arena.request import (
    Part,
    SimulationRequest,
    compiled_searches,
    parts_of,
    run_parts,
    why_rules,
)
from cardroom.arena.series import Clock
from cardroom.arena.statistics import ArenaError, BadRequest, Interval
from cardroom.rules import catalog

# The journal of a command: what it has played so far, so that it goes on where it was stopped.
#
# ``journal.ndjson`` has a line a part: the fingerprint of its request, the part, its result.
# Parts merge in any order to the same figures, so a command that went on prints what it would
# have printed at once; times a move are those of the processes that played.

JOURNAL_NAME = "journal.ndjson"
T = TypeVar("T")


class Journal(Generic[T]):
    """The parts of one request that were played; ``kind`` is the type of a result."""

    def __init__(self, folder: Path, request: SimulationRequest, kind: Any) -> None:
        self._path = folder / JOURNAL_NAME
        self._request = fingerprint(request)
        self._decoder = msgspec.json.Decoder(tuple[str, Part, kind])
        self._encoder = msgspec.json.Encoder()

    def played(self) -> dict[Part, T]:
        """The results by part."""
        if not self._path.exists():
            return {}
        known: dict[Part, T] = {}
        for number, line in enumerate(self._path.read_bytes().splitlines(), start=1):
            try:
                request, part, result = self._decoder.decode(line)
            except msgspec.DecodeError:
                raise BadRequest(f"{self._path}, line {number}, is no part.") from None
            if request == self._request:
                known[part] = result
        return known

    def note(self, part: Part, result: T) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(self._encoder.encode((self._request, part, result)) + b"\n")


def fingerprint(request: SimulationRequest) -> str:
    return hashlib.sha256(msgspec.json.encode(request)).hexdigest()[:16]


def end(folder: Path) -> None:
    """The command has written all that it was to write."""
    (folder / JOURNAL_NAME).unlink(missing_ok=True)


def begin(folder: Path, *, resume: bool) -> None:
    """Forgets an earlier journal of the folder, unless its command is to go on."""
    if not resume:
        (folder / JOURNAL_NAME).unlink(missing_ok=True)
    elif not (folder / JOURNAL_NAME).exists():
        raise BadRequest(f"There is no {JOURNAL_NAME} in {folder} to go on with.")
    else:
        _drop_half_line(folder / JOURNAL_NAME)


def _drop_half_line(path: Path) -> None:
    """The line that was being written when the command was killed."""
    content = path.read_bytes()
    path.write_bytes(content[: content.rfind(b"\n") + 1])


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
    """The engine that plays, in words, and why if it is the slow one."""
    why = why_rules(request, custom=True)
    if not why:
        return "Played by compiled kernels."
    searching = compiled_searches(request, custom=True)
    also = f" Compiled code searches for {', '.join(searching)}." if searching else ""
    return f"Played by the rules: {why}.{also}"


def points_heading(game: str) -> str:
    """The points of a match: some games count places, and fewer are better."""
    return "places (fewer is better)" if find_game(game).points_are_places else "points"


def percent(share: float) -> str:
    return f"{share * 100:.1f}"


def percents(share: Interval) -> str:
    return f"{share.low * 100:.1f}–{share.high * 100:.1f}"


# The tables of ``manage.py arena``: one for each contest, and one for a round robin.
#
# Columns that cannot vary are left out.


def results_table(contest: Contest, clocks: Mapping[str, Clock]) -> Table:
    request = contest.simulation
    game = find_game(request.game)
    lines = Table(title=f"{game.name}, {len(request.bots)} seats, seed {request.seed}")
    timed = any(clock.moves for clock in clocks.values())
    margins = contest.margins
    for heading in ("bot", "seats"):
        lines.add_column(heading)
    sides = game.sides_of(choose_options(game, request.options))
    lasts = len(sides) > 2  # of two sides the one that has not won is the last
    headings = ["won %", "drawn %", "score %", "95 %", *(["last %", "95 %"] if lasts else ())]
    headings.append(points_heading(request.game))
    headings += ["margin"] if margins else []
    headings += ["CPU µs a move"] if timed else []
    for heading in headings:
        lines.add_column(heading, justify="right")
    for row in contest.summary.bots:
        score = contest.scores[row.bot]
        lines.add_row(
            row.bot,
            str(request.bots.count(row.bot)),
            percent(row.wins.value),
            percent(row.draws.value),
            percent(score.value),
            percents(score),
            *([percent(row.last.value), percents(row.last)] if lasts else ()),
            f"{row.points:,.1f}",
            *([_margin(margins[row.bot])] if margins else ()),
            *([f"{clocks[row.bot].microseconds_a_move:,.1f}"] if timed else ()),
        )
    return lines


def _margin(margin: Interval) -> str:
    return f"{margin.value:+,.2f} ± {margin.high - margin.value:,.2f}"


def results_footing(contest: Contest, rate: float) -> str:
    summary = contest.summary
    measures = ", ".join(
        f"{measure.mean.value:,.1f} {name}" for name, measure in summary.measures.items()
    )
    pairs = " Intervals of score and margin come from mirrored matches." if contest.margins else ""
    pairs += _luck(contest)
    played = f"{summary.matches:,} matches ({rate:,.0f} a second), on average {measures}."
    return f"{played}{pairs} {played_by(contest.simulation)}"


def _luck(contest: Contest) -> str:
    """The cards' share in the result between the bots, where it was measured."""
    first = contest.luck.get(contest.summary.bots[0].bot)
    return "" if first is None else f" Luck of the cards is {first:.0%} of what results vary."


def ranking_table(tournament: Tournament) -> Table:
    rows, skills = tournament.ranking, tournament.openskill
    lines = Table(title="Round robin: score in %, ratings by Bradley and Terry")
    lines.add_column("bot")
    lines.add_column("rating", justify="right")
    lines.add_column("95 %", justify="right")
    if skills is not None:
        lines.add_column("openskill", justify="right")
    lines.add_column("mean", justify="right")
    for row in rows:
        lines.add_column(f"against {row.bot}", justify="right")
    for row in rows:
        rating, met = tournament.ratings[row.bot], (row.against.get(other.bot) for other in rows)
        lines.add_row(
            row.bot,
            f"{rating.value:.0f}",
            f"{rating.low:.0f}–{rating.high:.0f}",
            *([f"{skills[row.bot].mu:.1f} ± {skills[row.bot].sigma:.1f}"] if skills else ()),
            percent(row.score),
            *("" if share is None else percent(share.value) for share in met),
        )
    return lines


# The table of ``--aivat``: scores as they were, and with the luck of the cards taken out.

VALUE_HELP = (
    "who values what fell: the game's quick guess, or the bots of the match, who play on (slower; "
    "the mean is the same)"
)
HELP = (
    "take the luck of the cards out of the scores: the same mean, a smaller interval (of games "
    "whose draws can be counted; played by the rules)"
)


def add_luck_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--aivat", action="store_true", help=HELP)
    parser.add_argument("--value", choices=luck.VALUES, default="quick", help=VALUE_HELP)


def show_luck(
    request: SimulationRequest,
    jobs: int,
    screen: Console,
    out: Console,
    *,
    by_seat: bool,
    value: Value,
) -> None:
    """Plays the request and prints both means of each bot, or of each seat."""
    game = find_game(request.game)
    luck.check(game)
    least = 2 * len(request.bots)
    if request.games < least:
        raise BadRequest(f"An interval needs at least {least} matches.")
    compiled_code.warm_luck(request.game)
    begun = process_seconds()
    run = partial(luck.run_adjusted, value=value)
    parts, rate = play(request, run, jobs, label=game.name, screen=screen)
    matches = [match for part in parts for match in part]
    print_table(out, _table(request, luck.scores(matches, by_seat=by_seat)))
    footing = _footing(request, matches, rate, process_seconds() - begun)
    out.print(footing, style="dim", soft_wrap=True)


def _table(request: SimulationRequest, scores: Sequence[AdjustedScore]) -> Table:
    name = find_game(request.game).name
    lines = Table(title=f"{name}, seed {request.seed}: score with and without luck")
    lines.add_column("seat and bot" if not request.swap else "bot")
    for heading in ("score %", "95 %", "without luck %", "95 %", "worth so many matches"):
        lines.add_column(heading, justify="right")
    for score in scores:
        lines.add_row(
            score.name,
            percent(score.plain.value),
            percents(score.plain),
            percent(score.adjusted.value),
            percents(score.adjusted),
            f"× {score.factor:.2f}",
        )
    return lines


def _footing(
    request: SimulationRequest, matches: Sequence[AdjustedMatch], rate: float, seconds: float
) -> str:
    mirrored = " Matches with equal decks count as one." if request.swap else ""
    played = f"{len(matches):,} matches ({rate:,.1f} a second, {seconds:,.0f} s of processor time)."
    column = "Last column: how many times the matches the plain score needs for the same interval."
    return f"{played}{mirrored} {column}"


def process_seconds() -> float:
    """Of this process and of those that it has waited for."""
    usages = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
