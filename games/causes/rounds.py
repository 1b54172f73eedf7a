"""Boards that wait for people in the round that a tournament plays now. An arena is sat through."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import F

from accounts.notifications.outbox import Owed, wanting
from games.absent import rules_of
from games.competitions.models import Place, Tournament


def waiting() -> dict[str, Place]:
    people = wanting("tournament")
    if not people:
        return {}
    places = Place.objects.filter(
        entrant__account__in=people,
        points=None,
        round=F("tournament__round"),
        tournament__status=Tournament.Status.RUNNING,
    ).exclude(tournament__form=Tournament.Form.ARENA)
    return {_key(one): one for one in places.select_related("tournament", "entrant")}


def still_holds(account: UUID, payload: Mapping[str, Any]) -> bool:
    places = Place.objects.filter(tournament=payload["tournament"], round=payload["round"])
    return places.filter(entrant__account=account, points=None).exists()


def _key(place: Place) -> str:
    return f"round:{place.tournament_id}:{place.round}:{place.entrant_id}"


def cause_of(key: str, place: Place) -> Owed:
    tournament = place.tournament
    payload = {
        "tournament": str(tournament.pk),
        "tournament_name": tournament.name,
        "round": place.round,
        "game": tournament.game,
        "game_name": rules_of(tournament.game, tournament.rules_version).name,
        "url": f"/tournaments/{tournament.pk}",
    }
    assert place.entrant.account_id is not None  # noqa: S101 - selected by it
    return Owed(place.entrant.account_id, "tournament", key, payload)
