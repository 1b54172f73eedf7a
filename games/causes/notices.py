"""What operators write to the players of a match, for those who are told elsewhere, too."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.notifications.outbox import Owed, owe_all
from games.matches.models import Notice, Seat
from games.matches.snapshot import MatchSnapshot


def owe(match: MatchSnapshot, notice: Notice) -> int:
    """In the transaction that writes the notice; how many are told."""
    people = {seat.user_id for seat in match.seats if seat.user_id is not None}
    payload = {
        "match": str(match.id),
        "game": match.game,
        "game_name": match.rules.name,
        "what": "match",
        "table_notice": notice.pk,
        "url": f"/matches/{match.id}",
    }
    key = f"operator:{match.id}:{notice.pk}"
    return owe_all(
        Owed(person, "operator", f"{key}:{str(person)[-12:]}", payload) for person in people
    )


def text_of(account: UUID, payload: Mapping[str, Any]) -> str:
    """The text as it stands at the table; an erasure has changed it there."""
    if "table_notice" not in payload:
        return ""
    sits = Seat.objects.filter(match=payload["match"], user=account)
    notice = Notice.objects.filter(pk=payload["table_notice"], match__in=sits.values("match"))
    return "".join(notice.values_list("text", flat=True))
