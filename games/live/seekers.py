"""What streams and seeks have to do with each other, as readings of the feed.

A person with an open stream is there, and waits on. A page is sent the match into which its
reader was paired; a lobby is sent that others wait.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from accounts.notifications.looking import note_looking
from accounts.social.presence import note_presence
from games.lobby import seeking, selectors

Waiting = tuple[int, datetime | None]
"""Names who waits: how many, and since when the newest does."""


def give_signs_of_life(queries: Sequence[list[UUID]]) -> list[None]:
    """Notes that these people are there: for pairing, and for their friends."""
    people = {account for accounts in queries for account in accounts}
    seeking.sign_of_life(people)
    note_presence(people)
    return [None] * len(queries)


def note_readers(queries: Sequence[list[UUID]]) -> list[None]:
    """Notes that these people look at a page: nobody writes to them meanwhile."""
    note_looking({account for accounts in queries for account in accounts})
    return [None] * len(queries)


def read_waiting(queries: Sequence[None]) -> list[Waiting]:
    row = selectors.waiting().order_by().aggregate(count=Count("id"), newest=Max("created_at"))
    return [(row["count"], row["newest"])] * len(queries)


def read_paired(queries: Sequence[UUID]) -> list[UUID | None]:
    """For each account the match into which it was paired a moment ago."""
    matches = selectors.paired_lately(set(queries))
    return [matches.get(account) for account in queries]
