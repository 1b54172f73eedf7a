"""Every read of a phrase: a reader gets nothing of those whom they muted or blocked."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.social.models import Block
from games.matches.models import Seat
from games.matches.snapshot import MatchSnapshot
from games.phrases.models import Mute, Saying, Silence

FRESH: Final = timedelta(seconds=6)  # a bubble is shown for four
MINUTE: Final = timedelta(minutes=1)
MOST: Final = 100


class Wanted(NamedTuple):
    """What was said at a match after this id, for a reader; a spectator may have no account."""

    match: UUID
    reader: UUID | None
    after: int


def said_since(wanted: Sequence[Wanted], since: datetime | None = None) -> list[list[Saying]]:
    """The answers to all, the oldest first; without ``since`` what a bubble still shows."""
    since = since or timezone.now() - FRESH
    ids = {one.match for one in wanted}
    rows = list(Saying.objects.filter(match__in=ids, at__gte=since).order_by("id")[:MOST])
    if not rows:
        return [[] for _ in wanted]
    hidden = hidden_from({one.reader for one in wanted if one.reader}, rows)
    players = _players_where_others_see_later(ids)
    return [
        [row for row in rows if _is_shown(row, one, hidden)]
        if one.reader in players.get(one.match, {one.reader})
        else []
        for one in wanted
    ]


def _players_where_others_see_later(match_ids: Collection[UUID]) -> dict[UUID, set[UUID | None]]:
    """By match that runs and is watched with a delay: a phrase would give away what happened."""
    seats = Seat.objects.filter(
        match__in=match_ids, match__status="active", match__watch_delay__gt=0, user__isnull=False
    )
    players: dict[UUID, set[UUID | None]] = {}
    for match, user in seats.values_list("match_id", "user_id"):
        players.setdefault(match, set()).add(user)
    return players


def _is_shown(row: Saying, one: Wanted, hidden: dict[UUID | None, set[UUID | None]]) -> bool:
    if row.match_id != one.match or row.id <= one.after:
        return False
    own = hidden.get(one.reader, set())
    return row.account_id == one.reader or not own & {None, row.account_id}


def hidden_from(
    readers: Collection[UUID], rows: Sequence[Saying]
) -> dict[UUID | None, set[UUID | None]]:
    """For each reader the accounts whose phrases they do not read; None is everybody."""
    hidden: dict[UUID | None, set[UUID | None]] = {}
    if not readers:
        return hidden
    speakers = {row.account_id for row in rows}
    muted = Mute.objects.filter(Q(muted__in=speakers) | Q(muted=None), owner__in=readers)
    blocked = Block.objects.filter(owner__in=readers, blocked__in=speakers)
    for owner, other in (
        *muted.values_list("owner_id", "muted_id"),
        *blocked.values_list("owner_id", "blocked_id"),
    ):
        hidden.setdefault(owner, set()).add(other)
    return hidden


def matches_with_sayings() -> set[UUID]:
    """Where something was said a moment ago: for listeners that missed the announcement."""
    rows = Saying.objects.filter(at__gte=timezone.now() - FRESH)
    return set(rows.order_by().values_list("match_id", flat=True))


def last_minute_of(match_id: UUID) -> list[Saying]:
    """All that was said in the last minute, the same for every reader: evidence of a report."""
    rows = Saying.objects.filter(match=match_id, at__gte=timezone.now() - MINUTE)
    return list(rows.order_by("-id")[:MOST])[::-1]


def silence_of(account: UUID) -> Silence | None:
    running = Q(until=None) | Q(until__gt=timezone.now())
    return Silence.objects.filter(running, account=account, lifted_at=None).first()


def may_speak(match: MatchSnapshot, account: UUID | None) -> bool:
    """Whether the account holds one seat, and another person sits at the table.

    People at one device talk to each other without our help.
    """
    if not settings.CLUB["phrases"]:
        return False
    people = {seat.user_id for seat in match.seats if seat.kind == Seat.Kind.USER}
    return len(match.seats_of(account)) == 1 and len(people - {account}) > 0


def mutes_of(owner: UUID, among: Collection[UUID]) -> tuple[bool, set[UUID]]:
    """Whether the owner reads nobody, and whom of these not."""
    rows = Mute.objects.filter(Q(muted=None) | Q(muted__in=among), owner=owner)
    muted = set(rows.values_list("muted_id", flat=True))
    return None in muted, {account for account in muted if account is not None}


def mute_list(owner: UUID) -> QuerySet[Mute]:
    return Mute.objects.filter(owner=owner).select_related("muted").order_by("-id")


def said_lately(match_id: UUID, reader: UUID | None) -> list[Saying]:
    """What was said in the last minute, as far as the reader reads it."""
    return said_since([Wanted(match_id, reader, 0)], timezone.now() - MINUTE)[0]
