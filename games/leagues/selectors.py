"""Every read of leagues: lines as counted, results of matches, titles; and the refusals.

Places and points of everybody are shown, names only of those whom the reader may see: so a list
of strangers names nobody who hides their profile, and nobody who has blocked the reader.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Count, Exists, Max, OuterRef, Prefetch, QuerySet
from django.utils import timezone

from accounts.social.selectors import people_seen_by
from cardroom.rules import catalog
from cardroom.rules.text import say
from config.postgres.together import Part, once
from config.refusals import NotAllowed, NotFound
from games.leagues import rules
from games.leagues.models import Line, Membership, Week
from games.matches.models import Match, Seat
from games.people.profiles import Title
from games.ratings.folding import facts_of
from games.ratings.models import RatedMatch, RatedSeat
from games.ratings.scale import PEOPLE, boards_of, rated_games

# The matches that count: public rated matches of people, of a game, that ended in a time.


class Span(NamedTuple):
    """``judged_at``: a match that was annulled later still counts; ``None``: no annulled one."""

    boards: list[str]
    begins: datetime
    ends: datetime
    judged_at: datetime | None


def span_of(week: Week) -> Span:
    boards = [str(one) for one in boards_of(catalog.find(week.game)) if one.opponents == PEOPLE]
    return Span(boards, rules.beginning_of(week.monday), rules.end_of(week.monday), week.closed_at)


def played_in(week: Week, accounts: Collection[UUID] | None = None) -> list[rules.Played]:
    """The matches of these accounts, or of everybody, in the order of their ends."""
    span = span_of(week)
    return sorted([*_rated(span, accounts), *_annulled_later(span, accounts)])


def _rated(span: Span, accounts: Collection[UUID] | None) -> Iterator[rules.Played]:
    seats = RatedSeat.objects.filter(
        board__in=span.boards,
        at__gte=span.begins,
        at__lt=span.ends,
        rated_match__annulled_at=None,
        rated_match__match__visibility=Match.Visibility.PUBLIC,
    )
    if accounts is not None:
        own = seats.filter(account__in=list(accounts)).values("rated_match")
        seats = RatedSeat.objects.filter(rated_match__in=own)
    rows = seats.order_by("at", "rated_match", "seat")
    seats_of: dict[UUID, tuple[datetime, list[rules.Seated]]] = {}
    columns = ("rated_match_id", "at", "account_id", "side", "place")
    for match, at, account, side, place in rows.values_list(*columns):
        seats_of.setdefault(match, (at, []))[1].append(rules.Seated(account, side, place))
    for match, (at, seated) in seats_of.items():
        yield rules.Played(at, match, tuple(seated))


def _annulled_later(span: Span, accounts: Collection[UUID] | None) -> Iterator[rules.Played]:
    """Their rated seats are gone; their matches are as they ended."""
    if span.judged_at is None:
        return
    rated = RatedMatch.objects.filter(
        board__in=span.boards, at__gte=span.begins, at__lt=span.ends, annulled_at__gt=span.judged_at
    )
    for facts in facts_of(_matches(rated)):
        seated = [(seat.account, seat.side, seat.place) for seat in facts.seats]
        seats = tuple(
            rules.Seated(who, side, place) for who, side, place in seated if who is not None
        )
        if accounts is None or any(seat.account in accounts for seat in seats):
            yield rules.Played(facts.at, facts.match_id, seats)


def _matches(rated: QuerySet[RatedMatch]) -> QuerySet[Match]:
    seats = Seat.objects.select_related("user").order_by("index")
    rows = Match.objects.filter(
        id__in=rated.values("match"), visibility=Match.Visibility.PUBLIC
    ).defer("state", "loaded")
    return rows.prefetch_related(Prefetch("seats", seats))


# The standings of a week's divisions, counted from its matches.


class Counted(NamedTuple):
    """The result of a week for a line."""

    line: Line
    points: int
    matches: int
    place: int
    move: str


def counted(week: Week, lines: Collection[Line], players: int) -> list[Counted]:
    """By division and place; ``players`` are those of the whole week, of whom these are some."""
    some = None if len(lines) == players else {line.account_id for line in lines}
    matches = _by_account(played_in(week, some))
    lowest = rules.tiers_for(players)
    ordered = sorted(lines, key=lambda line: (line.tier, line.division, line.slot))
    return [
        each
        for (tier, _), group in groupby(ordered, key=lambda line: (line.tier, line.division))
        for each in _division(tier, list(group), matches, lowest)
    ]


def _by_account(matches: Iterable[rules.Played]) -> dict[UUID, list[rules.Played]]:
    by_account: dict[UUID, list[rules.Played]] = {}
    for match in matches:
        for seat in match.seats:
            by_account.setdefault(seat.account, []).append(match)
    return by_account


def _division(
    tier: int, lines: Sequence[Line], matches: dict[UUID, list[rules.Played]], lowest: int
) -> list[Counted]:
    by_slot = {line.slot: line for line in lines}
    order = rules.ranked(
        rules.Standing(
            line.account_id,
            line.slot,
            rules.score_of(line.account_id, matches.get(line.account_id, ()), line.since),
        )
        for line in lines
    )
    going = rules.moves(order, tier, lowest)
    return [
        Counted(by_slot[one.slot], *one.score, place, move)
        for place, (one, move) in enumerate(zip(order, going, strict=True), start=1)
    ]


# Why somebody cannot play in a league.


class NoSuchLeague(NotFound):
    """There is no such league, week or division."""


class CannotJoinLeague(NotAllowed):
    """Leagues are for people with an account. Sign up to play in one."""


Move = Literal["up", "stays", "down"]
HISTORY: Final = 12  # weeks


class Division(msgspec.Struct, frozen=True):
    tier: int
    division: int
    players: int


class Tier(msgspec.Struct, frozen=True):
    """Tier 1 is the top; its divisions are numbered from 1 on."""

    tier: int
    divisions: int
    players: int


class LeagueLine(msgspec.Struct, frozen=True):
    """``username`` is null where you may not see who it is.

    ``move``: where it leads, a tier up or down; in a running week, if it ended now.
    """

    place: int
    username: str | None
    display_name: str | None
    points: int
    matches: int
    move: Move
    you: bool


class Sheet(NamedTuple):
    """A division of a week. ``week`` is null while nobody plays in the league."""

    game: str
    monday: date
    is_over: bool
    is_closed: bool
    tiers: list[Tier]
    division: Division
    rows: list[LeagueLine]

    @property
    def begins_at(self) -> datetime:
        return rules.beginning_of(self.monday)

    @property
    def ends_at(self) -> datetime:
        return rules.end_of(self.monday)

    @property
    def players(self) -> int:
        return sum(tier.players for tier in self.tiers)

    @property
    def divisions(self) -> int:
        """Of the tier that is shown."""
        return next((one.divisions for one in self.tiers if one.tier == self.division.tier), 1)

    @property
    def own(self) -> LeagueLine | None:
        return next((row for row in self.rows if row.you), None)


class Summary(NamedTuple):
    """A league in a line of the list, with the reader's own place."""

    game: str
    monday: date
    players: int
    tiers: int
    is_member: bool
    division: Division | None
    own: LeagueLine | None

    @property
    def ends_at(self) -> datetime:
        return rules.end_of(self.monday)


def check_league(game: str) -> None:
    """Raises ``NoSuchLeague``, for a game of luck with the reason."""
    try:
        rules = catalog.find(game)
    except KeyError:
        raise NoSuchLeague from None
    if rules.is_luck:
        raise NoSuchLeague(say("{game} is luck alone, so it has no league.", game=rules.name))


def this_monday() -> date:
    return rules.monday_of(timezone.now())


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
    rows = week.lines.order_by("tier").values_list("tier")
    tiers = [Tier(*row) for row in rows.annotate(Max("division"), Count("id"))]
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


def _chosen(
    week: Week, tiers: Sequence[Tier], reader: UUID | None, tier: int | None, number: int | None
) -> tuple[int, int]:
    if tier is None and number is None:
        own = week.lines.filter(account=reader).first() if reader else None
        if own is not None:
            return own.tier, own.division
    wanted = 1 if tier is None else tier, 1 if number is None else number
    sizes = {one.tier: one.divisions for one in tiers}
    if wanted == (1, 1) or 1 <= wanted[1] <= sizes.get(wanted[0], 0):
        return wanted
    raise NoSuchLeague


def _rows(week: Week, lines: list[Line], players: int, reader: UUID | None) -> list[LeagueLine]:
    results = _stored(lines) if week.closed_at else counted(week, lines, players)
    ids = [line.account_id for line in lines]
    seen = {one.pk: one for one in people_seen_by(reader).filter(pk__in=ids)}
    return [
        LeagueLine(
            each.place,
            person.username if person else None,
            person.display_name if person else None,
            each.points,
            each.matches,
            each.move,  # type: ignore[arg-type]
            each.line.account_id == reader,
        )
        for each in results
        for person in [seen.get(each.line.account_id)]
    ]


def _stored(lines: Sequence[Line]) -> list[Counted]:
    results = [
        Counted(
            line, line.points or 0, line.matches or 0, line.place or 0, line.move or rules.STAYS
        )
        for line in lines
    ]
    return sorted(results, key=lambda one: one.place)


# The title of players who have won the top tier of a league in a week.

LEAST: Final = 8  # players of the division, or it says little


def titles_of(account: UUID) -> Part:
    """One of each game."""
    return Part((_won(account),), _titles)


@once
def _won(account: UUID) -> QuerySet[Line, Any]:
    """Slots of a division have no gaps, so one of them tells its size."""
    enough = Line.objects.filter(
        week=OuterRef("week"), tier=1, division=OuterRef("division"), slot=LEAST - 1
    )
    won = Line.objects.filter(Exists(enough), account=account, place=1, tier=1, points__gt=0)
    return won.order_by().values("week__game")


def _titles(rows: Sequence[dict[str, str]]) -> list[Title]:
    games = {row["week__game"] for row in rows}
    return [
        Title("league", game.slug, say("Winner of a week in the {game} league", game=game.name))
        for game in catalog.GAMES
        if game.slug in games
    ]
