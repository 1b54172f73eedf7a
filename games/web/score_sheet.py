"""The score sheet of a match: a column for each side, a row for each round, which is a save."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from games.matches.models import Round
from games.web.table_page import TablePage

MOST_COLUMNS: Final = 2


@dataclass(frozen=True)
class ScoreRow:
    """``scores`` is ``None`` while the round is being played."""

    number: int
    scores: list[int] | None
    is_running: bool


@dataclass(frozen=True)
class SideRow:
    """A side of the sheet turned round; ``scores`` newest first."""

    name: str
    total: int
    scores: list[int | None]


@dataclass(frozen=True)
class Sheet:
    """``can_load``: the viewer played; ``can_load_same``: and no other person did."""

    sides: list[str]
    rows: list[ScoreRow]
    totals: list[int]
    can_load: bool
    can_load_same: bool

    @property
    def newest_first(self) -> list[ScoreRow]:
        return self.rows[::-1]

    @property
    def is_wide(self) -> bool:
        """So many sides that each gets a row instead of a column."""
        return len(self.sides) > MOST_COLUMNS

    @property
    def side_rows(self) -> list[SideRow]:
        return [
            SideRow(
                name, total, [row.scores[at] if row.scores else None for row in self.newest_first]
            )
            for at, (name, total) in enumerate(zip(self.sides, self.totals, strict=True))
        ]


def _row(page: TablePage, round_: Round) -> ScoreRow:
    """A round as it stood at the page's version: it may be closed by now."""
    is_running = round_.number == page.match.round and not page.match.is_over
    return ScoreRow(round_.number, None if is_running else round_.scores, is_running)


def sheet(page: TablePage) -> Sheet:
    match = page.match
    rows = [_row(page, round_) for round_ in sorted(page.rounds, key=attrgetter("number"))]
    return Sheet(
        sides=[" & ".join(match.names[seat] for seat in side) for side in match.sides],
        rows=rows,
        totals=[match.seats[side[0]].points for side in match.sides],
        can_load=bool(page.own_seats) and bool(rows),
        can_load_same=bool(page.own_seats) and page.is_solo,
    )
