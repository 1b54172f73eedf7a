"""The course of a match by the scores of its rounds: who led, when it turned, who won in a row.

Pure: it needs only the scores after every round. The game defines who leads and who is one round
from winning (`Game.leaders`, `Game.match_point`).

The effect of resigning on a match (FORMAT.md §2, Resigning): the rules' states know nothing of it.

A side has resigned when every seat of it has. The service keeps the seats that resigned in the
order they did so; here is what follows from that, for the service and for checking records alike.

Going on from the opening of an earlier round, dealt again (FORMAT.md §2, Rolled back).

Cards that no spectator could know at the opening are dealt again with the match's next shuffles.
Nothing is deleted: the history that was undone stays in the log and in the record.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import (
    MATCH_OVER,
    Event,
    HistoryStep,
    IllegalMove,
    Move,
    NotYourTurn,
    Options,
    Outcome,
    Redealt,
    Seat,
)

LEAST_STREAK: Final = 2

RoundScores = Sequence[int]


class RoundShape(msgspec.Struct, frozen=True):
    """A finished round: its scores, what they add up to by then, and the sides that led then.

    ``winner`` is the side that made most of the round, alone.
    """

    number: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    winner: int | None
    leaders: tuple[int, ...]


class Streak(msgspec.Struct, frozen=True):
    """Rounds that one side won one after the other, from the round ``first`` on."""

    side: int
    first: int
    rounds: int


class MatchShape(msgspec.Struct, frozen=True):
    """``turning_point``: the round since which the one in front now has led, if others led before.

    ``lead_changes``: how often another side took the lead. ``match_point``: the sides that may win
    the match with the next round. Numbers of sides and rounds; ties do not count as a change.
    """

    rounds: tuple[RoundShape, ...]
    lead_changes: int
    turning_point: int | None
    streak: Streak | None
    match_point: tuple[int, ...]

    @property
    def leader(self) -> int | None:
        """The side that is in front now, alone."""
        return _alone(self.rounds[-1].leaders) if self.rounds else None

    @property
    def led_from_the_first(self) -> bool:
        """One side was in front after every round."""
        return self.leader is not None and all(
            each.leaders == (self.leader,) for each in self.rounds
        )


def match_shape(game: AnyGame, options: Options, scores: Sequence[RoundScores]) -> MatchShape:
    """``scores`` of the finished rounds in order, one number a side each."""
    rounds = tuple(_rounds(game, scores))
    leads = [(each.number, each.leaders[0]) for each in rounds if len(each.leaders) == 1]
    runs = [next(run) for _side, run in groupby(leads, key=lambda lead: lead[1])]
    return MatchShape(
        rounds=rounds,
        lead_changes=max(0, len(runs) - 1),
        turning_point=_turning_point(rounds, len(runs)),
        streak=_streak(rounds),
        match_point=tuple(game.match_point(options, scores)),
    )


def _rounds(game: AnyGame, scores: Sequence[RoundScores]) -> Iterator[RoundShape]:
    totals: list[int] = []
    for number, made in enumerate(scores, start=1):
        totals = [a + b for a, b in zip(totals or [0] * len(made), made, strict=True)]
        best = min(made) if game.points_are_places else max(made)
        yield RoundShape(
            number=number,
            scores=tuple(made),
            totals=tuple(totals),
            winner=_alone([side for side, score in enumerate(made) if score == best]),
            leaders=tuple(game.leaders(scores[:number])),
        )


def _turning_point(rounds: Sequence[RoundShape], leaders_so_far: int) -> int | None:
    """The first of the rounds at the end after which the same side led alone."""
    if leaders_so_far < 2 or len(rounds[-1].leaders) != 1:
        return None
    last = rounds[-1].leaders
    return 1 + next(each.number for each in reversed(rounds) if each.leaders != last)


def _streak(rounds: Sequence[RoundShape]) -> Streak | None:
    """The longest one, of equal ones the first."""
    best: Streak | None = None
    for side, run in groupby(rounds, key=lambda each: each.winner):
        won = list(run)
        if side is not None and len(won) > (best.rounds if best else LEAST_STREAK - 1):
            best = Streak(side, won[0].number, len(won))
    return best


def _alone(sides: Sequence[int]) -> int | None:
    return sides[0] if len(sides) == 1 else None


RESIGN = "resign"  # how a record and the ply log write it in the place of a move

Sides = Sequence[Sequence[Seat]]
Scores = Sequence[Sequence[int]]


def check_may_resign(game: AnyGame, state: Any, resigned: Sequence[Seat], seat: Seat) -> None:
    """A seat may resign out of turn, but once only, not when it is out and not after the end."""
    if game.outcome(state) is not None:
        raise NotYourTurn(MATCH_OVER)
    if seat in resigned:
        raise IllegalMove("already_resigned", "This seat has already resigned.")
    if seat in game.retired_seats(state):
        raise IllegalMove("seat_out", "A seat that is out of the match can no longer resign.")


def sides_gone(sides: Sides, resigned: Sequence[Seat]) -> list[int]:
    """The sides that have resigned, the first to do so first."""
    gone = [number for number, side in enumerate(sides) if set(side) <= set(resigned)]
    return sorted(gone, key=lambda number: max(resigned.index(seat) for seat in sides[number]))


def ends_match(sides: Sides, resigned: Sequence[Seat]) -> bool:
    """Only one side is left that has not resigned; otherwise a bot plays the seat on."""
    return len(sides) - len(sides_gone(sides, resigned)) <= 1


def conclude(
    sides: Sides,
    resigned: Sequence[Seat],
    scores: Scores,
    natural: Outcome | None,
    reason: str = "resigned",
) -> Outcome:
    """The outcome of a match in which ``resigned`` gave up, in this order.

    ``natural`` is the outcome of the rules, ``None`` when resigning ended the match; ``reason``
    (``resigned`` or ``timeout``) is read in that case only. ``scores`` are the finished rounds'.
    Sides that resigned stand below all others, the first to resign last.
    """
    gone = sides_gone(sides, resigned)
    if natural is not None and not gone:
        return natural
    ranks = [_rank(number, side, gone, natural) for number, side in enumerate(sides)]
    place = [1 + sum(other < rank for other in ranks) for rank in ranks]
    return Outcome(
        winners=tuple(
            sorted(seat for side, at in zip(sides, place, strict=True) if at == 1 for seat in side)
        ),
        points=total(sides, scores),
        reason=natural.reason if natural else reason,
        places=_by_seat(sides, place),
    )


def aborted(sides: Sides, scores: Scores) -> Outcome:
    """The outcome of a match that was called off: nobody wins, nobody has a place."""
    return Outcome(winners=(), points=total(sides, scores), reason="aborted", places=())


def total(sides: Sides, scores: Scores) -> tuple[int, ...]:
    """The points of every side: the sum over the finished rounds."""
    return tuple(sum(round_scores[side] for round_scores in scores) for side in range(len(sides)))


def _rank(
    number: int, side: Sequence[Seat], gone: Sequence[int], natural: Outcome | None
) -> tuple[bool, int]:
    """The sort key of a side: those that stayed by place, then the others, last to go first."""
    if number in gone:
        return (True, -gone.index(number))
    return (False, natural.places[side[0]] if natural else 0)


def _by_seat(sides: Sides, place: Sequence[int]) -> tuple[int, ...]:
    of_seat = {seat: at for side, at in zip(sides, place, strict=True) for seat in side}
    return tuple(of_seat[seat] for seat in sorted(of_seat))


_MOVE = re.compile(r"rollback ([1-9][0-9]{0,8})")


def move_of(number: int) -> Move:
    """The ply of a roll-back, as it is recorded; no seat makes it."""
    return f"rollback {number}"


def target_of(move: Move) -> int | None:
    """The round that a ply without a seat rolled back to."""
    match = _MOVE.fullmatch(move)
    return int(match[1]) if match else None


def deal_again(
    game: AnyGame, opening: Any, past: Sequence[HistoryStep], shuffle: Shuffle
) -> Redealt[Any]:
    """The opening of the round in which ``past`` ends, as it is dealt again."""
    redealt: Redealt[Any] = game.redeal(opening, past, frozenset(), shuffle)
    return redealt


def reopening_events(game: AnyGame, redealt: Redealt[Any]) -> tuple[Event, ...]:
    """The events of the round's opening as they read now."""
    events = redealt.events[-1]
    first = next((at for at, event in enumerate(events) if type(event) is game.opening), 0)
    return events[first:]


class DeckPlaces:
    """The places of a record at which the decks of the history that stands are listed.

    A roll-back lists the decks of the round's opening again, and beside them those of earlier
    rounds that were dealt again, all in the order of their numbers. They are dealt again from how
    they lay at that opening, whatever a roll-back to a later round made of them.
    """

    def __init__(self) -> None:
        self._places: list[int] = []
        self._listed = 0
        self._openings: dict[int, tuple[int, tuple[int, ...]]] = {}  # its first deck, all places

    def dealt(self, count: int) -> None:
        """Decks dealt in the middle of a round."""
        self._places += range(self._listed, self._listed + count)
        self._listed += count

    def opened(self, number: int, count: int) -> None:
        begin = len(self._places)
        self.dealt(count)
        self._openings[number] = begin, tuple(self._places)

    def reopened(
        self, number: int, moved: RedealtPositions
    ) -> tuple[RedealtPositions, tuple[int, ...]]:
        """The positions dealt again, by their places in the record, and the decks listed again.

        The latter are numbered as in the history that stands.
        """
        begin, lay = self._openings[number]
        self._places = list(lay)
        again = relisted(moved, begin, len(lay))
        where = tuple((self._places[deck], positions) for deck, positions in moved)
        for deck in again:
            self._places[deck] = self._listed
            self._listed += 1
        self._openings = {n: was for n, was in self._openings.items() if n < number}
        self._openings[number] = begin, tuple(self._places)
        return where, again


def relisted(moved: RedealtPositions, begin: int, end: int) -> tuple[int, ...]:
    """The decks that a roll-back lists again; the round's opening has those from begin to end."""
    return tuple(sorted({deck for deck, _ in moved} | set(range(begin, end))))
