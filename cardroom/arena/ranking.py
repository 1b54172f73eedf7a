"""Entrants in order: pairs, contests, ratings, tournaments and their table.

Shares and margins with the error that mirrored matches really have.

With swapped seats every sequence of decks is played once with every rotation, so the matches of
one sequence are not independent: good cards help one bot first and the other one then. The error
is therefore taken from the spread of whole sequences. Draws count half.

Round robins: every strategy against every other one.

Ratings of a round robin: one number a bot, on the scale of chess, with its error.

Bradley and Terry's model: a bot of strength a beats one of strength b in a / (a + b) of their
matches, and one that sits alone against m others in a / (a + m b). A rating is 400 times the
decimal logarithm of the strength; the mean of all bots is 1500. Draws count half. One match more,
ending as it would between equals, keeps the rating of a bot that always wins finite.

The intervals come from a Bayesian bootstrap: each sequence of decks, and that one match, gets a
random weight, and the ratings are computed again.

Contests of bots on disk: JSON with everything, CSV tables, a line of JSON a match.

``arena.json`` holds requests, results and ratings; ``bots.csv`` a row a bot and contest,
``ratings.csv`` the round robin, ``matches.ndjson`` every match (``series.MatchRecord``). The same
seed writes the same bytes.

A picture of a round robin: who scored how much against whom, and the ratings.

Colours go from orange over white, which is even, to blue: they differ for the colour-blind too, and
in grey by how far from even they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import combinations, permutations
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from cardroom.arena.figures import Figures, Tally
from cardroom.arena.reports import (
    FILL,
    INK,
    Summary,
    points_column,
    sheet_type,
    summarize,
    write_table,
)
from cardroom.arena.request import SimulationRequest
from cardroom.arena.series import MatchRecord
from cardroom.arena.statistics import (
    BadRequest,
    Histogram,
    Interval,
    deviation,
    mean_interval,
    score_interval,
    sequences_interval,
    size,
    student95,
)


def score(figures: Figures, entrant: str) -> Interval:
    """The share of matches won, draws counted half, with its 95 % interval."""
    tally = figures.bots[entrant]
    share = (tally.won + tally.shared / 2) / tally.matches
    if entrant not in figures.mirrored:
        return score_interval(share, tally.matches)
    scores = figures.mirrored[entrant].scores
    return _of_sequences(share, scores, _rotations(figures, scores))


def pair_margin(figures: Figures, entrant: str) -> Interval | None:
    """The points of a seat of this entrant less those of another seat: the mean of a match.

    Only where seats were swapped, at least two sequences of decks.
    """
    margins = figures.mirrored[entrant].margins if entrant in figures.mirrored else {}
    sequences = size(margins)
    if sequences < 2:
        return None
    tally = figures.bots[entrant]
    scale = _scale(tally, len(figures.seats)) * _rotations(figures, margins)
    of_sequences = mean_interval(margins)
    return Interval(*(bound / scale for bound in msgspec.structs.astuple(of_sequences)))


def pair_luck(figures: Figures, entrant: str) -> float | None:
    """The share of how much matches vary that is due to decks and seats, from 0 to 1.

    A sequence of decks that every rotation has played gives everybody the same cards once. So what
    matches of one sequence have in common beyond that is play; the rest of the spread is luck of
    the cards. The moves of a bot that chooses at random count as play.
    """
    tally = figures.bots[entrant]
    if entrant not in figures.mirrored or size(figures.mirrored[entrant].scores) < 2:
        return None
    share = (tally.won + tally.shared / 2) / tally.matches
    spread = (tally.won + tally.shared / 4) / tally.matches - share * share
    scores = figures.mirrored[entrant].scores
    rotations = _rotations(figures, scores)
    if spread <= 0:
        return None
    of_sequences = (deviation(scores) / (2 * rotations)) ** 2
    return min(1.0, max(0.0, 1 - rotations * of_sequences / spread))


def _of_sequences(share: float, scores: Mapping[int, int], rotations: int) -> Interval:
    sequences = size(scores)
    if sequences < 2 or share in (0, 1):
        return score_interval(share, sequences * rotations)
    spread = deviation(scores) / (2 * rotations)
    return sequences_interval(share, spread, sequences, rotations, student95(sequences - 1))


def _rotations(figures: Figures, sequences: Mapping[int, int]) -> int:
    """How many matches each whole sequence of decks has."""
    unpaired = sum(part.played for part in figures.unpaired.values())
    return (figures.matches - unpaired) // size(sequences)


def _scale(tally: Tally, seats: int) -> int:
    """The factor by which ``Mirrored.margins`` are multiplied."""
    mine = tally.seats // tally.matches
    return mine * (seats - mine)


Pairing: TypeAlias = tuple[str, ...]  # two bots


class RankingRow(msgspec.Struct, frozen=True):
    """A bot's row of the ranking: its score is the mean of its pairings' shares."""

    bot: str
    score: float
    against: dict[str, Interval]


def pairings(bots: Sequence[str], sides: int) -> tuple[Pairing, ...]:
    """The pairings: with two sides each pair once, with more each bot alone against each other.

    The second of a pairing takes all sides that are left.
    """
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise BadRequest("A round robin needs two or more different bots.")
    return tuple(combinations(bots, 2) if sides == 2 else permutations(bots, 2))


def ranking(results: Mapping[Pairing, Figures]) -> tuple[RankingRow, ...]:
    """The bots by the mean share of matches won (draws count half), best first.

    With more than two sides only the pairings count in which a bot sits alone.
    """
    shares: dict[str, dict[str, Interval]] = {}
    for (one, other), figures in results.items():
        shares.setdefault(one, {})[other] = score(figures, one)
        if (other, one) not in results:
            shares.setdefault(other, {})[one] = score(figures, other)
    rows = (
        RankingRow(bot, sum(share.value for share in against.values()) / len(against), against)
        for bot, against in shares.items()
    )
    return tuple(sorted(rows, key=lambda row: (-row.score, row.bot)))


MEAN: Final = 1500.0
SCALE: Final = 400 / log(10)
RESAMPLES: Final = 400
MOST_ROUNDS: Final = 1000
CLOSE: Final = 1e-7
MOST_OPENSKILL: Final = 300  # results of a pairing: enough for its error to settle


class Meeting(NamedTuple):
    """``one`` sat alone against ``others`` seats of ``other``: half wins → how often."""

    one: str
    other: str
    others: int
    scores: Histogram
    most: int  # half wins


class Score(NamedTuple):
    share: float
    matches: float


class OpenSkill(msgspec.Struct, frozen=True):
    """A rating of the openskill library (Plackett and Luce): mean and standard deviation."""

    mu: float
    sigma: float


def meetings(results: Mapping[Pairing, Figures]) -> tuple[Meeting, ...]:
    return tuple(_meeting(one, other, figures) for (one, other), figures in results.items())


def _meeting(one: str, other: str, figures: Figures) -> Meeting:
    """By sequences of decks where seats were swapped, else by matches."""
    tally, rival = figures.bots[one], figures.bots[other]
    others = rival.seats // tally.seats
    if one not in figures.mirrored:
        lost = tally.matches - tally.won - tally.shared
        scores = {0: lost, 1: tally.shared, 2: tally.won}
        return Meeting(one, other, others, scores, 2)
    scores = figures.mirrored[one].scores
    unpaired = sum(part.played for part in figures.unpaired.values())
    rotations = (figures.matches - unpaired) // sum(scores.values())
    return Meeting(one, other, others, scores, 2 * rotations)


def ratings(results: Mapping[Pairing, Figures], seed: int = 0) -> dict[str, Interval]:
    """Every bot's rating with its 95 % interval, the best first."""
    met, rng = meetings(results), Random(seed)
    strengths = _strengths(met, [_score(each) for each in met])
    resampled: dict[str, list[float]] = {bot: [] for bot in strengths}
    for _ in range(RESAMPLES):
        again = _strengths(met, [_resampled(each, rng) for each in met], strengths)
        for bot, rating in _rated(again).items():
            resampled[bot].append(rating)
    best_first = sorted(_rated(strengths).items(), key=lambda item: (-item[1], item[0]))
    return {bot: _interval(rating, resampled[bot]) for bot, rating in best_first}


def _score(meeting: Meeting) -> Score:
    even = 1 / (1 + meeting.others)
    return _of_weights(meeting, meeting.scores.items(), even, 1 - even)


def _resampled(meeting: Meeting, rng: Random) -> Score:
    """With a weight of exponential distribution for every sequence, added up by their scores."""
    even, weigh = 1 / (1 + meeting.others), rng.gammavariate
    weighed = [(scored, weigh(times, 1)) for scored, times in meeting.scores.items() if times]
    return _of_weights(meeting, weighed, weigh(even, 1), weigh(1 - even, 1))


def _of_weights(
    meeting: Meeting, weighed: Iterable[tuple[int, float]], won: float, lost: float
) -> Score:
    """``won`` and ``lost`` are parts of the one match more."""
    rotations, total = meeting.most / 2, won + lost
    for scored, weight in weighed:
        won += weight * scored / meeting.most * rotations
        total += weight * rotations
    return Score(won / total, sum(meeting.scores.values()) * rotations + 1)


def _strengths(
    met: Sequence[Meeting], scores: Sequence[Score], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The likeliest strengths, by Hunter's iteration (minorisation and maximisation)."""
    strengths = dict(start or {bot: 1.0 for each in met for bot in (each.one, each.other)})
    wins = dict.fromkeys(strengths, 0.0)
    for each, score in zip(met, scores, strict=True):
        wins[each.one] += score.share * score.matches
        wins[each.other] += (1 - score.share) * score.matches
    for _ in range(MOST_ROUNDS):
        weights = dict.fromkeys(strengths, 0.0)
        for each, score in zip(met, scores, strict=True):
            whole = strengths[each.one] + each.others * strengths[each.other]
            weights[each.one] += score.matches / whole
            weights[each.other] += score.matches * each.others / whole
        after = _centred({bot: wins[bot] / weights[bot] for bot in strengths})
        moved = max(abs(log(after[bot] / strengths[bot])) for bot in strengths)
        strengths = after
        if moved < CLOSE:
            break
    return strengths


def _centred(strengths: Mapping[str, float]) -> dict[str, float]:
    middle = exp(sum(map(log, strengths.values())) / len(strengths))
    return {bot: strength / middle for bot, strength in strengths.items()}


def _rated(strengths: Mapping[str, float]) -> dict[str, float]:
    return {bot: MEAN + SCALE * log(strength) for bot, strength in strengths.items()}


def _interval(rating: float, resampled: Sequence[float]) -> Interval:
    ordered = sorted(resampled)
    cut = len(ordered) // 40  # 2.5 % at either end
    return Interval(rating, min(rating, ordered[cut]), max(rating, ordered[-cut - 1]))


def openskill_ratings(
    results: Mapping[Pairing, Figures], seed: int = 0
) -> dict[str, OpenSkill] | None:
    """The ratings of the openskill library, which takes match after match: here in a random order.

    None when it is not installed (extra ``arena``) or more than two sides played.
    """
    met = meetings(results)
    try:
        model = import_module("openskill.models").PlackettLuce()
    except ImportError:
        return None
    if any(each.others > 1 for each in met):
        return None
    rated = {bot: model.rating(name=bot) for each in met for bot in (each.one, each.other)}
    for one, other, ranks in _in_any_order(results, Random(seed)):
        ((rated[one],), (rated[other],)) = model.rate([[rated[one]], [rated[other]]], ranks=ranks)
    return {bot: OpenSkill(each.mu, each.sigma) for bot, each in rated.items()}


def _in_any_order(
    results: Mapping[Pairing, Figures], rng: Random
) -> list[tuple[str, str, list[int]]]:
    """Results of all pairings as ranks, some of each where there are very many."""
    ranked = []
    for (one, other), figures in results.items():
        tally = figures.bots[one]
        lost = tally.matches - tally.won - tally.shared
        ranks = [(1, 2)] * tally.won + [(1, 1)] * tally.shared + [(2, 1)] * lost
        ranked += [
            (one, other, list(each)) for each in rng.sample(ranks, min(len(ranks), MOST_OPENSKILL))
        ]
    rng.shuffle(ranked)
    return ranked


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
    margins = {name: pair_margin(figures, name) for name in figures.bots}
    luck = {name: pair_luck(figures, name) for name in figures.bots}
    return Contest(
        simulation=request,
        summary=summarize(request, figures),
        scores={name: score(figures, name) for name in figures.bots},
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


NAME: Final = "table.png"
COLOURS: Final = "PuOr"
PALE: Final = 0.32  # the share of the scale on either side of even that is pale enough for ink
LEAST_SPAN: Final = 100.0  # points of rating on either side of the middle


def draw(
    rows: Sequence[RankingRow], ratings: Mapping[str, Interval], path: Path, even: float = 0.5
) -> Path:
    """Draws the table as PNG; ``even`` is what equals score. ``PlotsMissing`` without
    matplotlib."""
    sheet = sheet_type()(figsize=(11, 5), layout="constrained")
    table, line = sheet.subplots(1, 2, width_ratios=(3, 2))
    _scores(table, rows, even)
    _ratings(line, ratings)
    sheet.savefig(path, dpi=120, metadata={"Software": "Cardroom"})
    return path


def _scores(axes: Any, rows: Sequence[RankingRow], even: float) -> None:
    bots = [row.bot for row in rows]
    shares = [
        [row.against[bot].value if bot in row.against else None for bot in bots] for row in rows
    ]
    cells = [[even if share is None else share for share in row] for row in shares]
    scale = import_module("matplotlib.colors").TwoSlopeNorm(vmin=0, vcenter=even, vmax=1)
    axes.imshow(cells, norm=scale, cmap=COLOURS)
    for across, row in enumerate(shares):
        for along, share in enumerate(row):
            text = "" if share is None else f"{share * 100:.1f}"
            away = 0.0 if share is None else abs(float(scale(share)) - 0.5)
            colour = INK if away < PALE else "white"
            axes.text(along, across, text, ha="center", va="center", color=colour)
    axes.set_xticks(range(len(bots)), bots, rotation=30, ha="right")
    axes.set_yticks(range(len(bots)), bots)
    heading = f"Score of the row against the column (%), draws half; white is {even * 100:.0f}"
    axes.set_title(heading, fontsize=10, color=INK)


def _ratings(axes: Any, ratings: Mapping[str, Interval]) -> None:
    bots = list(ratings)
    values = [ratings[bot].value for bot in bots]
    below = [max(0.0, ratings[bot].value - ratings[bot].low) for bot in bots]
    above = [max(0.0, ratings[bot].high - ratings[bot].value) for bot in bots]
    axes.axvline(MEAN, color=INK, linestyle="--", linewidth=0.8)
    axes.errorbar(values, range(len(bots)), xerr=(below, above), fmt="o", color=FILL, capsize=4)
    span = _span(ratings)
    axes.set_xlim(MEAN - span, MEAN + span)  # so that even is in the middle
    axes.set_yticks(range(len(bots)), bots)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    heading = f"Rating, with 95 % interval; the line is {MEAN:.0f}, the mean"
    axes.set_title(heading, fontsize=10, color=INK)


def _span(ratings: Mapping[str, Interval]) -> float:
    """How far the furthest end of an interval lies from the mean, and a little more."""
    ends = [abs(end - MEAN) for rating in ratings.values() for end in (rating.low, rating.high)]
    return 1.08 * max([LEAST_SPAN, *ends])
