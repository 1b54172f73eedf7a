"""Reads of leagues: what there is, one division as its reader may see it, the reader's own weeks.

Places and points of everybody are shown, names only of those whom the reader may see: so a list
of strangers names nobody who hides their profile, and nobody who has blocked the reader.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from accounts.social.selectors import people_seen_by
from games.leagues.counting import Counted, counted
from games.leagues.models import Line, Membership, Week
from games.leagues.refusals import NoSuchLeague
from games.leagues.tiers import STAYS
from games.leagues.weeks import beginning_of, end_of, monday_of
from games.ratings.boards import rated_games
from games.rules import catalog
from games.rules.text import say

HISTORY: Final = 12  # weeks


class Division(NamedTuple):
    tier: int
    number: int
    players: int


class Row(NamedTuple):
    """``person`` is null where the reader may not see it. ``move``: if the week ended now."""

    place: int
    person: User | None
    points: int
    matches: int
    move: str
    is_you: bool


class Sheet(NamedTuple):
    """A division of a week. ``week`` is null while nobody plays in the league."""

    game: str
    monday: date
    is_over: bool
    is_closed: bool
    divisions: list[Division]
    division: Division
    rows: list[Row]

    @property
    def begins_at(self) -> datetime:
        return beginning_of(self.monday)

    @property
    def ends_at(self) -> datetime:
        return end_of(self.monday)

    @property
    def own(self) -> Row | None:
        return next((row for row in self.rows if row.is_you), None)


class Summary(NamedTuple):
    """A league in a line of the list, with the reader's own place."""

    game: str
    monday: date
    players: int
    tiers: int
    is_member: bool
    division: Division | None
    own: Row | None

    @property
    def ends_at(self) -> datetime:
        return end_of(self.monday)


def check_league(game: str) -> None:
    """Raises ``NoSuchLeague``, for a game of luck with the reason."""
    try:
        rules = catalog.find(game)
    except KeyError:
        raise NoSuchLeague from None
    if rules.is_luck:
        raise NoSuchLeague(say("{game} is luck alone, so it has no league.", game=rules.name))


def this_monday() -> date:
    return monday_of(timezone.now())


def is_member(account: UUID | None, game: str) -> bool:
    return account is not None and Membership.objects.filter(account=account, game=game).exists()


def sheet_of(
    game: str,
    *,
    reader: UUID | None,
    monday: date | None = None,
    tier: int | None = None,
    number: int | None = None,
) -> Sheet:
    """The division that is named, or else the reader's own or the first of the top tier."""
    check_league(game)
    week = _week(game, monday)
    if week is None:
        if monday not in (None, this_monday()) or tier is not None or number is not None:
            raise NoSuchLeague
        first = Division(1, 1, 0)
        return Sheet(game, this_monday(), False, False, [], first, [])
    divisions = _divisions(week)
    division = _chosen(week, divisions, reader, tier, number)
    return Sheet(
        game=game,
        monday=week.monday,
        is_over=week.monday < this_monday(),
        is_closed=week.closed_at is not None,
        divisions=divisions,
        division=division,
        rows=_rows(week, division, sum(one.players for one in divisions), reader),
    )


def summaries(reader: UUID | None) -> list[Summary]:
    """Of each game that is rated."""
    return [_summary(game.slug, reader) for game in rated_games()]


def _summary(game: str, reader: UUID | None) -> Summary:
    sheet = sheet_of(game, reader=reader)
    players = sum(one.players for one in sheet.divisions)
    tiers = len({one.tier for one in sheet.divisions})
    own = sheet.own
    division = sheet.division if own else None
    return Summary(game, sheet.monday, players, tiers, is_member(reader, game), division, own)


def own_weeks(account: UUID, game: str) -> Sequence[Line]:
    """The last closed ones, the newest first."""
    lines = Line.objects.filter(account=account, week__game=game, week__closed_at__isnull=False)
    return list(lines.select_related("week").order_by("-week__monday")[:HISTORY])


def neighbours(sheet: Sheet) -> tuple[date | None, date | None]:
    """The weeks before and after that there were."""
    weeks = Week.objects.filter(game=sheet.game).order_by("monday").values_list("monday", flat=True)
    return weeks.filter(monday__lt=sheet.monday).last(), weeks.filter(
        monday__gt=sheet.monday
    ).first()


def _week(game: str, monday: date | None) -> Week | None:
    """The newest one that there is: last week's, for a moment, until the beat has closed it."""
    weeks = Week.objects.filter(game=game)
    if monday is not None:
        return weeks.filter(monday=monday).first()
    running = weeks.filter(closed_at=None).first()
    return running or weeks.filter(monday=this_monday()).first()


def _divisions(week: Week) -> list[Division]:
    rows = week.lines.order_by("tier", "division").values_list("tier", "division")
    return [Division(*row) for row in rows.annotate(players=Count("id"))]


def _chosen(
    week: Week,
    divisions: Sequence[Division],
    reader: UUID | None,
    tier: int | None,
    number: int | None,
) -> Division:
    if tier is None and number is None:
        own = week.lines.filter(account=reader).first() if reader else None
        tier, number = (own.tier, own.division) if own else (1, 1)
    wanted = 1 if tier is None else tier, 1 if number is None else number
    for one in divisions:
        if (one.tier, one.number) == wanted:
            return one
    if not divisions or wanted == (1, 1):
        return divisions[0] if divisions else Division(1, 1, 0)
    raise NoSuchLeague


def _rows(week: Week, division: Division, players: int, reader: UUID | None) -> list[Row]:
    lines = list(week.lines.filter(tier=division.tier, division=division.number))
    results = _stored(lines) if week.closed_at else counted(week, lines, players)
    ids = [line.account_id for line in lines]
    seen = {one.pk: one for one in people_seen_by(reader).filter(pk__in=ids)}
    return [
        Row(
            each.place,
            seen.get(each.line.account_id),
            each.points,
            each.matches,
            each.move,
            each.line.account_id == reader,
        )
        for each in results
    ]


def _stored(lines: Sequence[Line]) -> list[Counted]:
    results = [
        Counted(line, line.points or 0, line.matches or 0, line.place or 0, line.move or STAYS)
        for line in lines
    ]
    return sorted(results, key=lambda one: one.place)
