"""The turn of a week: it is closed once, and the next one opens in the same transaction.

A process that ends on its way has done nothing; the beat comes again. After a long time without it
the weeks that are over are closed one after the other.
"""

from typing import Final
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardroom.rules import catalog
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.leagues.counting import counted
from games.leagues.models import Line, Membership, Week
from games.leagues.news import owe_news
from games.leagues.placing import carry_over, place_newcomers
from games.leagues.weeks import ONE_WEEK, end_of, monday_of
from games.people.counting import LATEST_COMMIT
from games.ratings.people.rating import current_era

AT_ONCE: Final = 1000
RESULT: Final = ("points", "matches", "place", "move")

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
    return Week.objects.filter(game__in=games, closed_at=None, monday__lt=monday_of(timezone.now()))


def _turn(game: str) -> int:
    closed = 0
    while _close(game):
        closed += 1
    return closed


@transaction.atomic
def _close(game: str) -> bool:
    week = _over().filter(game=game).select_for_update(skip_locked=True).first()
    if week is None or current_era().until < end_of(week.monday) + LATEST_COMMIT:
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
        week = Week.objects.create(game=before.game, monday=before.monday + ONE_WEEK)
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
