"""A person's name leaves the matches that they sat in or were invited to.

It stands at the seats and, in some games, in the events of the first deal. Both change together, so
that the events still follow from the seats and the seed. A folded match is folded again. A match
that was loaded with other cards has the first deal of its own, with the names of those who sat
there at first, whoever has their seats now.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import get_args
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.matches.history import folding
from games.matches.models import Match, Ply, Seat


def rename(user: User, name: str) -> None:
    """Gives the person this name in all their matches. Doing it again changes nothing."""
    own = Seat.objects.filter(Q(user=user) | Q(invited=user)).exclude(name__in=["", name])
    games = [game.slug for game in catalog.GAMES if _has_names_in_events(game)]
    matches = own.filter(match__game__in=games).order_by().values_list("match_id", flat=True)
    for match_id in set(matches):
        _rename_in_loads(match_id, user, name)
        _rename_in(match_id, user, name)
    own.update(name=name)


def _has_names_in_events(game: AnyGame) -> bool:
    events = get_args(game.events) or (game.events,)
    return any("names" in event.__struct_fields__ for event in events)


def _rename_in_loads(match_id: UUID, user: User, name: str) -> None:
    """In the first deals that were dealt again of this match, at seats that are others' now."""
    seats = Seat.objects.filter(Q(user=user) | Q(invited=user), match=match_id)
    held = dict(seats.values_list("index", "name"))
    loads = [match_id]
    while loads:
        loads = list(Match.objects.filter(parent__in=loads).values_list("id", flat=True))
        for load in loads:
            _rename_in(load, user, name, held)


@transaction.atomic
def _rename_in(
    match_id: UUID, user: User, name: str, held: Mapping[int, str] | None = None
) -> None:
    row = Match.objects.select_for_update().get(id=match_id)
    was_folded = folding.unfold(match_id)
    row.seats.filter(Q(user=user) | Q(invited=user)).update(name=name)
    if held is None:
        names = row.seats.order_by("index").values_list("name", flat=True)
        _rename_in_deal(row, lambda _: tuple(names))
    else:
        _rename_in_deal(row, partial(_without, held=held, name=name))
    if was_folded:
        folding.fold(match_id)


def _without(names: Sequence[str], held: Mapping[int, str], name: str) -> tuple[str, ...]:
    return tuple(name if held.get(at) == was else was for at, was in enumerate(names))


def _rename_in_deal(row: Match, renamed: Callable[[Sequence[str]], tuple[str, ...]]) -> None:
    first = Ply.objects.filter(match=row, version=0).first()
    if first is None:
        return  # not begun yet, or stored with its parent
    events = [
        msgspec.structs.replace(event, names=renamed(names))
        if (names := getattr(event, "names", None)) is not None
        else event
        for event in row.rules.decode_events(bytes(first.events))
    ]
    Ply.objects.filter(pk=first.pk).update(events=msgspec.json.encode(events))
