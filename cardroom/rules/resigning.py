"""What resigning does to a match (FORMAT.md §2, Resigning): the rules' states know nothing of it.

A side has resigned when every seat of it has. The service keeps the seats that resigned in the
order they did so; here is what follows from that, for the service and for checking records alike.
"""

from collections.abc import Sequence
from typing import Any

from cardroom.rules.errors import MATCH_OVER, IllegalMove, NotYourTurn
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Outcome, Seat

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
    """What sides are ordered by, best first: those who stayed by their place, then the others."""
    if number in gone:
        return (True, -gone.index(number))
    return (False, natural.places[side[0]] if natural else 0)


def _by_seat(sides: Sides, place: Sequence[int]) -> tuple[int, ...]:
    of_seat = {seat: at for side, at in zip(sides, place, strict=True) for seat in side}
    return tuple(of_seat[seat] for seat in sorted(of_seat))
