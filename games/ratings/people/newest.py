"""The newest rating of each person on a board: what the last match left, and of how many."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from django.db import connection

from accounts.standing import CLOSED_SQL
from games.ratings.models import PersonRating
from games.ratings.people.folding import Known
from games.ratings.scale import settled_until

_NOT_ERASED: Final = f"""
SELECT id FROM accounts_user WHERE id = ANY(%s) AND NOT ({CLOSED_SQL})
ORDER BY id FOR KEY SHARE
"""  # noqa: S608 - the names are our own


def store_ratings(
    board: str, known: Mapping[UUID, Known | None], counts: Mapping[UUID, int]
) -> None:
    """The newest ratings of these people; ``counts`` are matches more than before."""
    kept = not_erased(known)
    before = PersonRating.objects.filter(board=board, account__in=kept)
    matches = dict(before.values_list("account_id", "matches"))
    rows = [
        newest(account, board, last, matches.get(account, 0) + counts.get(account, 0))
        for account in kept
        if (last := known[account]) is not None
    ]
    PersonRating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["account", "board"],
        update_fields=["mean", "variance", "matches", "at", "settled_until"],
    )
    none = [account for account in kept if known[account] is None]
    PersonRating.objects.filter(board=board, account__in=none).delete()


def newest(account: UUID, board: str, last: Known, matches: int) -> PersonRating:
    return PersonRating(
        account_id=account,
        board=board,
        mean=last.belief.mean,
        variance=last.belief.variance,
        matches=matches,
        at=last.at,
        settled_until=settled_until(last.belief.variance, last.at),
    )


def not_erased(people: Iterable[UUID]) -> list[UUID]:
    """Locked, so that an erasure at the same moment deletes what is written."""
    with connection.cursor() as cursor:
        cursor.execute(_NOT_ERASED, [list(people)])
        return [row[0] for row in cursor.fetchall()]
