"""Joining a league, and the division that one is placed in."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Max
from django.utils import timezone

from accounts.locking import check_may_play, locked_accounts
from accounts.models import User
from games.leagues.models import Line, Membership, Week
from games.leagues.rules import (
    Ended,
    arranged,
    beginning_of,
    division_of_newcomer,
    end_of,
    monday_of,
    next_tier,
    tier_of_newcomer,
    tiers_for,
)
from games.leagues.selectors import CannotJoinLeague, check_league
from games.ratings.people import standings_of
from games.ratings.scale import PEOPLE

# Putting people into the divisions of a week. Call it with the week locked.

_MEDIANS: Final = """
SELECT tier, percentile_cont(0.5) WITHIN GROUP (ORDER BY rating) FROM leagues_line
WHERE week_id = %s AND rating IS NOT NULL GROUP BY tier
"""


def ended(line: Line) -> Ended:
    return Ended(line.account_id, line.tier, line.points or 0, line.move)


def carry_over(week: Week, members: Iterable[UUID], before: Week) -> None:
    """Those who played the week before, by how it ended for them."""
    there = set(members)
    lines = {line.account_id: line for line in before.lines.all() if line.account_id in there}
    since = beginning_of(week.monday)
    Line.objects.bulk_create(
        Line(
            week=week,
            account_id=at.account,
            tier=at.tier,
            division=at.division,
            slot=at.slot,
            since=since,
            rating=lines[at.account].rating,
            earlier=lines[at.account],
        )
        for at in arranged(map(ended, lines.values()))
    )


def place_newcomers(week: Week) -> None:
    """Members without a line, who had joined by its end, in the order in which they came."""
    members = Membership.objects.filter(
        game=week.game, joined_at__lt=end_of(week.monday), account__is_active=True
    )
    placed = week.lines.values("account")
    for member in members.exclude(account__in=placed).order_by("joined_at", "id"):
        place(week, member)


def place(week: Week, member: Membership) -> None:
    rating = settled_rating(member.account_id, week.game)
    tier = _tier(week, member, rating)
    lines = Line.objects.filter(week=week, tier=tier)
    sizes = dict(lines.order_by().values_list("division").annotate(Count("id")))
    division = division_of_newcomer(sizes)
    last = lines.filter(division=division).aggregate(slot=Max("slot"))["slot"]
    Line.objects.create(
        week=week,
        account_id=member.account_id,
        tier=tier,
        division=division,
        slot=0 if last is None else last + 1,
        since=max(beginning_of(week.monday), member.joined_at),
        rating=rating,
    )


def settled_rating(account: UUID, game: str) -> float | None:
    """The most certain one against people, whatever the pace; ``None`` while none is certain."""
    known = [
        one
        for one in standings_of(account)
        if one.board.game == game and one.board.opponents == PEOPLE and not one.provisional
    ]
    return min(known, key=lambda one: one.deviation).rating if known else None


def _tier(week: Week, member: Membership, rating: float | None) -> int:
    """Where they were when they last played, or by their rating."""
    lowest = tiers_for(Line.objects.filter(week=week).count() + 1)
    closed = Line.objects.filter(account=member.account_id, week__game=week.game).exclude(move="")
    last = closed.order_by("-week__monday").first()
    if last is not None:
        return next_tier(ended(last), lowest)
    return tier_of_newcomer(rating, {} if rating is None else _medians(week), lowest)


def _medians(week: Week) -> dict[int, float]:
    with connection.cursor() as cursor:
        cursor.execute(_MEDIANS, [week.pk])
        return dict(cursor.fetchall())


def join(*, user: User, game: str) -> None:
    """From now on; again is no error. Raises ``NoSuchLeague`` and ``CannotJoinLeague``."""
    check_league(game)
    if user.is_guest:
        raise CannotJoinLeague
    if user.is_bot:
        raise CannotJoinLeague("Leagues are for people.")
    with locked_accounts(user.pk):
        check_may_play(user.pk)
        now = timezone.now()
        member, _ = Membership.objects.get_or_create(
            account=user, game=game, defaults={"joined_at": now}
        )
        week = _running(game)
        if week is not None and not Line.objects.filter(week=week, account=user).exists():
            place(week, member)


def _running(game: str) -> Week | None:
    """The week of now, locked. None while an earlier one is not closed: the beat places them."""
    monday = monday_of(timezone.now())
    earlier = Week.objects.filter(game=game, closed_at=None, monday__lt=monday)
    if earlier.exists():
        return None
    week, _ = Week.objects.get_or_create(game=game, monday=monday)
    return Week.objects.select_for_update().get(pk=week.pk)


@transaction.atomic
def leave(*, user: User, game: str) -> None:
    """The line of this week stays until it is closed; it is not carried over."""
    check_league(game)
    Membership.objects.filter(account=user, game=game).delete()
