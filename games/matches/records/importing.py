"""Storing matches that were played at another installation (FORMAT.md §2).

A record is verified, played again through the services that play a match here, and read back: what
is stored tells the same record. Otherwise nothing of it is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import User
from accounts.services.people import pseudonym
from games.matches.history import continuation, rolling_back
from games.matches.models import Match, Ply, Round, Seat
from games.matches.records import records
from games.matches.records.imported_seats import CannotImport, seats_of
from games.matches.refusals import ParentStillRunning
from games.matches.seating.starting import deal
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.selectors.lists import closed_scores
from games.matches.selectors.secrecy import is_told, lock_past
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.commit import commit
from games.matches.writing.transition import Transition
from games.rules import catalog, record, resigning
from games.rules.record import LoadedFrom, Record
from games.rules.resigning import RESIGN
from games.rules.rolling_back import target_of

PLIES_AT_ONCE: Final = 500  # are written in one statement
EARLIEST: Final = datetime(1970, 1, 2, tzinfo=UTC)
CLOCKS_DIFFER: Final = timedelta(days=1)

_encode = msgspec.json.encode


class ParentMissing(CannotImport):
    """The match that it was loaded from is not here, or not yet."""


@dataclass(frozen=True)
class Terms:
    """``accounts``: who of this installation the people of the records are, by their names there.

    Everybody else gets an account that nobody can sign in to.
    """

    visibility: str = "private"
    accounts: Mapping[str, User] = field(default_factory=dict)


def store(data: bytes, terms: Terms) -> bool:
    """Stores the match of a record; ``False`` if it is here already.

    Raises ``BadRecord`` for one that does not hold, ``CannotImport`` for one that finds no place.
    """
    found = record.read(data)
    if _is_here(found):
        return False
    record.replay(found)
    _check_times(found)
    try:
        with transaction.atomic():
            _write(found, terms)
            _check_told(found)
    except (DataError, IntegrityError) as error:
        raise CannotImport("The database does not take it.") from error
    return True


def _is_here(found: Record) -> bool:
    here = Match.objects.filter(id=_id_of(found.match)).values_list("commitment", flat=True).first()
    if here is not None and here != found.commitment:
        raise CannotImport(f"Another match here has the id {found.match}.")
    return here is not None


def _id_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CannotImport("The id of its match is not a UUID.") from None


def _check_times(found: Record) -> None:
    times = [at for at in (found.started_at, found.finished_at) if at is not None]
    if min(times) < EARLIEST or max(times) > timezone.now() + CLOCKS_DIFFER:
        raise CannotImport("The match was not played between 1970 and now.")


def _write(found: Record, terms: Terms) -> None:
    begun, seats = timezone.now(), seats_of(found.seats, terms.accounts)
    creator = next((seat.user for seat in seats if seat.user), None) or pseudonym("")
    loaded = found.loaded_from
    first = _continued(found, loaded) if loaded else None
    row = first.row(creator) if first else _new_row(found, creator)
    row.id, row.commitment = _id_of(found.match), found.commitment
    row.visibility, row.rated = terms.visibility, False
    row.created_at = row.updated_at = found.started_at or found.finished_at
    row.started_at = found.started_at
    dealt = _begin(found, row, seats, first)
    row.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    for new in dealt:
        new.save(force_insert=True)
    if first:
        first.write_past(row)
    if found.rounds:
        _play(found, get_match(row.id))
    _end(found, row.id, begun)


def _new_row(found: Record, creator: User) -> Match:
    game = catalog.begun_by(found.game, found.rules_version)
    return Match(
        game=game.slug,
        rules_version=game.rules_version,
        options=_encode(game.choose_options(found.options)),
        creator=creator,
        seed=bytes.fromhex(found.seed),
    )


def _begin(
    found: Record, row: Match, seats: Sequence[Seat], first: continuation.Continuation | None
) -> Sequence[Ply | Round]:
    """The first deal, or the seats as they were in the match that this one goes on from."""
    for seat in seats:
        seat.match = row
    if first:
        row.past_was_told = is_told(first.old.id)
        for seat, was in zip(seats, first.then.seats, strict=True):
            seat.points, seat.resigned_at = was.points, was.resigned_at
            seat.timed_out = was.timed_out
    elif found.rounds:
        row.status = Match.Status.ACTIVE
        return deal(row, snapshot_of(row, seats), row.created_at)
    if first:
        row.status = Match.Status.ACTIVE
    return ()


def _continued(found: Record, loaded: LoadedFrom) -> continuation.Continuation:
    parent = _parent(loaded)
    if loaded.seats is None:
        raise CannotImport("It does not name the seats of the player who loaded it (version 0.1).")
    lock_past(parent.id)
    seed = bytes.fromhex(found.seed)
    return continuation.of(parent, loaded.version, loaded.cards, loaded.seats, seed)


def _parent(loaded: LoadedFrom) -> MatchSnapshot:
    try:
        parent = get_match(_id_of(loaded.match))
    except Match.DoesNotExist:
        raise ParentMissing(f"The match {loaded.match} that it goes on from is not here.") from None
    if parent.commitment != loaded.commitment or not 0 <= loaded.version <= parent.version:
        raise CannotImport(f"Another match here has the id {loaded.match} of its parent.")
    return parent


def _play(found: Record, match: MatchSnapshot) -> None:
    """The moves that were made in this match, written in portions."""
    entries = [entry for line in found.rounds for entry in line.moves]
    transition, timed_out = Transition(match), found.outcome.reason == "timeout"
    for at in range(match.version, len(entries)):
        seat, _, move = entries[at].partition(" ")
        if seat == "-":
            transition = Transition(_rolled_back(_written(transition), move))
        elif move == RESIGN:
            transition.resign(int(seat), timed_out=timed_out and at == len(entries) - 1)
        else:
            transition.play(int(seat), move)
        if len(transition.plies) >= PLIES_AT_ONCE and not transition.outcome:
            transition = Transition(_written(transition))
    _written(transition)


def _written(transition: Transition) -> MatchSnapshot:
    """The match after it; nobody else knows this match yet, so it is as it was."""
    return (commit(transition) if transition.plies else None) or transition.match


def _rolled_back(match: MatchSnapshot, move: str) -> MatchSnapshot:
    row = Match.objects.get(id=match.id)
    opened = Round.objects.get(match_id=match.id, number=target_of(move) or 0, undone_at=None)
    rolling_back.write_roll_back(row, match, opened)
    return get_match(match.id)


def _end(found: Record, match_id: UUID, begun: datetime) -> None:
    """Calls off what was called off; what was written since ``begun`` gets the match's times."""
    match, at = get_match(match_id), found.finished_at
    changes = {"finished_at": at, "updated_at": at}
    if not match.is_over:
        outcome = resigning.aborted(match.sides, closed_scores(match))
        Match.objects.filter(id=match_id).update(
            status=Match.Status.ABORTED,
            outcome=_encode(outcome),
            to_act=[],
            bot_due_at=None,
            deadline_at=None,
            **changes,
        )
    Match.objects.filter(id=match_id).update(**changes)
    Ply.objects.filter(match_id=match_id, at__gte=begun).update(at=at)
    rounds = Round.objects.filter(match_id=match_id)
    rounds.filter(opened_at__gte=begun).update(opened_at=found.started_at or at)
    rounds.filter(closed_at__gte=begun).update(closed_at=at)


def _check_told(found: Record) -> None:
    """What is stored now has to tell the same record."""
    try:
        told = records.of(get_match(_id_of(found.match)))
    except ParentStillRunning as refused:
        raise CannotImport(str(refused)) from None
    told = replace(told, loaded_from=_as_known(told.loaded_from, found.loaded_from))
    names = (name for name in Record.__struct_fields__)
    other = [name for name in names if getattr(told, name) != getattr(found, name)]
    if other:
        raise CannotImport(f"Stored here its {', '.join(other)} would not be what it says.")


def _as_known(told: LoadedFrom | None, found: LoadedFrom | None) -> LoadedFrom | None:
    """Without the seeds that were secret when the record was written."""
    if told is None or found is None:
        return told
    seed = None if found.seed is None else told.seed
    return replace(told, seed=seed, loaded_from=_as_known(told.loaded_from, found.loaded_from))
