"""What operators do with a tournament, each act with its reason in the log."""

from uuid import UUID

from django.db.models import F
from django.utils import timezone

from accounts.audit.log import Actor, record
from games.competitions.models import Entrant, Stage, Tournament
from games.competitions.refusals import AlreadyBegun, NotTakingPart, TournamentIsOver
from games.competitions.running import advancing
from games.competitions.running.locking import changed
from games.competitions.running.taking_part import end, leave


def begin_now(*, tournament_id: UUID, by: Actor) -> str:
    """Before its time, for instance since everybody is there."""
    with changed(tournament_id) as tournament:
        if tournament.status != Tournament.Status.ANNOUNCED:
            raise AlreadyBegun
        tournament.starts_at = timezone.now()
        _log(by, "begin", tournament)
    return "It begins now."


def pause(*, tournament_id: UUID, by: Actor) -> str:
    """Pairs and opens nothing until it goes on; matches that run are played on."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        tournament.paused_at = tournament.paused_at or timezone.now()
        _log(by, "pause", tournament)
    return "The tournament is paused. Matches that run are played on."


def resume(*, tournament_id: UUID, by: Actor) -> str:
    """Goes on; the present round has as much time left as it had."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        if tournament.paused_at is not None:
            stood = timezone.now() - tournament.paused_at
            stages = Stage.objects.filter(tournament=tournament, closed_at=None)
            stages.update(deadline_at=F("deadline_at") + stood)
            if tournament.is_arena and tournament.begun_at is not None:
                tournament.begun_at += stood
            tournament.paused_at = None
        _log(by, "resume", tournament)
    return "The tournament goes on."


def abort(*, tournament_id: UUID, by: Actor) -> str:
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        end(tournament, Tournament.Ending.OPERATOR)
        _log(by, "abort", tournament)
    return "The tournament was called off. Matches that run are played on as any other match."


def remove(*, tournament_id: UUID, entrant_id: int, by: Actor) -> str:
    """An entrant takes part no more: what runs is lost, the boards to come are walkovers."""
    with changed(tournament_id) as tournament:
        _check_not_over(tournament)
        entrant = Entrant.objects.filter(tournament=tournament, pk=entrant_id).first()
        if entrant is None or entrant.state == Entrant.State.REMOVED:
            raise NotTakingPart("This player does not take part.")
        leave(tournament, entrant, Entrant.State.REMOVED)
        _log(by, "remove", tournament, entrant=entrant_id)
    return "The player takes part no more."


def pay_now(*, tournament_id: UUID, by: Actor) -> str:
    """What the beat does every other second, at once."""
    with changed(tournament_id) as tournament:
        _log(by, "pay", tournament)
    advancing.advance(tournament_id)
    return "All that was owed was paid."


def _check_not_over(tournament: Tournament) -> None:
    if tournament.is_over:
        raise TournamentIsOver


def _log(by: Actor, action: str, tournament: Tournament, **details: object) -> None:
    record(by, action, "tournament", tournament.id, tournament.name, **details)
