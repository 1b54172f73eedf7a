"""The turn of a week: it is closed once, and the next one opens in the same transaction.

A process that ends on its way has done nothing; the beat comes again. After a long time without it
the weeks that are over are closed one after the other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final
from uuid import UUID

import structlog
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.notifications.outbox import Owed, owe_all
from cardroom.rules import catalog
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.leagues.joining import carry_over, ended, place_newcomers
from games.leagues.models import Line, Membership, Week
from games.leagues.rules import ONE_WEEK, ROOM, arranged, division_of_newcomer, end_of, monday_of
from games.leagues.selectors import Counted, counted
from games.people.counting import LATEST_COMMIT
from games.ratings.rating import current_era

# Proves closed weeks from the matches, and the divisions that followed (``manage.py recount``).
#
# The ratings are proved before: a league counts what is rated. A division is opened by how the
# week before ended; where newcomers came in is a fact of that moment, and stands.

RESULT: Final = ("points", "matches", "place", "move")


def recount_leagues(*, mend: bool) -> Iterator[str]:
    """Every line that does not follow from the matches, or from the week before."""
    games = [game.slug for game in catalog.GAMES]
    for week in Week.objects.filter(game__in=games).order_by("monday", "game"):
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
                _write(result)


def _write(each: Counted) -> None:
    Line.objects.filter(pk=each.line.pk).update(**dict(zip(RESULT, each[1:], strict=True)))


def _positions(week: Week, *, mend: bool) -> Iterator[str]:
    """Those who were carried over stand where the week before has put them."""
    carried = list(week.lines.filter(earlier__isnull=False).select_related("earlier"))
    by_account = {line.account_id: line for line in carried}
    wrong, before = False, [ended(line.earlier) for line in carried if line.earlier is not None]
    for at in arranged(before):
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
        if sizes[line.tier, line.division] >= ROOM:
            counts = {number: n for (tier, number), n in sizes.items() if tier == line.tier}
            line.division = division_of_newcomer(counts)
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
