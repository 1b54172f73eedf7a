"""Reads of leagues: what there is, one division as its reader may see it, the reader's own weeks.

Places and points of everybody are shown, names only of those whom the reader may see: so a list
of strangers names nobody who hides their profile, and nobody who has blocked the reader.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count, Max
from django.utils import timezone

from accounts.models import User
from accounts.social.selectors import people_seen_by
from cardroom.rules import catalog
from cardroom.rules.text import say
from games.leagues.counting import Counted, counted
from games.leagues.models import Line, Membership, Week
from games.leagues.refusals import NoSuchLeague
from games.leagues.tiers import STAYS
from games.leagues.weeks import beginning_of, end_of, monday_of
from games.ratings.boards import rated_games

HISTORY: Final = 12  # weeks


class Division(NamedTuple):
    tier: int
    number: int
    players: int


class Tier(NamedTuple):
    number: int
    divisions: int
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
    tiers: list[Tier]
    division: Division
    rows: list[Row]

    @property
    def begins_at(self) -> datetime:
        return beginning_of(self.monday)

    @property
    def ends_at(self) -> datetime:
        return end_of(self.monday)

    @property
    def players(self) -> int:
        return sum(tier.players for tier in self.tiers)

    @property
    def divisions(self) -> int:
        """Of the tier that is shown."""
        return next((one.divisions for one in self.tiers if one.number == self.division.tier), 1)

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
    tiers = _tiers(week)
    named = _chosen(week, tiers, reader, tier, number)
    lines = list(week.lines.filter(tier=named[0], division=named[1]))
    return Sheet(
        game=game,
        monday=week.monday,
        is_over=week.monday < this_monday(),
        is_closed=week.closed_at is not None,
        tiers=tiers,
        division=Division(*named, len(lines)),
        rows=_rows(week, lines, sum(one.players for one in tiers), reader),
    )


def summaries(reader: UUID | None) -> list[Summary]:
    """Of each game that is rated."""
    return [_summary(game.slug, reader) for game in rated_games()]


def _summary(game: str, reader: UUID | None) -> Summary:
    sheet = sheet_of(game, reader=reader)
    own = sheet.own
    return Summary(
        game=game,
        monday=sheet.monday,
        players=sheet.players,
        tiers=len(sheet.tiers),
        is_member=is_member(reader, game),
        division=sheet.division if own else None,
        own=own,
    )


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


def _tiers(week: Week) -> list[Tier]:
    rows = week.lines.order_by("tier").values_list("tier")
    return [Tier(*row) for row in rows.annotate(Max("division"), Count("id"))]


def _chosen(
    week: Week, tiers: Sequence[Tier], reader: UUID | None, tier: int | None, number: int | None
) -> tuple[int, int]:
    if tier is None and number is None:
        own = week.lines.filter(account=reader).first() if reader else None
        if own is not None:
            return own.tier, own.division
    wanted = 1 if tier is None else tier, 1 if number is None else number
    sizes = {one.number: one.divisions for one in tiers}
    if wanted == (1, 1) or 1 <= wanted[1] <= sizes.get(wanted[0], 0):
        return wanted
    raise NoSuchLeague


def _rows(week: Week, lines: list[Line], players: int, reader: UUID | None) -> list[Row]:
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
