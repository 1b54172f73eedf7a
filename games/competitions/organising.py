"""The acts of the organiser of a tournament that has been announced: change, remove, pause, go on.

Those of operators (`advancing`) end in the same functions, each with its reason in the audit log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import F
from django.utils import timezone
from msgspec import UNSET, UnsetType

from accounts.models import User
from cardroom.rules.text import say
from games.competitions import selectors
from games.competitions.models import Entrant, Stage, Tournament, TournamentEvent
from games.competitions.rules import ARENA, SWISS
from games.competitions.taking_part import (
    STORED_AUDIENCE,
    ArenaMinutes,
    Audience,
    ComputersUpTo,
    Moment,
    NewTournament,
    Places,
    RoundMinutes,
    Rounds,
    TournamentName,
    changed,
    check_organiser,
    check_terms,
    joined,
    leave,
    tell,
)

What = TournamentEvent.What
TERMS_SENT = ("name", "game", "form", "pace", "rated", "pairs", "rounds", "minutes", "most")


class TournamentChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field that is left out stays as it is. Once it has begun only the ``name`` can be changed.

    The game, its options, the form, the pace and whether it is rated stay as they were announced.
    ``rounds`` null: by the number of players.
    """

    name: TournamentName | UnsetType = UNSET
    visibility: Audience | UnsetType = UNSET
    rounds: Rounds | UnsetType | None = UNSET
    minutes: ArenaMinutes | UnsetType = UNSET
    round_minutes: RoundMinutes | UnsetType = UNSET
    most: Places | UnsetType = UNSET
    fill_to: ComputersUpTo | UnsetType = UNSET
    starts_at: Moment | UnsetType = UNSET


def change(*, tournament_id: UUID, user: User, **changes: Any) -> Tournament:
    """The fields of ``TournamentChange`` by name. Raises BadTournament or AlreadyBegun."""
    with _organised(tournament_id, user) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED and changes.keys() - {"name"}:
            raise selectors.AlreadyBegun
        if "name" in changes:
            changes["name"] = selectors.checked_name(changes["name"])
        if tournament.begun_at is None:
            _check(tournament, changes, free=user.has_perm(selectors.RIGHT))
        if "visibility" in changes:
            sent = changes["visibility"]
            changes["visibility"] = STORED_AUDIENCE.get(sent, sent)
        if "starts_at" in changes:
            tournament.by_hand = False
        for name, value in changes.items():
            setattr(tournament, name, value)
        if changes:
            tell(tournament, What.CHANGED)
    return tournament


def _check(tournament: Tournament, changes: dict[str, Any], *, free: bool) -> None:
    """Judges the terms as they would be, as those of a new one are."""
    for name, form in (("rounds", SWISS), ("minutes", ARENA)):
        if tournament.form != form:
            changes.pop(name, None)
    terms = {name: getattr(tournament, name) for name in (*TERMS_SENT, "fill_to")} | changes
    check_terms(NewTournament(**terms, mirrored=tournament.pairs is not None), free=free)
    if joined(tournament) > terms["most"]:
        raise selectors.BadTournament(say("{n} take part already.", n=joined(tournament)))


def remove(
    *, tournament_id: UUID, user: User, username: str | None = None, number: int | None = None
) -> Tournament:
    """A player takes part no more; by username, or by starting number.

    A host who plays as well removes nobody once it has begun: it would decide their own boards.
    """
    with _organised(tournament_id, user) as tournament:
        entrants = Entrant.objects.filter(tournament=tournament)
        own = entrants.filter(account=user, state=Entrant.State.JOINED).exists()
        if tournament.begun_at is not None and own and not user.has_perm(selectors.RIGHT):
            raise selectors.HostPlays
        by_name = {"account__username__iexact": username} if number is None else {"number": number}
        entrant = entrants.filter(**by_name).first()
        if entrant is None or entrant.state == Entrant.State.REMOVED:
            raise selectors.NotAmongPlayers
        expel(tournament, entrant)
    return tournament


def pause(*, tournament_id: UUID, user: User) -> Tournament:
    """Again changes nothing."""
    with _organised(tournament_id, user) as tournament:
        halt(tournament)
    return tournament


def resume(*, tournament_id: UUID, user: User) -> Tournament:
    """Again changes nothing."""
    with _organised(tournament_id, user) as tournament:
        go_on(tournament)
    return tournament


@contextmanager
def _organised(tournament_id: UUID, user: User) -> Iterator[Tournament]:
    """A tournament that is not over, locked, for its organiser or an operator."""
    row = selectors.find(tournament_id, user.pk)
    check_organiser(row, user)
    with changed(row.id) as tournament:
        if tournament.is_over:
            raise selectors.TournamentIsOver
        yield tournament


# Acts of organisers on a tournament, under its lock.


def expel(tournament: Tournament, entrant: Entrant) -> None:
    """The match that runs is lost, the boards to come are walkovers."""
    leave(tournament, entrant, Entrant.State.REMOVED)
    tell(tournament, What.REMOVED if entrant.account_id else What.CHANGED, entrant.account_id)


def halt(tournament: Tournament) -> None:
    """Nothing is paired or opened until it goes on; matches that run are played on."""
    if tournament.paused_at is None:
        tournament.paused_at = timezone.now()
        tell(tournament, What.PAUSED)


def go_on(tournament: Tournament) -> None:
    """The present round has as much time left as it had."""
    if tournament.paused_at is None:
        return
    stood = timezone.now() - tournament.paused_at
    stages = Stage.objects.filter(tournament=tournament, closed_at=None)
    stages.update(deadline_at=F("deadline_at") + stood)
    if tournament.is_arena and tournament.begun_at is not None:
        tournament.begun_at += stood
    tournament.paused_at = None
    tell(tournament, What.RESUMED)
