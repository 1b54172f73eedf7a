"""Pairing the next round, or the next boards of an arena, and ending a tournament.

A plan is made without a lock, since it may take seconds. It is written only if nobody came, left
or paired meanwhile.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from games.competitions import selectors
from games.competitions.models import Board, Entrant, Place, Stage, Tournament
from games.competitions.rules import arena, plans
from games.competitions.rules.standings import ROUND_ROBIN
from games.competitions.rules.values import LOSS, WIN, Pairing
from games.competitions.running.locking import changed

IN = Entrant.State.JOINED


def advance(sheet: selectors.Sheet) -> bool:
    """The next round if this one is decided, or the end; whether anything was written."""
    if sheet.tournament.is_arena:
        return _advance_arena(sheet)
    if sheet.undecided:
        return False
    if sheet.tournament.round >= (sheet.tournament.rounds or 0) or len(sheet.there) < 2:
        return _finish(sheet)
    return _write(sheet, plans.next_round(_position(sheet)))


def _position(sheet: selectors.Sheet) -> plans.Position:
    tournament = sheet.tournament
    return plans.Position(
        form=tournament.form,
        number=tournament.round + 1,
        rounds=tournament.rounds or 0,
        everybody=max(sheet.numbered),
        there=sheet.there,
        boards=tuple(sheet.values),
    )


def _advance_arena(sheet: selectors.Sheet) -> bool:
    now, ends = timezone.now(), selectors.ends_at(sheet.tournament)
    if ends is not None and now >= ends:
        return not sheet.undecided and _finish(sheet)
    pairings = arena.pair(
        _free(sheet, now), [one for one in sheet.values if one.points is not None]
    )
    return bool(pairings) and _write(sheet, pairings)


def _free(sheet: selectors.Sheet, now: datetime) -> list[arena.Free]:
    busy = {place.entrant_id for board in sheet.undecided for place in board.places.all()}
    return [
        arena.Free(number, (now - (one.free_since or now)).total_seconds())
        for number, one in sheet.numbered.items()
        if one.state == IN and one.pk not in busy
    ]


def _finish(sheet: selectors.Sheet) -> bool:
    with changed(sheet.tournament.id) as tournament:
        if not _is_as_planned(sheet, tournament):
            return False
        _close(tournament)
        tournament.status, tournament.ended_at = Tournament.Status.FINISHED, timezone.now()
    return True


def _write(sheet: selectors.Sheet, pairings: Sequence[Pairing]) -> bool:
    """The boards of a plan, if the tournament stands as it was planned for."""
    with changed(sheet.tournament.id) as tournament:
        if not _is_as_planned(sheet, tournament):
            return False
        if tournament.is_arena:
            for pairing in pairings:
                tournament.round += 1
                _board(sheet, tournament, 1, pairing)
            return True
        _close(tournament)
        tournament.round += 1
        _open_stage(tournament)
        for number, pairing in enumerate(pairings, start=1):
            _board(sheet, tournament, number, pairing)
    return True


def _is_as_planned(sheet: selectors.Sheet, tournament: Tournament) -> bool:
    there = Entrant.objects.filter(tournament=tournament, state=IN, number__isnull=False)
    return (
        tournament.status == Tournament.Status.RUNNING
        and tournament.paused_at is None
        and tournament.round == sheet.tournament.round
        and set(there.values_list("number", flat=True)) == set(sheet.there)
    )


def _close(tournament: Tournament) -> None:
    open_stages = Stage.objects.filter(tournament=tournament, closed_at=None)
    open_stages.update(closed_at=timezone.now())


def _open_stage(tournament: Tournament) -> None:
    now = timezone.now()
    Stage.objects.create(
        tournament=tournament,
        number=tournament.round,
        paired_at=now,
        deadline_at=now + timedelta(minutes=tournament.round_minutes),
    )


def _board(sheet: selectors.Sheet, tournament: Tournament, number: int, pairing: Pairing) -> None:
    """A bye is decided at once: a point, but in a round robin, where everybody has one."""
    board = Board(tournament=tournament, round=tournament.round, number=number)
    points: list[int | None] = [None, None]
    if pairing.second is None:
        board.result, board.decided_at = Board.Result.BYE, timezone.now()
        points = [LOSS if tournament.form == ROUND_ROBIN else WIN]
    board.save(force_insert=True)
    for seat, (entrant, own) in enumerate(zip(pairing.entrants, points, strict=True)):
        Place.objects.create(
            tournament=tournament,
            round=tournament.round,
            board=board,
            seat=seat,
            entrant=sheet.numbered[entrant],
            points=own,
        )
