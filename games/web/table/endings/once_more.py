"""What a table that is over says of another match, and any table of the series it belongs to."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from games.lobby.rematches.series import Series, series_of
from games.lobby.rematches.standing import Standing, standing_of
from games.matches.models import Match
from games.web.parts.table_page import TablePage
from games.web.parts.words import joined


@dataclass(frozen=True)
class OnceMore:
    """The rematch of the match shown, as its reader learns of it: empty where there is none."""

    page: TablePage

    @cached_property
    def standing(self) -> Standing | None:
        standing = standing_of(self.page.match, self.page.user)
        plays = bool(self.page.own_seats)
        return standing if standing and (plays or standing.status == Match.Status.ACTIVE) else None

    @property
    def tag(self) -> str:
        """Names what is shown."""
        if self.standing is None:
            return ""
        seats = (self.standing.wants, self.standing.awaited, self.standing.declined)
        by_seat = ".".join("".join(map(str, each)) for each in seats)
        return f"{self.standing.match.hex}{self.standing.status[0]}{by_seat}"

    @property
    def is_asked(self) -> bool:
        """The reader is to say whether they want another."""
        return self._is_open and self._is_among(self._standing.awaited)

    @property
    def has_asked(self) -> bool:
        return self._is_open and self._is_among(self._standing.wants)

    @property
    def is_running(self) -> bool:
        return self.standing is not None and self.standing.status == Match.Status.ACTIVE

    @property
    def wanting(self) -> str:
        """The others who want another."""
        return self._names(self.standing.wants) if self.standing else ""

    @property
    def several_want(self) -> bool:
        return self.standing is not None and len(self.standing.wants) > 1

    @property
    def awaited(self) -> str:
        return self._names(self.standing.awaited) if self.standing else ""

    @property
    def declined(self) -> str:
        """The others who want no other one, while that is the newest word on it."""
        return self._names(self.standing.declined) if self.standing else ""

    @property
    def _standing(self) -> Standing:
        assert self.standing is not None  # noqa: S101 - asked after `_is_open`
        return self.standing

    @property
    def _is_open(self) -> bool:
        return self.standing is not None and self.standing.is_open

    def _is_among(self, seats: Iterable[int]) -> bool:
        return bool({*self.page.own_seats} & {*seats})

    def _names(self, seats: Iterable[int]) -> str:
        others = [seat for seat in seats if seat not in self.page.own_seats]
        return joined([self.page.seat_panels[seat].name for seat in others])


@dataclass(frozen=True)
class SeriesScore:
    """*2 : 1* for two sides, the reader's first; among more each name with its wins."""

    page: TablePage
    series: Series

    @property
    def sides(self) -> list[tuple[str, int]]:
        own = {*self.page.own_seats}
        sides = sorted(self.page.match.sides, key=lambda side: not own & {*side})
        return [(self._name(side), self.series.wins[side[0]]) for side in sides]

    @property
    def score(self) -> str:
        return " : ".join(str(won) for _, won in self.sides)

    def _name(self, side: tuple[int, ...]) -> str:
        return joined([self.page.seat_panels[seat].name for seat in side])


def series_score(page: TablePage) -> SeriesScore | None:
    """Once a second match is wanted: one match alone is no series."""
    series = series_of(page.match)
    return SeriesScore(page, series) if series else None
