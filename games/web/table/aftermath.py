"""The surroundings of a match that is over: another one, changed ratings, the mirrored set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from games.lobby.rematches import Series, Standing, series_of, standing_of
from games.matches.models import Match
from games.matches.snapshot import MatchSnapshot
from games.mirrored.results import PairResult, SetResult
from games.mirrored.results import Standing as MirroredStanding
from games.mirrored.results import standing_of as mirrored_standing_of
from games.ratings.people import RatingChange, at_table, changes_of
from games.web.parts.headline import joined
from games.web.parts.table_page import TablePage


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
    def goes_on(self) -> UUID | None:
        """The match that the reader plays next: a page that waited for it opens it."""
        return self._standing.match if self.is_running and self.page.own_seats else None

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
        return [
            (joined([self.page.seat_panels[seat].name for seat in side]), self.series.wins[side[0]])
            for side in sides
        ]

    @property
    def score(self) -> str:
        return " : ".join(str(won) for _, won in self.sides)


def series_score(page: TablePage) -> SeriesScore | None:
    """Once a second match is wanted: one match alone is no series."""
    series = series_of(page.match)
    return SeriesScore(page, series) if series else None


# Changes that a rated match made to the ratings of those who played it, beside its result.

WAITED_FOR: Final = timedelta(seconds=60)  # the worker that rates is behind, or there is none


@dataclass(frozen=True)
class ChangeLine:
    name: str
    change: RatingChange
    is_own: bool


@dataclass(frozen=True)
class RatingChanges:
    """``is_waiting``: they are computed a moment after the end, and a page asks for them again."""

    match_id: UUID
    lines: list[ChangeLine]
    is_waiting: bool


def rating_changes(match: MatchSnapshot, reader: UUID | None) -> RatingChanges | None:
    if match.status != "finished" or not match.rated:
        return None
    own, changes = match.seats_of(reader), at_table(changes_of(match.id), match.seats)
    if match.is_mirrored and not changes:
        return None  # the whole set is rated, at its last match
    lines = [ChangeLine(match.names[one.seat], one, one.seat in own) for one in changes]
    lines.sort(key=lambda line: (not line.is_own, -line.change.by))
    is_new = match.updated_at > timezone.now() - WAITED_FOR
    has_people = any(seat.user_id is not None for seat in match.seats)
    return RatingChanges(match.id, lines, not lines and is_new and has_people)


# The set of a mirrored table: which match this is, what follows, skill and luck.


@dataclass(frozen=True)
class PairLine:
    """A pair as one side sees it; ``matches`` are those of its margins."""

    pair: PairResult
    sign: int

    @property
    def matches(self) -> list[tuple[UUID, str]]:
        return [(each.match_id, signed(self.sign * each.margin)) for each in self.pair]

    @property
    def skill(self) -> str:
        return signed(self.sign * self.pair.skill)

    @property
    def luck(self) -> int:
        return abs(self.pair.luck)


@dataclass(frozen=True)
class MirroredSetPanel:
    """For one reader, who sees it from their own side; spectators see it from the first."""

    match: MatchSnapshot
    standing: MirroredStanding

    @property
    def side(self) -> int:
        return self.standing.own_side or 0

    @property
    def sides(self) -> Sequence[str]:
        """The names on both, the reader's first."""
        names = [joined(side) for side in self.standing.sides]
        return names[::-1] if self.side else names

    @property
    def lines(self) -> list[PairLine]:
        sign = -1 if self.side else 1
        return [PairLine(pair, sign) for pair in self._result.pairs]

    @property
    def title(self) -> str:
        """*You won the set, 2 : 1*."""
        won = self._result.won[::-1] if self.side else self._result.won
        values = {"own": won[0], "other": won[1], "name": self._winner}
        if self._result.winner is None:
            return _("The set is a draw, %(own)d : %(other)d") % values
        if self.standing.own_side is None:
            return _("%(name)s won the set, %(own)d : %(other)d") % values
        if self._result.winner == self.side:
            return _("You won the set, %(own)d : %(other)d") % values
        return _("You lost the set, %(own)d : %(other)d") % values

    @property
    def skill(self) -> str:
        return signed(-self._result.skill if self.side else self._result.skill)

    @property
    def luck(self) -> int:
        return self._result.luck

    @property
    def is_last(self) -> bool:
        return self.standing.number == self.standing.matches

    @property
    def _winner(self) -> str:
        winner = self._result.winner
        return "" if winner is None else joined(self.standing.sides[winner])

    @property
    def _result(self) -> SetResult:
        return self.standing.result or SetResult([])


def signed(number: int) -> str:
    """*+12*, *−8*, *0*."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def mirrored_panel(match: MatchSnapshot, reader: UUID | None) -> MirroredSetPanel:
    """Of a match with ``is_mirrored``."""
    return MirroredSetPanel(match, mirrored_standing_of(match.id, reader, _))
