"""The score sheet of a match: a column a side, a line a round; every line is a save."""

from dataclasses import dataclass

from games.web.table_page import Board


@dataclass(frozen=True)
class Line:
    """``scores`` is ``None`` while the round is being played."""

    number: int
    scores: list[int] | None
    is_running: bool


@dataclass(frozen=True)
class Sheet:
    """``can_load`` for who played; ``can_load_same`` for who played without other people."""

    sides: list[str]
    lines: list[Line]
    totals: list[int]
    can_load: bool
    can_load_same: bool

    @property
    def newest_first(self) -> list[Line]:
        return self.lines[::-1]


def sheet(board: Board) -> Sheet:
    match = board.match
    lines = [
        Line(
            number=row.number,
            scores=row.scores,
            is_running=row.number == match.round and not match.is_over,
        )
        for row in sorted(board.rounds, key=lambda row: row.number)
    ]
    return Sheet(
        sides=[" & ".join(match.names[seat] for seat in side) for side in match.sides],
        lines=lines,
        totals=[match.seats[side[0]].points for side in match.sides],
        can_load=bool(board.own) and bool(lines),
        can_load_same=bool(board.own) and board.is_solo,
    )
