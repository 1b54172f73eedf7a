"""Divisions of leagues: joining, the place in a division, and the turn of a week.

A process that ends on its way has done nothing; the beat comes again. After a long time without it
the weeks that are over are closed one after the other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from accounts.audit.log import Actor, record
from accounts.locking import check_may_play, locked_accounts
from accounts.models import User
from accounts.notifications.outbox import Owed, owe_all
from cardroom.rules import catalog
from config.refusals import Refusal
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.leagues import rules
from games.leagues.models import Line, Membership, Week
from games.leagues.selectors import CannotJoinLeague, check_league, counted
from games.people.counting import LATEST_COMMIT
from games.ratings.people import standings_of
from games.ratings.rating import current_era
from games.ratings.scale import PEOPLE

# Joining a league, and the division that one is placed in.

# Putting people into the divisions of a week. Call it with the week locked.

_MEDIANS: Final = """
SELECT tier, percentile_cont(0.5) WITHIN GROUP (ORDER BY rating) FROM leagues_line
WHERE week_id = %s AND rating IS NOT NULL GROUP BY tier
"""


def ended(line: Line) -> rules.Ended:
    return rules.Ended(line.account_id, line.tier, line.points or 0, line.move)


def carry_over(week: Week, members: Iterable[UUID], before: Week) -> None:
    """Players of the week before, by how it ended for them."""
    there = set(members)
    lines = {line.account_id: line for line in before.lines.all() if line.account_id in there}
    since = rules.beginning_of(week.monday)
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
        for at in rules.arranged(map(ended, lines.values()))
    )


def place_newcomers(week: Week) -> None:
    """Members without a line, who had joined by its end, in the order in which they came."""
    members = Membership.objects.filter(
        game=week.game, joined_at__lt=rules.end_of(week.monday), account__is_active=True
    )
    placed = week.lines.values("account")
    for member in members.exclude(account__in=placed).order_by("joined_at", "id"):
        place(week, member)


def place(week: Week, member: Membership) -> None:
    rating = settled_rating(member.account_id, week.game)
    tier = _tier(week, member, rating)
    lines = Line.objects.filter(week=week, tier=tier)
    sizes = dict(lines.order_by().values_list("division").annotate(Count("id")))
    division = rules.division_of_newcomer(sizes)
    last = lines.filter(division=division).aggregate(slot=Max("slot"))["slot"]
    Line.objects.create(
        week=week,
        account_id=member.account_id,
        tier=tier,
        division=division,
        slot=0 if last is None else last + 1,
        since=max(rules.beginning_of(week.monday), member.joined_at),
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
    """The tier of their last week, or one by their rating."""
    lowest = rules.tiers_for(Line.objects.filter(week=week).count() + 1)
    closed = Line.objects.filter(account=member.account_id, week__game=week.game).exclude(move="")
    last = closed.order_by("-week__monday").first()
    if last is not None:
        return rules.next_tier(ended(last), lowest)
    return rules.tier_of_newcomer(rating, {} if rating is None else _medians(week), lowest)


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
    monday = rules.monday_of(timezone.now())
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


# Proves closed weeks from the matches, and the divisions that followed (``manage.py recount``).
#
# The ratings are proved before: a league counts what is rated. A division is opened by how the
# week before ended; where newcomers came in is a fact of that moment, and stands.

RESULT: Final = ("points", "matches", "place", "move")


def recount_leagues(*, mend: bool) -> Iterator[str]:
    """Every line that does not follow from the matches, or from the week before."""
    games = [game.slug for game in catalog.GAMES]
    yield from _recounted(Week.objects.filter(game__in=games), mend=mend)


def mend_since(game: str, at: datetime) -> list[str]:
    """Counts the week of this moment again, and those that followed from it; what changed."""
    weeks = Week.objects.filter(game=game, monday__gte=rules.monday_of(at))
    return list(_recounted(weeks, mend=True))


class WeekRuns(Refusal, status=409):
    """This week is not closed yet."""


SHOWN: Final = (
    *("account__username", "week__monday", "tier", "division"),
    *("matches", "points", "place", "move"),
)


def judge_again(*, week_id: int, by: Actor | None) -> list[list[tuple[Any, Any]]]:
    """Closes a week once more, without matches that were annulled since, and those that followed.

    The lines that change, each value before and after. Without an actor it is a preview.
    """
    with transaction.atomic():
        week = Week.objects.select_for_update().get(pk=week_id)
        if week.closed_at is None:
            raise WeekRuns
        weeks = Week.objects.filter(game=week.game, monday__gte=week.monday)
        lines = Line.objects.filter(week__in=weeks).order_by("week__monday", "pk")
        before = list(lines.values_list(*SHOWN))
        Week.objects.filter(pk=week.pk).update(closed_at=timezone.now())
        list(_recounted(weeks, mend=True))
        after = list(lines.values_list(*SHOWN))
        transaction.set_rollback(by is None)
        moved = [
            list(zip(was, now, strict=True))
            for was, now in zip(before, after, strict=True)
            if was != now
        ]
        if by is not None and moved:
            record(by, "judge_week_again", "week", week.pk, str(week), changed=len(moved))
    return moved


def _recounted(weeks: QuerySet[Week], *, mend: bool) -> Iterator[str]:
    for week in weeks.order_by("monday", "game"):
        with transaction.atomic():
            locked = Week.objects.select_for_update().get(pk=week.pk)
            yield from _positions(locked, mend=mend)
            if locked.closed_at is not None:
                yield from _results(locked, mend=mend)


def _results(week: Week, *, mend: bool) -> Iterator[str]:
    lines = list(week.lines.all())
    for result in counted(week, lines, len(lines)):
        stored, right = tuple(getattr(result.line, name) for name in RESULT), result[1:]
        if stored != right:
            yield f"{week} line {result.line.pk}: {stored} is stored, {right} counted"
            if mend:
                changes = dict(zip(RESULT, right, strict=True))
                Line.objects.filter(pk=result.line.pk).update(**changes)


def _positions(week: Week, *, mend: bool) -> Iterator[str]:
    """Players who were carried over stand where the week before has put them."""
    carried = list(week.lines.filter(earlier__isnull=False).select_related("earlier"))
    by_account = {line.account_id: line for line in carried}
    wrong, before = False, [ended(line.earlier) for line in carried if line.earlier is not None]
    for at in rules.arranged(before):
        line = by_account[at.account]
        stored, right = (line.tier, line.division, line.slot), at[1:]
        if stored != right:
            yield f"{week} line {line.pk}: {stored} is stored, {right} follows"
            line.tier, line.division, line.slot = right
            wrong = True
    if wrong and mend:
        _move(week, carried)


def _move(week: Week, carried: list[Line]) -> None:
    """Newcomers stay in their divisions, behind those who were carried over, if there is room."""
    sizes = Counter((line.tier, line.division) for line in carried)
    newcomers = list(week.lines.filter(earlier=None).order_by("since", "id"))
    for line in newcomers:
        if sizes[line.tier, line.division] >= rules.ROOM:
            counts = {number: n for (tier, number), n in sizes.items() if tier == line.tier}
            line.division = rules.division_of_newcomer(counts)
        line.slot = sizes[line.tier, line.division]
        sizes[line.tier, line.division] += 1
    Line.objects.bulk_update([*carried, *newcomers], ["tier", "division", "slot"])


# That a week is over, for those who played in it and want to be told.


def owe_news(week: Week, lines: Iterable[Line]) -> None:
    """Nobody who played no match of it."""
    name = catalog.find(week.game).name
    owe_all(
        Owed(
            line.account_id,
            "league",
            f"league:{week.pk}:{line.account_id}",
            {
                "game": week.game,
                "game_name": name,
                "what": line.move,
                "url": f"/leagues/{week.game}?week={week.monday}",
            },
        )
        for line in lines
        if line.matches
    )


AT_ONCE: Final = 1000


# An erasure locks the account first, too.
_MEMBERS: Final = """
SELECT u.id FROM accounts_user u JOIN leagues_membership m ON m.account_id = u.id AND m.game = %s
WHERE u.is_active ORDER BY u.id FOR KEY SHARE OF u
"""

log = structlog.get_logger(__name__)


def turn_weeks() -> int:
    """Closes what is over; how many weeks. One league that fails keeps no other one waiting."""
    return sum(each("leagues", sorted(set(_over().values_list("game", flat=True))), _turn))


def _over() -> QuerySet[Week]:
    games = [game.slug for game in catalog.GAMES]
    return Week.objects.filter(
        game__in=games, closed_at=None, monday__lt=rules.monday_of(timezone.now())
    )


def _turn(game: str) -> int:
    closed = 0
    while _close(game):
        closed += 1
    return closed


@transaction.atomic
def _close(game: str) -> bool:
    week = _over().filter(game=game).select_for_update(skip_locked=True).first()
    if week is None or current_era().until < rules.end_of(week.monday) + LATEST_COMMIT:
        return False  # another process closes it, or a match of the week may not be rated yet
    lines = list(week.lines.all())
    _write_results(week, lines)
    week.closed_at = timezone.now()
    week.save(update_fields=["closed_at"])
    _open_next(week)
    owe_news(week, lines)
    log.info("league_week_closed", game=game, monday=str(week.monday), players=len(lines))
    return True


def _write_results(week: Week, lines: list[Line]) -> None:
    for one in counted(week, lines, len(lines)):
        for name in RESULT:
            setattr(one.line, name, getattr(one, name))
    Line.objects.bulk_update(lines, RESULT, batch_size=AT_ONCE)


def _open_next(before: Week) -> None:
    """Without members there is none; the first to join opens one."""
    members = _members(before.game)
    if members:
        week = Week.objects.create(game=before.game, monday=before.monday + rules.ONE_WEEK)
        carry_over(week, members, before)
        place_newcomers(week)


def _members(game: str) -> list[UUID]:
    """Locked: a member who is erased or leaves now does so before or after the turn of the week."""
    with connection.cursor() as cursor:
        cursor.execute(_MEMBERS, [game])
        active = [row[0] for row in cursor.fetchall()]
    rows = Membership.objects.select_for_update().filter(game=game, account__in=active)
    return list(rows.order_by("account").values_list("account", flat=True))


LEAGUES: Final = Duty(
    name="leagues",
    piece=turn_weeks,
    due="""
SELECT NULL::timestamptz, w.game FROM leagues_week w
WHERE w.closed_at IS NULL AND w.game = ANY(%(games)s)
    AND w.monday < date_trunc('week', %(now)s AT TIME ZONE 'UTC')::date""",
    every=10,
)
