"""Whose turn it is in slow matches, and in those without a clock: the others are sat through.

A turn of the last week counts: a person who turns a channel on is told of what waits, and not of
what was given up long ago. Between computers and one person nobody waits.
"""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.db import connection

from accounts.notifications.outbox import Owed, wanting
from games.absent import rules_of
from games.lobby.paces import DAY
from games.matches.models import Match
from games.matches.selectors.access import get_match

Row = tuple[UUID, UUID, int, int, str, int, Any]
_WAITING: Final = """
SELECT s.user_id, m.id, m.version, s.index, m.game, m.rules_version, m.deadline_at
FROM games_seat s JOIN games_match m ON m.id = s.match_id
WHERE s.user_id = ANY(%s) AND s.place IS NULL AND s.kind = 'user' AND s.stand_in = ''
    AND m.status = 'active' AND s.index = ANY(m.to_act)
    AND (m.turn_seconds >= %s OR m.turn_seconds IS NULL AND m.clock IS NULL)
    AND m.updated_at > now() - interval '7 days'
    AND EXISTS (SELECT 1 FROM games_seat o
        WHERE o.match_id = m.id AND o.kind = 'user' AND o.user_id <> s.user_id)
"""


def waiting() -> dict[str, Row]:
    people = wanting("your_turn")
    if not people:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [people, DAY])
        return {_key(*row[1:4]): row for row in cursor.fetchall()}


def still_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    """Whether the match still waits for this turn."""
    try:
        match = get_match(UUID(payload["match"]))
    except Match.DoesNotExist:
        return False
    waits = match.status == "active" and match.version == payload["version"]
    seat = payload["seat"]
    return waits and seat in match.people_to_act and match.seats[seat].user_id == account


def _key(match: UUID, version: int, seat: int) -> str:
    return f"turn:{match}:{version}:{seat}"


def cause_of(key: str, row: Row) -> Owed:
    account, match, version, seat, game, rules_version, deadline = row
    payload = {
        "match": str(match),
        "version": version,
        "seat": seat,
        "game": game,
        "game_name": rules_of(game, rules_version).name,
        "deadline_at": deadline.isoformat() if deadline else None,
        "url": f"/matches/{match}",
    }
    return Owed(account, "your_turn", key, payload)
