"""Judging a record: ``decisions`` <- ``weighing`` <- ``verdicts`` <- ``summary``.

Nothing here knows Django. A decision is judged from its seat's view and the events that the seat
saw, so no other card can change a verdict.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import Record, seating
from cardroom.rules.record.playback import Playback, play
from cardroom.rules.shuffles import Stream
from cardroom.rules.state_fields import Line
from cardroom.rules.values import Event, Move, Outcome, Reason, Seat, Weighing

# The decisions of a record: positions in which a seat had several moves, as the seat saw them.


@dataclass(frozen=True)
class Decision:
    """``version`` is that of the match before the move; ``events`` is what the seat remembers."""

    version: int
    round: int
    seat: Seat
    view: Any
    events: Sequence[Event]
    move: Move


@dataclass(frozen=True)
class Played:
    """A match as the coach reads it: its decisions in their order, and how it ended."""

    game: AnyGame
    decisions: list[Decision]
    sides: tuple[tuple[Seat, ...], ...]
    outcome: Outcome


def judge_of(game: AnyGame) -> Bot[Any] | None:
    """The strongest computer of the game that can weigh moves; ``None``: nobody judges it."""
    judges = [bot for bot in game.bots if bot.search is not None and bot.search.weigh is not None]
    return max(judges, key=lambda bot: bot.level, default=None)


def played(record: Record, remembers: str) -> Played:
    """Plays the record again; ``BadRecord`` where it contradicts itself."""
    seats = seating(record)
    reader = _Reader(seats.game, remembers)
    playback = Playback(record, sealed=False, on_move=reader.note)
    reader.playback = playback
    outcome = play(record, playback)
    return Played(seats.game, reader.decisions, seats.sides, outcome)


class _Reader:
    playback: Playback

    def __init__(self, game: AnyGame, remembers: str) -> None:
        self.decisions: list[Decision] = []
        self._game = game
        self._remembers = remembers
        self._inherited: int | None = None  # steps that were played before this match was loaded

    def note(self, seat: Seat, move: Move) -> None:
        playback = self.playback
        if playback.version < playback.chain[0].loaded_at:
            return  # it was made in the match that this one was loaded from
        if self._inherited is None:
            self._inherited = len(playback.history) if playback.chain[0].loaded else 0
        view = self._game.view(playback.state, seat)
        if len(view.legal_moves) < 2:
            return
        events = self._game.recent_events(tuple(self._seen_by(seat)), self._remembers)
        self.decisions.append(Decision(playback.version, playback.round, seat, view, events, move))

    def _seen_by(self, seat: Seat) -> Iterator[Event]:
        """The events as the seat saw them; as all saw them where the match was loaded from."""
        for number, step in enumerate(self.playback.history):
            reader = None if number < (self._inherited or 0) else seat
            for event in step.events:
                yield event.seen_by(reader)


# The worth of each move of a decision to its seat: chances to win, with what is uncertain.

PLAYOUTS: Final = 256  # of each move, at least
AS_GOOD: Final = 0.005  # a loss of less is as good as none
SURE: Final = 2  # standard errors
TWO: Final = 2
CLOSER: Final = (1, 4, 16, 64)  # times the playouts, one after the other while a decision is close
ONCE: Final = (1,)
VERSION: Final = 3  # of the analyses: a change of what they say makes a new one


class Choice(msgspec.Struct, frozen=True):
    """A move, the seat's chance to win with it, and the standard error of that."""

    move: Move
    chance: float
    error: float


class Cost(NamedTuple):
    """By how much a choice lowers the chance to win, and the standard error of that."""

    loss: float
    error: float


def weigh(judge: Bot[Any], decision: Decision, playouts: int) -> Weighing:
    """The moves as the judge weighs them.

    The worlds are drawn by the number of the decision alone: nothing that the seat did not see has
    a part in them.
    """
    search = judge.search
    if search is None or search.weigh is None:
        raise ValueError(f"{judge.slug} weighs no moves")
    weighed = search.weigh(decision.view, decision.events, stream_of(decision), playouts)
    line = search.reading.of(decision.view)
    return Weighing(weighed.moves, tuple(_as_they_read(each, line) for each in weighed.means))


class Weighed(NamedTuple):
    """A decision as it is weighed for a verdict, with so many ``playouts`` of each move.

    ``move`` is the one of those weighed that was played, or that does the same.
    """

    weighing: Weighing
    move: Move
    playouts: int

    @property
    def is_clear(self) -> bool:
        cost = cost_of(self.weighing, self.move)
        return abs(cost.loss - AS_GOOD) >= SURE * cost.error


def weigh_closely(
    game: AnyGame,
    judge: Bot[Any],
    decision: Decision,
    playouts: int,
    closer: Sequence[int] = CLOSER,
) -> Weighed | None:
    """With more playouts where it is not clear whether the move is as good as the best.

    ``None`` where the judge weighs nothing, or all moves do the same.
    """
    weighed = None
    for times in closer:
        weighing = weigh(judge, decision, times * playouts)
        move = listed_move(game, weighing.moves, decision.move)
        if move is None or len(set(weighing.means)) < TWO:
            return None
        weighed = Weighed(weighing, move, times * playouts)
        if weighed.is_clear:
            break
    return weighed


def listed_move(game: AnyGame, moves: tuple[Move, ...], played: Move) -> Move | None:
    """The weighed move that is the played one, or does the same."""
    if played in moves:
        return played
    return next((move for move in moves if game.alike(move) == game.alike(played)), None)


def _as_they_read(means: tuple[float, ...], line: Line) -> tuple[float, ...]:
    """Batches about their mean as it reads: so the moves keep their order."""
    read = [line.read(mean) for mean in means]
    off = line.read(fmean(means)) - fmean(read)
    return tuple([mean + off for mean in read])


def choices_of(weighing: Weighing) -> list[Choice]:
    """The moves from the best to the worst."""
    listed = [
        Choice(move, min(1.0, max(0.0, fmean(means))), _error(means))
        for move, means in zip(weighing.moves, weighing.means, strict=True)
    ]
    return sorted(listed, key=lambda choice: -choice.chance)


def cost_of(weighing: Weighing, move: Move) -> Cost:
    """The loss of a move against the best.

    The best is found in one half of the batches and compared in the other: the best of many
    uncertain numbers looks better than it is.
    """
    own = weighing.means[weighing.moves.index(move)]
    if len(own) == 1:
        return Cost(max(means[0] for means in weighing.means) - own[0], 0.0)
    halves = (slice(0, None, 2), slice(1, None, 2))
    gaps = []
    for half, other in (halves, halves[::-1]):
        best = weighing.means[_best(weighing, half)]
        gaps += [better - mine for better, mine in zip(best[other], own[other], strict=True)]
    return Cost(max(0.0, fmean(gaps)), _error(gaps))


def _best(weighing: Weighing, half: slice) -> int:
    means = [fmean(each[half]) for each in weighing.means]
    return means.index(max(means))


def _error(means: "tuple[float, ...] | list[float]") -> float:
    return stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0


def stream_of(decision: Decision) -> Stream:
    name = f"coach {VERSION} {decision.seat} {decision.version}"
    return Stream(int.from_bytes(sha256(name.encode()).digest()[:8]))


# The class of a decision, by what it cost in chance to win.
#
# ``best``: nothing better was found, or the difference is as good as none (under half a percent,
# or under its own standard error). A decision that is close to that is weighed again with more
# playouts (``weighing.CLOSER``). Then by the loss of winning chance: ``fine`` under 2 %, ``slip``
# under 5 %, ``mistake`` under 10 %, ``blunder`` from there on.

Grade: TypeAlias = Literal["best", "fine", "slip", "mistake", "blunder"]
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)
BOUNDS: Final[tuple[tuple[float, Grade], ...]] = ((0.02, "fine"), (0.05, "slip"), (0.10, "mistake"))


class Verdict(msgspec.Struct, frozen=True):
    """A decision judged: ``version`` is that of the match before the move.

    ``choices`` are all moves from the best to the worst; ``cost`` is the loss of winning chance by
    the move that was played, ``error`` its standard error. ``reason`` says what speaks for or
    against the move that was played, ``best_reason`` the same of the best one.
    """

    version: int
    round: int
    seat: Seat
    move: Move
    grade: Grade
    cost: float
    error: float
    choices: tuple[Choice, ...]
    reason: Reason | None = None
    best_reason: Reason | None = None

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def played(self) -> Choice:
        return next(choice for choice in self.choices if choice.move == self.move)


def judge(
    game: AnyGame,
    bot: Bot[Any],
    decision: Decision,
    playouts: int,
    closer: Sequence[int] = CLOSER,
) -> Verdict | None:
    """``None`` where the bot weighs nothing, or all moves do the same."""
    weighed = weigh_closely(game, bot, decision, playouts, closer)
    if weighed is None:
        return None
    move = weighed.move
    cost, listed = cost_of(weighed.weighing, move), choices_of(weighed.weighing)
    reasons = _reasons(game, decision, (move, listed[0].move))
    return Verdict(
        version=decision.version,
        round=decision.round,
        seat=decision.seat,
        move=move,
        grade=grade_of(cost),
        cost=cost.loss,
        error=cost.error,
        choices=tuple(listed),
        reason=reasons.get(move),
        best_reason=reasons.get(listed[0].move),
    )


def _reasons(game: AnyGame, decision: Decision, moves: Sequence[Move]) -> Mapping[Move, Reason]:
    if game.reasons is None:
        return {}
    view, events = decision.view, decision.events
    return game.reasons.of(view, events, stream_of(decision), list(dict.fromkeys(moves)))


def grade_of(cost: Cost) -> Grade:
    if cost.loss < AS_GOOD or cost.loss <= cost.error:
        return "best"
    return next((grade for bound, grade in BOUNDS if cost.loss < bound), "blunder")


# The summary of a match's verdicts for each seat: accuracy, costly moments, luck and play.
#
# A seat begins with the chance that all seats have, and ends with what it came to. In between its
# own decisions cost something, and so do those of its rivals where there are two sides; the rest
# is luck: the cards, and with more sides also how the others played. A match that somebody gave
# up was not played to its end: what that end made of the chance at the last decision is neither
# luck nor play. So the parts of a seat add up to its result exactly.

COSTLIEST: Final = 3
MATTERS: Final = 0.01  # of chance between the best and the worst move: less is no choice

GIVEN_UP: Final = frozenset({"resigned", "timeout", "aborted"})


class SeatSummary(msgspec.Struct, frozen=True):
    """``accuracy``: from 0 to 100, how much of what its choices decided the seat kept.

    ``start`` + ``play`` + ``rivals`` + ``luck`` + ``unplayed`` = ``result``, all in chance to win.
    ``costliest`` and ``best_moment`` are versions of the match.
    """

    seat: Seat
    decisions: int
    grades: dict[Grade, int]
    accuracy: float | None
    start: float
    play: float
    rivals: float
    luck: float
    unplayed: float
    result: float
    costliest: tuple[int, ...]
    best_moment: int | None


def summaries(played: Played, verdicts: Sequence[Verdict]) -> list[SeatSummary]:
    seats = sorted(seat for side in played.sides for seat in side)
    return [_summary(played, verdicts, seat) for seat in seats]


def _summary(played: Played, verdicts: Sequence[Verdict], seat: Seat) -> SeatSummary:
    own = [verdict for verdict in verdicts if verdict.seat == seat]
    side = next(side for side in played.sides if seat in side)
    start, result = start_of(played), result_of(played, seat)
    play = -sum(verdict.cost for verdict in verdicts if verdict.seat in side)
    rivals = 0.0
    if len(played.sides) == TWO:
        rivals = sum(verdict.cost for verdict in verdicts if verdict.seat not in side)
    unplayed = result - _last_chance(played, verdicts, seat)
    return SeatSummary(
        seat=seat,
        decisions=len(own),
        grades={grade: sum(verdict.grade == grade for verdict in own) for grade in GRADES},
        accuracy=accuracy(own),
        start=start,
        play=play,
        rivals=rivals,
        luck=result - unplayed - start - play - rivals,
        unplayed=unplayed,
        result=result,
        costliest=_costliest(own),
        best_moment=_best_moment(own),
    )


def _last_chance(played: Played, verdicts: Sequence[Verdict], seat: Seat) -> float:
    """The result, but of a match that was given up the seat's chance at the last decision."""
    if played.outcome.reason not in GIVEN_UP:
        return result_of(played, seat)
    side = next(side for side in played.sides if seat in side)
    two = len(played.sides) == TWO
    known = [verdict for verdict in verdicts if two or verdict.seat in side]
    if not known:
        return start_of(played)
    chance = known[-1].best.chance - known[-1].cost
    return chance if known[-1].seat in side else 1 - chance


def accuracy(verdicts: Sequence[Verdict]) -> float | None:
    """The mean share of what lay between the worst and the best move; of choices that matter."""
    kept = [
        1 - min(1.0, verdict.cost / span)
        for verdict in verdicts
        if (span := verdict.choices[0].chance - verdict.choices[-1].chance) >= MATTERS
    ]
    return 100 * sum(kept) / len(kept) if kept else None


def start_of(played: Played) -> float:
    """The chance of each side before anything is dealt; not to be the only loser, where so."""
    sides = len(played.sides)
    return 1 - 1 / sides if played.game.points_are_places else 1 / sides


def result_of(played: Played, seat: Seat) -> float:
    """The result of the match for a seat, as its chances are counted."""
    outcome = played.outcome
    side = next(side for side in played.sides if seat in side)
    if played.game.points_are_places:
        last = max(outcome.places, default=1)
        return 0.0 if outcome.places and outcome.places[seat] == last else 1.0
    winning = [each for each in played.sides if set(each) & set(outcome.winners)]
    if not winning:
        return start_of(played)
    return 1 / len(winning) if side in winning else 0.0


def _costliest(own: Sequence[Verdict]) -> tuple[int, ...]:
    costly = [verdict for verdict in own if verdict.grade in ("slip", "mistake", "blunder")]
    worst = sorted(costly, key=lambda verdict: -verdict.cost)[:COSTLIEST]
    return tuple(verdict.version for verdict in worst)


def _best_moment(own: Sequence[Verdict]) -> int | None:
    """The choice whose best move was played and whose second best was worth least beside it."""
    good = [verdict for verdict in own if verdict.grade == "best"]
    best = max(good, key=_lead, default=None)
    return None if best is None or _lead(best) < MATTERS else best.version


def _lead(verdict: Verdict) -> float:
    """Over the best move that is worth something else."""
    worse = [choice.chance for choice in verdict.choices if choice.chance < verdict.best.chance]
    return verdict.played.chance - worse[0] if worse else 0.0


# Advice of the coach to a seat that is to move, from what it knows: every move with its cost.


class AdvisedMove(msgspec.Struct, frozen=True):
    """``chance`` to win with it, its standard error, and what it costs against the best move."""

    move: Move
    chance: float
    error: float
    cost: float
    grade: Grade
    reason: Reason | None = None


class Advice(msgspec.Struct, frozen=True):
    """``moves`` from the best to the worst; empty where the coach weighs nothing."""

    moves: tuple[AdvisedMove, ...]

    def of(self, game: AnyGame, move: Move) -> AdvisedMove | None:
        """The move, or the one of those listed that does the same."""
        same = game.alike(move)
        exact = (one for one in self.moves if one.move == move)
        alike = (one for one in self.moves if game.alike(one.move) == same)
        return next(exact, None) or next(alike, None)


def advise(game: AnyGame, bot: Bot[Any], decision: Decision, playouts: int) -> Advice:
    weighed = weigh(bot, decision, playouts)
    reasons: Mapping[Move, Reason] = {}
    if game.reasons is not None and weighed.moves:
        view, events = decision.view, decision.events
        reasons = game.reasons.of(view, events, stream_of(decision), weighed.moves)
    moves = []
    for choice in choices_of(weighed):
        cost = cost_of(weighed, choice.move)
        moves.append(
            AdvisedMove(
                move=choice.move,
                chance=choice.chance,
                error=choice.error,
                cost=cost.loss,
                grade=grade_of(cost),
                reason=reasons.get(choice.move),
            )
        )
    return Advice(tuple(moves))
