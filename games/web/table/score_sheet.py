"""The score sheet of a match: a column for each side, a row for each round, which is a save."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.utils.translation import gettext as _

from games.matches.models import Round
from games.web.parts.round_words import RoundWords, words_for
from games.web.parts.table_page import SeatPanel, TablePage
from games.web.parts.words import joined

MOST_COLUMNS: Final = 2


@dataclass(frozen=True)
class ScoreRow:
    """``scores`` is ``None`` while the round is being played."""

    number: int
    scores: list[int] | None
    is_running: bool


@dataclass(frozen=True)
class SideRow:
    """A side of the sheet; ``last`` is what it made of the last round that is over.

    ``total`` is ``None`` while nobody has a place yet.
    """

    panels: list[SeatPanel]
    total: int | None
    last: int | None

    @property
    def name(self) -> str:
        return joined([panel.name for panel in self.panels])


@dataclass(frozen=True)
class Sheet:
    """``can_load``: the viewer played; ``can_load_same``: and no other person did."""

    side_rows: list[SideRow]
    rows: list[ScoreRow]
    words: RoundWords
    points_are_places: bool
    can_load: bool
    can_load_same: bool

    @property
    def sides(self) -> list[str]:
        return [side.name for side in self.side_rows]

    @property
    def totals(self) -> list[int | None]:
        return [side.total for side in self.side_rows]

    @property
    def newest_first(self) -> list[ScoreRow]:
        return self.rows[::-1]

    @property
    def closed(self) -> list[ScoreRow]:
        """The rounds that are over, newest first."""
        return [row for row in self.newest_first if row.scores]

    @property
    def round_name(self) -> str:
        return str(self.words.name)

    @property
    def every_round(self) -> str:
        return str(self.words.every)

    @property
    def total_name(self) -> str:
        """What the numbers add up: points, or places, of which few are good."""
        return _("Places") if self.points_are_places else _("Total")

    @property
    def is_wide(self) -> bool:
        """Each side gets a row instead of a column."""
        return len(self.side_rows) > MOST_COLUMNS or self.points_are_places

    @property
    def has_rounds(self) -> bool:
        """A match may have more than one round."""
        return bool(self.words.numbered)


def _row(page: TablePage, round_: Round) -> ScoreRow:
    """A round as it stood at the page's version: it may be closed by now."""
    is_running = round_.number == page.match.round and not page.match.is_over
    return ScoreRow(round_.number, None if is_running else round_.scores, is_running)


def sheet(page: TablePage) -> Sheet:
    match = page.match
    rows = [_row(page, round_) for round_ in sorted(page.rounds, key=attrgetter("number"))]
    places = match.rules.points_are_places
    last: list[int] | None = next((row.scores for row in rows[::-1] if row.scores), None)
    return Sheet(
        side_rows=[
            SideRow(
                panels=[page.seat_panels[seat] for seat in side],
                total=match.seats[side[0]].points or (None if places else 0),
                last=last[at] if last else None,
            )
            for at, side in enumerate(match.sides)
        ],
        rows=rows,
        words=words_for(match.game),
        points_are_places=places,
        can_load=bool(page.own_seats) and bool(rows),
        can_load_same=bool(page.own_seats) and page.is_solo,
    )
