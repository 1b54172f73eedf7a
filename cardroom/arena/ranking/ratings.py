"""Ratings of a round robin: one number a bot, on the scale of chess, with its error.

Bradley and Terry's model: a bot of strength a beats one of strength b in a / (a + b) of their
matches, and one that sits alone against m others in a / (a + m b). A rating is 400 times the
decimal logarithm of the strength; the mean of all bots is 1500. Draws count half. One match more,
ending as it would between equals, keeps the rating of a bot that always wins finite.

The intervals come from a Bayesian bootstrap: each sequence of decks, and that one match, gets a
random weight, and the ratings are computed again.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from math import exp, log
from random import Random
from typing import Final, NamedTuple

import msgspec

from cardroom.arena.figures import Figures
from cardroom.arena.ranking.tournament import Pairing
from cardroom.arena.statistics import Histogram, Interval

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
