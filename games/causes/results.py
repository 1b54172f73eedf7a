"""How matches ended, for the people who played them.

Their seats say it, so matches are looked at in the order of their ends; how far that has gone is a
row, moved on in the transaction that writes the causes.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.notifications.models import Progress
from accounts.notifications.outbox import Owed, owe_all, wanting
from config.tasks.rows import each, to_try_again
from games.absent import of_installed_games, rules_of
from games.matches.models import Match, Seat
from games.people.finished import sides_of

NAME: Final = "results"
DUTY: Final = "causes"
MATCH: Final = "result "  # before the id, as the name of a row
LAG: Final = timedelta(seconds=60)  # then the cursor is written though nothing moved
LATEST_COMMIT: Final = timedelta(seconds=60)  # a match may become visible so long after its end
AT_ONCE: Final = 500


@transaction.atomic
def owe_new() -> int:
    """How many were new. The first time nothing is: who turns this on is told of what comes."""
    begun, people = timezone.now(), wanting("result")
    Progress.objects.get_or_create(name=NAME, defaults={"until": begun})
    locked = Progress.objects.select_for_update(skip_locked=True).filter(name=NAME).first()
    if locked is None:
        return 0  # another process looks
    until, causes = begun, []
    if people:
        matches = _ended_since(locked)
        rows = {match.pk: match for match in [*_failed(), *matches]}
        seats = set(people)
        by_match = each(
            DUTY, rows.values(), lambda match: list(_owed(match)), key=_name, whole=True
        )
        causes = [owed for some in by_match for owed in some if owed.account_id in seats]
        if len(matches) == AT_ONCE:
            until = max(locked.until, matches[-1].finished_at or begun)
    new = owe_all(causes)
    if new or (until - locked.until >= LAG and _all_ended_since(locked).exists()):
        locked.until = until
        locked.save(update_fields=["until"])
    return new


def _all_ended_since(progress: Progress) -> QuerySet[Match]:
    return Match.objects.filter(status="finished", finished_at__gt=progress.until - LATEST_COMMIT)


def _ended_since(progress: Progress) -> list[Match]:
    ended = _all_ended_since(progress).filter(of_installed_games())
    return list(ended.order_by("finished_at").prefetch_related("seats")[:AT_ONCE])


def _name(match: Match) -> str:
    return f"{MATCH}{match.pk}"


def _failed() -> list[Match]:
    """Those of which nothing could be told and whose pause is over, however long ago they ended."""
    ids = [row.removeprefix(MATCH) for row in to_try_again(DUTY) if row.startswith(MATCH)]
    return list(Match.objects.filter(id__in=ids).prefetch_related("seats")) if ids else []


def _owed(match: Match) -> Iterator[Owed]:
    seats = list(match.seats.all())
    sides = sides_of(match.game, match.rules_version, bytes(match.options))
    for seat in seats:
        if seat.user_id is None or seat.kind != Seat.Kind.USER or seat.place is None:
            continue
        others = [one.place for one in seats if sides[one.index] != sides[seat.index]]
        payload = {
            "match": str(match.pk),
            "version": match.version,
            "seat": seat.index,
            "game": match.game,
            "game_name": rules_of(match.game, match.rules_version).name,
            "what": "lost" if seat.place != 1 else "drawn" if 1 in others else "won",
            "url": f"/matches/{match.pk}",
        }
        yield Owed(seat.user_id, "result", f"result:{match.pk}:{seat.index}", payload)
