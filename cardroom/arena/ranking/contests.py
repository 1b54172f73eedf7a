"""Contests of bots on disk: JSON with everything, CSV tables, a line of JSON a match.

``arena.json`` holds requests, results and ratings; ``bots.csv`` a row a bot and contest,
``ratings.csv`` the round robin, ``matches.ndjson`` every match (``series.MatchRecord``). The same
seed writes the same bytes.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from cardroom.arena.figures import Figures
from cardroom.arena.ranking import pairs
from cardroom.arena.ranking.ratings import OpenSkill
from cardroom.arena.ranking.tournament import RankingRow
from cardroom.arena.reports.report import points_column, write_table
from cardroom.arena.reports.summary import Summary, summarize
from cardroom.arena.request import SimulationRequest
from cardroom.arena.series import MatchRecord
from cardroom.arena.statistics import Interval

JSON, BOTS, RATINGS, MATCHES = "arena.json", "bots.csv", "ratings.csv", "matches.ndjson"


class Contest(msgspec.Struct, frozen=True):
    """``scores``, ``margins`` and ``luck`` are those of ``arena.pairs``, by entrant."""

    simulation: SimulationRequest
    summary: Summary
    scores: dict[str, Interval]
    margins: dict[str, Interval]
    figures: Figures
    luck: dict[str, float] = {}


class Tournament(msgspec.Struct, frozen=True):
    """All contests of a command; ranking and ratings only of a round robin."""

    contests: tuple[Contest, ...]
    ranking: tuple[RankingRow, ...] = ()
    ratings: dict[str, Interval] = {}
    openskill: dict[str, OpenSkill] | None = None


def contest(request: SimulationRequest, figures: Figures) -> Contest:
    margins = {name: pairs.margin(figures, name) for name in figures.bots}
    luck = {name: pairs.luck(figures, name) for name in figures.bots}
    return Contest(
        simulation=request,
        summary=summarize(request, figures),
        scores={name: pairs.score(figures, name) for name in figures.bots},
        margins={name: margin for name, margin in margins.items() if margin is not None},
        figures=figures,
        luck={name: share for name, share in luck.items() if share is not None},
    )


def write(
    tournament: Tournament, records: Iterable[Sequence[MatchRecord]], folder: Path
) -> tuple[Path, ...]:
    """Writes the files into ``folder`` (made when missing); ``records`` are those of a contest."""
    folder.mkdir(parents=True, exist_ok=True)
    encoded = msgspec.json.format(msgspec.json.encode(tournament), indent=2)
    (folder / JSON).write_bytes(encoded + b"\n")
    write_table(folder / BOTS, _bot_rows(tournament))
    with (folder / MATCHES).open("wb") as file:
        for contest_records in records:
            file.writelines(msgspec.json.encode(record) + b"\n" for record in contest_records)
    written = [JSON, BOTS, MATCHES]
    if tournament.ratings:
        write_table(folder / RATINGS, _rating_rows(tournament))
        written.append(RATINGS)
    return tuple(folder / name for name in written)


def _bot_rows(tournament: Tournament) -> Iterable[Sequence[object]]:
    points = points_column(tournament.contests[0].simulation.game)
    yield (
        "contest", "bot", "seats", "matches", "won", "drawn", "last", "score", "score_low",
        "score_high", "margin", "margin_low", "margin_high", points,
    )  # fmt: skip
    for number, contest in enumerate(tournament.contests):
        for bot in contest.summary.bots:
            score, margin = contest.scores[bot.bot], contest.margins.get(bot.bot)
            yield (
                number, bot.bot, contest.simulation.bots.count(bot.bot), bot.matches, bot.won,
                bot.draws.value, bot.last.value, score.value, score.low, score.high,
                *((margin.value, margin.low, margin.high) if margin else ("", "", "")),
                bot.points,
            )  # fmt: skip


def _rating_rows(tournament: Tournament) -> Iterable[Sequence[object]]:
    yield "bot", "rating", "low", "high", "openskill_mu", "openskill_sigma"
    for bot, rating in tournament.ratings.items():
        skill = (tournament.openskill or {}).get(bot)
        also = (skill.mu, skill.sigma) if skill else ("", "")
        yield bot, rating.value, rating.low, rating.high, *also
