"""Reports of simulations: summary, files and plots; the forecast of house rules.

The forecast of matches under some options: computers play them before people do.

A thousand matches where a kernel covers the options, else as many as there is time for by the
rules. All seats are held by one bot, the strongest that is quick enough.

Figures as people read them: shares with their error, distributions, means a match.

A simulation on disk: one JSON file with everything, CSV tables beside it.

Pictures of a simulation: how long matches are, how many still run, who wins.

Apart because it needs matplotlib, which comes with the extra ``arena`` and is imported only when a
picture is drawn. Figures are drawn without a screen and without global state, so any process may.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

from cardroom.arena import compiled_code, engine
from cardroom.arena.figures import Figures, Tally, merge
from cardroom.arena.players import find_game
from cardroom.arena.playouts import Playout
from cardroom.arena.request import SimulationRequest, names_of
from cardroom.arena.series import Series
from cardroom.arena.statistics import (
    PLIES,
    Distribution,
    Histogram,
    Interval,
    PlotsMissing,
    Survival,
    describe,
    mean,
    measure_names,
    survival,
    wilson,
)
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Options

MATCHES = 1_000
FEWEST = 20  # fewer matches prove nothing
BATCH = 25  # between two looks at the clock
SEED = 1


class Forecast(msgspec.Struct, frozen=True):
    """Shares of ``matches``: stopped by the limit of the rules, won alone by the first seat and by
    none alone; ``plies`` is the mean. ``edge`` is +1 or −1 if the first side clearly wins more or
    less often than its due, else 0. Without matches nothing could be found out in time."""

    matches: int = 0
    plies: float = 0.0
    endless: float = 0.0
    first: float = 0.0
    ties: float = 0.0
    edge: int = 0


def forecast(game: AnyGame, options: Options, stop: Callable[[], bool]) -> Forecast:
    """Tries the options until there are enough matches or ``stop`` says so."""
    kernel = compiled_code.kernel_of_game(game.slug) if compiled_code.installed() else None
    if kernel is not None and kernel.uncovered(options):
        kernel = None
    warm = kernel is not None and compiled_code.is_warm(game.slug)
    bot = _bot(game, set(kernel.policies) if kernel is not None and warm else None)
    matches = Series(game, options, (bot,) * game.seats(options), SEED)
    figures = [Figures()]
    for first in range(0, MATCHES, BATCH):
        numbers = range(first, first + BATCH)
        if kernel is not None and warm:
            figures.append(engine.figures(kernel, matches, numbers))
        else:
            figures += _by_the_rules(matches, numbers, stop)
        if stop():
            break
    return _read(merge(figures), game, options)


def _by_the_rules(matches: Series, numbers: range, stop: Callable[[], bool]) -> list[Figures]:
    figures = []
    for number in numbers:
        played = matches.play_until(number, stop)
        if not isinstance(played, Playout):
            break
        figures.append(matches.figures_of(number, played))
    return figures


def _bot(game: AnyGame, covered: set[str] | None) -> Bot[Any]:
    """The strongest quick bot that a kernel plays; without one, that needs its view alone."""
    fit = [
        bot
        for bot in game.bots
        if bot.rated
        and bot.cost == "quick"
        and (bot.slug in covered if covered else bot.remembers == "nothing")
    ]
    return max(fit, key=lambda bot: bot.level)


def _read(figures: Figures, game: AnyGame, options: Options) -> Forecast:
    if figures.matches < FEWEST:
        return Forecast()
    sides = game.sides_of(options)
    won = [figures.seats[side[0]] for side in sides]
    return Forecast(
        matches=figures.matches,
        plies=mean(figures.measures[PLIES]),
        endless=figures.unfinished / figures.matches,
        first=won[0].won / figures.matches,
        ties=1 - sum(each.won for each in won) / figures.matches,
        edge=_edge(won[0], len(sides)),
    )


def _edge(first: Tally, sides: int) -> int:
    """Against an equal share of the matches that one side won alone."""
    decided = first.matches - first.shared
    share = wilson(first.won, max(1, decided))
    return (share.low > 1 / sides) - (share.high < 1 / sides)


class EntrantResult(msgspec.Struct, frozen=True):
    """How a seat or an entrant did: 95 % Wilson intervals of the shares of its matches."""

    bot: str  # the entrant's name; none for a seat that all entrants take in turn
    matches: int
    won: int
    wins: Interval
    draws: Interval
    last: Interval
    points: float  # mean a seat and match


class Summary(msgspec.Struct, frozen=True):
    """What a simulation found.

    ``length`` names the measure that players mean by the length of a match; ``survival`` is its
    curve. ``seats`` are in seat order, ``bots`` (the entrants) in that of the request. ``events``
    are means a match. ``engine`` is what played: ``kernels``, ``rules``, or ``kernels and rules``.
    """

    matches: int
    unfinished: Interval
    reasons: dict[str, int]
    length: str
    measures: dict[str, Distribution]
    survival: tuple[Survival, ...]
    seats: tuple[EntrantResult, ...]
    bots: tuple[EntrantResult, ...]
    events: dict[str, float]
    engine: str = engine.RULES


def summarize(request: SimulationRequest, figures: Figures) -> Summary:
    """The figures of a whole simulation, or of as much of it as was played (at least one)."""
    game, names = find_game(request.game), names_of(request)
    return Summary(
        matches=figures.matches,
        unfinished=wilson(figures.unfinished, figures.matches),
        reasons=figures.reasons,
        length=game.length,
        measures={name: describe(figures.measures[name]) for name in measure_names(game)},
        survival=survival(figures.measures[game.length]),
        seats=tuple(
            _result("" if request.swap else bot, tally)
            for bot, tally in zip(names, figures.seats, strict=True)
        ),
        bots=tuple(_result(name, figures.bots[name]) for name in dict.fromkeys(names)),
        events={name: times / figures.matches for name, times in figures.events.items()},
        engine=_engine(figures),
    )


def _engine(figures: Figures) -> str:
    if not figures.by_kernels:
        return engine.RULES
    if figures.by_kernels == figures.matches:
        return engine.KERNELS
    return f"{engine.KERNELS} and {engine.RULES}"


def _result(bot: str, tally: Tally) -> EntrantResult:
    matches = tally.matches
    return EntrantResult(
        bot=bot,
        matches=matches,
        won=tally.won,
        wins=wilson(tally.won, matches),
        draws=wilson(tally.shared, matches),
        last=wilson(tally.last, matches),
        points=tally.points / tally.seats,
    )


JSON, MEASURES, LENGTHS, SEATS = "simulation.json", "measures.csv", "lengths.csv", "seats.csv"


class Report(msgspec.Struct, frozen=True):
    """The request, what was found, and the exact figures it was computed from."""

    simulation: SimulationRequest
    summary: Summary
    figures: Figures


def to_json(report: Report) -> bytes:
    """The report as indented JSON; the same report gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def write(report: Report, folder: Path) -> tuple[Path, ...]:
    """Writes the JSON and CSV files into ``folder`` (made when missing); returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JSON).write_bytes(to_json(report))
    write_table(folder / MEASURES, _measure_rows(report.summary))
    write_table(folder / LENGTHS, _length_rows(report))
    write_table(folder / SEATS, _seat_rows(report))
    return tuple(folder / name for name in (JSON, MEASURES, LENGTHS, SEATS))


def _measure_rows(summary: Summary) -> Iterable[Sequence[object]]:
    yield (
        "measure", "mean", "mean_low", "mean_high", "deviation",
        "median", "p95", "p99", "p999", "shortest", "longest",
    )  # fmt: skip
    for name, of in summary.measures.items():
        mean = of.mean
        yield (
            name, mean.value, mean.low, mean.high, of.deviation,
            of.median, of.p95, of.p99, of.p999, of.shortest, of.longest,
        )  # fmt: skip


def _length_rows(report: Report) -> Iterable[Sequence[object]]:
    yield report.summary.length, "matches", "share_longer"
    lengths = report.figures.measures[report.summary.length]
    for step in report.summary.survival:
        yield step.length, lengths.get(step.length, 0), step.share


def points_column(game: str) -> str:
    """The heading of a column of points, which are places in some games."""
    return "places" if find_game(game).points_are_places else "points"


def _seat_rows(report: Report) -> Iterable[Sequence[object]]:
    yield (
        "seat",
        "bot",
        "matches",
        "won",
        "wins",
        "wins_low",
        "wins_high",
        "draws",
        "last",
        points_column(report.simulation.game),
    )
    for seat, tally in enumerate(report.summary.seats):
        wins = tally.wins
        yield (
            seat, tally.bot, tally.matches, tally.won, wins.value, wins.low, wins.high,
            tally.draws.value, tally.last.value, tally.points,
        )  # fmt: skip


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


_BARS: Final = 60
_ROOMY: Final = 8  # more seats need smaller names
INK, _MARK, FILL = "#1f2933", "#b4232c", "#3b6ea5"


def draw(report: Report, folder: Path) -> tuple[Path, ...]:
    """Draws every picture as PNG into ``folder``; ``PlotsMissing`` without matplotlib."""
    sheet = sheet_type()
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(
        _draw_one(sheet, picture, report, folder / name) for name, picture in PICTURES.items()
    )


def sheet_type() -> Any:
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError:
        raise PlotsMissing(
            "Pictures need matplotlib, which is not installed: pip install 'cardroom[arena]'."
        ) from None


def _draw_one(
    new_sheet: Any, picture: Callable[[Any, Report], None], report: Report, path: Path
) -> Path:
    sheet = new_sheet(figsize=(9, 5), layout="constrained")
    axes = sheet.add_subplot()
    picture(axes, report)
    axes.spines[["top", "right"]].set_visible(False)
    sheet.suptitle(_heading(report.simulation), color=INK)
    axes.set_title(_subheading(report.simulation, report.figures), fontsize=9, color=INK)
    sheet.savefig(path, dpi=120, metadata={"Software": "Cardroom"})
    return path


def _length(axes: Any, report: Report) -> None:
    """How many matches ended after how many plies or tricks."""
    summary = report.summary
    length = summary.measures[summary.length]
    lengths = report.figures.measures[summary.length]
    width = max(1, -(-(length.longest - length.shortest + 1) // _BARS))
    bars = _binned(lengths, length.shortest, width)
    axes.bar(list(bars), list(bars.values()), width=width * 0.94, align="edge", color=FILL)
    for value, dashes, name in (
        (length.mean.value, "-", f"mean {length.mean.value:,.1f}"),
        (length.median, "--", f"median {length.median:,.0f}"),
        (length.p95, ":", f"95 % within {length.p95:,}"),
    ):
        axes.axvline(value, color=_MARK, linestyle=dashes, label=name)
    axes.legend(frameon=False)
    unit = summary.length if width == 1 else f"{summary.length}, bars of {width}"
    axes.set_xlabel(f"Length of a match ({unit})")
    axes.set_ylabel("Matches")


def _survival(axes: Any, report: Report) -> None:
    """The share of matches still running after each length."""
    summary = report.summary
    lengths = [step.length for step in summary.survival]
    axes.step(lengths, [step.share * 100 for step in summary.survival], where="post", color=FILL)
    axes.set_ylim(0, 102)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    axes.set_xlabel(f"{summary.length.capitalize()} played")
    axes.set_ylabel("Matches still running (%)")


def _wins(axes: Any, report: Report) -> None:
    """The share of matches each seat won, with its error and what would be fair."""
    seats = report.summary.seats
    places = range(len(seats))
    shares = [seat.wins.value * 100 for seat in seats]
    below = [max(0.0, (seat.wins.value - seat.wins.low) * 100) for seat in seats]
    above = [max(0.0, (seat.wins.high - seat.wins.value) * 100) for seat in seats]
    axes.bar(places, shares, yerr=(below, above), capsize=5, color=FILL, ecolor=INK)
    fair = 100 * _winners_a_match(report.summary) / len(seats)
    axes.axhline(fair, color=_MARK, linestyle="--", label=f"even share, {fair:.1f} %")
    axes.set_xticks(list(places), [f"{place}\n{seats[place].bot}" for place in places])
    axes.tick_params("x", labelsize=10 if len(seats) <= _ROOMY else 6)
    axes.set_xlabel("Seat")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    axes.set_ylabel("Matches won (%), with 95 % interval")


PICTURES: Final[Mapping[str, Callable[[Any, Report], None]]] = {
    "length.png": _length,
    "survival.png": _survival,
    "wins.png": _wins,
}


def _binned(histogram: Histogram, start: int, width: int) -> dict[int, int]:
    """Bars of equal width by their left edge."""
    bars: dict[int, int] = {}
    for value, times in histogram.items():
        edge = start + (value - start) // width * width
        bars[edge] = bars.get(edge, 0) + times
    return bars


def _winners_a_match(summary: Summary) -> float:
    """One, or two where partners win together; less what was drawn."""
    return sum(seat.won for seat in summary.seats) / summary.matches


def _heading(request: SimulationRequest) -> str:
    counts = Counter(request.bots)
    bots = ", ".join(f"{times} × {bot}" for bot, times in counts.items())
    return f"{find_game(request.game).name}, {len(request.bots)} seats: {bots}"


def _subheading(request: SimulationRequest, figures: Figures) -> str:
    """How many matches, and the options that are not those of the rules."""
    usual = msgspec.to_builtins(find_game(request.game).options())
    chosen = (f"{name} {value}" for name, value in request.options.items() if value != usual[name])
    return ", ".join((f"{figures.matches:,} matches, seed {request.seed}", *chosen))
