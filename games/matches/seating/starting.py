"""Writing a new match, and dealing its first round once every seat is taken.

All is computed first: each row is written once.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from django.db import models

from accounts.services.locking import locked_accounts
from accounts.suspensions import refusal_of
from cardroom.rules.shuffles import RecordingShuffle, Sealed, commitment
from config import club
from config.clock import now_in_milliseconds
from config.tasks import after_commit
from games.matches.announcements import announce
from games.matches.models import Match, Ply, Round, Seat
from games.matches.resting import rest_from_the_start
from games.matches.seat_snapshot import bots_due_at, people_among
from games.matches.seating import invitations, limits, programs
from games.matches.seating.first_moves import await_first_moves
from games.matches.selectors.access import snapshot_of
from games.matches.snapshot import MatchSnapshot, Progress, columns

_encode = msgspec.json.encode


def write_new(
    row: Match, seats: Sequence[Seat], *, limited: bool = True, goes_on: bool = False
) -> MatchSnapshot:
    """Writes a new match with its seats, started if none is free.

    The seed is sealed before the first card. Refused where the creator has too many matches and is
    ``limited``, or an invited account takes no more invitations. ``goes_on``: its people have
    played others of the same set.
    """
    if not goes_on:
        club.check_new_matches(row.game if limited else "")
    row.commitment = commitment(bytes(row.seed))
    row.created_at = row.updated_at = at = now_in_milliseconds()
    for seat in seats:
        seat.match = row
    dealt = _start_if_full(row, seats, at, goes_on=goes_on)
    people = {row.creator_id, *(seat.user_id for seat in seats if seat.user_id)}
    with locked_accounts(*people, *invitations.invited_ids(seats)) as active:
        if missing := people - active:
            raise refusal_of(min(missing))
        if limited:
            limits.judge(row, seats)
            if row.creator_id in active.bots:
                programs.judge_openings(row)
        programs.judge_seats(row, active.bots)
        invitations.judge(row, seats, active)
        row.save(force_insert=True)
        Seat.objects.bulk_create(seats)
        return _written(row, seats, dealt)


def write_change(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    """Writes a match that somebody joined, left or called off, started if no seat is free now.

    Call it in a transaction, with the match locked and its seats written.
    """
    row.updated_at = at = now_in_milliseconds()
    if row.status == Match.Status.ABORTED:
        row.finished_at = at
    dealt = _start_if_full(row, seats, at)
    for seat in seats:
        if seat.extra_version is not None:
            seat.save(update_fields=["extra_seconds", "extra_version"])
    if row.started_at == at and (new := [seat.pk for seat in seats if seat.awaited]):
        Seat.objects.filter(pk__in=new).update(awaited=True)
    row.save(update_fields=[*columns(Progress), "started_at", "rated", "visibility"])
    return _written(row, seats, dealt)


def _written(row: Match, seats: Sequence[Seat], dealt: Sequence[models.Model]) -> MatchSnapshot:
    for new in dealt:
        new.save(force_insert=True)
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match


def _start_if_full(
    row: Match, seats: Sequence[Seat], at: datetime, *, goes_on: bool = False
) -> Sequence[models.Model]:
    """Starts the match if no seat is free; the rows to be written beside it."""
    if row.status != Match.Status.OPEN or any(seat.kind == Seat.Kind.OPEN for seat in seats):
        return ()
    if not goes_on:
        club.check_new_matches()
    row.status, row.started_at = Match.Status.ACTIVE.value, at
    if snapshot_of(row, seats).is_mirrored:
        row.visibility = Match.Visibility.PRIVATE.value  # who looks on could tell of these cards
    dealt = () if row.state else deal(row, snapshot_of(row, seats), at)
    if not goes_on:
        await_first_moves(row, seats)
    match = snapshot_of(row, seats)
    row.to_act = list(match.rules.to_act(match.state))
    people = people_among(row.to_act, match.rules, match.seats, match.state)
    row.bot_due_at = bots_due_at(row.to_act, people, match.seats, at)
    row.deadline_at = rest_from_the_start(row, [seats[index] for index in people], at)
    if match.banks is not None:
        persons = [seat.index for seat in match.seats if seat.user_id is not None]
        banks = match.banks.terms.begun(persons, len(seats), people, at)
        row.clock, row.deadline_at = banks.encode(), banks.deadline(match.awaited)
    return dealt


def deal(row: Match, match: MatchSnapshot, at: datetime) -> tuple[Ply, Round]:
    sealed = Sealed(match.seed)
    shuffle = RecordingShuffle(sealed)
    step = match.rules.start(match.options, match.setups, shuffle)
    state, decks = _encode(step.state), _encode(shuffle.decks)
    row.state, row.round, row.shuffles_used = state, 1, sealed.used
    return (
        Ply(match=row, version=0, events=_encode(step.events), at=at),
        Round(
            match=row, number=1, opening_version=0, opening_state=state, decks=decks, opened_at=at
        ),
    )
