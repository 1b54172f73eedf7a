"""What happens in one match, for the webhooks that are told of it alone.

A cause holds two versions and no event: what happened between them is read at the moment of the
call, through the reader of the account's table. So a call tells what the account sees there and
nothing else: later where the match is watched with a delay, and nothing where it may not see it
any more. How far a webhook was told is moved on in the transaction that writes its cause.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.notifications.kinds import MATCH
from accounts.notifications.models import Endpoint
from accounts.notifications.outbox import Owed, owe_all
from config.tasks.rows import each
from games.matches.selectors.access import SERVICE, find_match
from games.matches.selectors.changes import matches_by_id
from games.matches.selectors.history import as_watched
from games.matches.selectors.log import log_entries, plain_events
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot

MOST_VERSIONS: Final = 100  # of one call; the next one goes on there


def place_of(account: UUID, match_id: UUID) -> str | None:
    """How far the account sees that a match has come: none if it does not see it, "" if it is over.

    A version and a status: a match that begins or ends may stay at its version.
    """
    match = _seen(account, match_id)
    if match is None:
        return None
    return "" if match.is_over else _place(_version(match, account), match.status)


@transaction.atomic
def owe_new() -> int:
    """How many causes were new."""
    rows = Endpoint.objects.filter(topic__isnull=False, disabled="", account__is_active=True)
    webhooks = list(rows.select_for_update(skip_locked=True, of=("self",)).order_by("pk"))
    if not webhooks:
        return 0
    matches = matches_by_id({one.topic for one in webhooks if one.topic})
    pairs = list(_pairs(webhooks, matches))
    news = each(
        "causes",
        pairs,
        lambda pair: (pair[0], *_news(*pair)),
        key=lambda pair: f"hook {pair[0].pk}",
    )
    changed = [(one, owed, place) for one, owed, place in news if one.topic_at != place]
    for webhook, _, place in changed:
        webhook.topic_at = place
    Endpoint.objects.bulk_update([webhook for webhook, *_ in changed], ["topic_at"])
    return owe_all(owed for _, owed, _ in changed)


def _pairs(
    webhooks: Iterable[Endpoint], matches: Mapping[UUID, MatchSnapshot]
) -> Iterator[tuple[Endpoint, MatchSnapshot]]:
    """Each with its match, where its account may see that now."""
    for webhook in webhooks:
        match = matches.get(webhook.topic) if webhook.topic else None
        if match is not None and _may_see(match, webhook.account_id):
            yield webhook, match


def still_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    """Whether the account may see the match now."""
    return _seen(account, UUID(payload["match"])) is not None


def facts_of(account: UUID, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The status and the events between the two versions, as the account sees them now."""
    match = _seen(account, UUID(payload["match"]))
    if match is None:
        return {"events": []}
    shown = as_watched(match, account)
    until = min(payload["version"], shown.version)
    entries = log_entries(shown, after=payload["after"], until=until)
    shows_all = shown.is_over and may_tell_all(shown, account)
    seat = shown.acting_seat(account)
    events = plain_events(shown, entries, seat, shows_all=shows_all)
    return {"status": shown.status, "events": events}


def _seen(account: UUID, match_id: UUID) -> MatchSnapshot | None:
    """A match whose game is installed, if the account may see it."""
    access = find_match(match_id, SERVICE)
    return access.match if access is not None and _may_see(access.match, account) else None


def _may_see(match: MatchSnapshot, account: UUID) -> bool:
    return match.is_playable and match.is_visible_to(account)


def _news(webhook: Endpoint, match: MatchSnapshot) -> tuple[Owed, str]:
    """The cause of what a webhook was not told yet, and how far it has been told then."""
    after = int(webhook.topic_at.partition(":")[0])
    version = _version(match, webhook.account_id)
    until = max(min(version, after + MOST_VERSIONS), -1)
    place = _place(until, match.status if until == version else "")
    payload = {
        "match": str(match.id),
        "webhook": str(webhook.pk),
        "after": min(after, until),
        "version": until,
        "game": match.game,
        "game_name": match.rules.name,
        "url": f"/matches/{match.id}",
    }
    key = f"{MATCH}:{webhook.pk}:{place}"
    return Owed(webhook.account_id, "match", key, payload), place


def _version(match: MatchSnapshot, account: UUID) -> int:
    """The last ply that the account sees, -1 before the cards are dealt."""
    if match.state_json is None:
        return -1
    if not match.is_delayed_for(account):
        return match.version
    return max(match.parent_version or 0, match.version - match.watch_delay)


def _place(version: int, status: str) -> str:
    return f"{version}:{status}"
