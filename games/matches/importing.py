"""Storing matches that were played at another installation (FORMAT.md §2).

A record is verified, played again through the services that play a match here, and read back: the
stored match must have the same record. Otherwise nothing of it is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from msgspec.structs import replace

from accounts.models import User
from accounts.names import shown_name
from accounts.services import pseudonym
from cardroom.rules import catalog, course, record
from cardroom.rules.course import RESIGN, target_of
from cardroom.rules.record import LoadedFrom, Record, RecordedSeat
from games.matches import loading, records, rolling_back
from games.matches.commit import commit
from games.matches.models import Match, Ply, Round, Seat
from games.matches.opening import deal
from games.matches.refusals import DealIsSealed, ParentStillRunning
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.selectors.lists import closed_scores
from games.matches.selectors.secrecy import is_revealed, lock_past
from games.matches.snapshot import MatchSnapshot
from games.matches.transition import Transition

# The people on the seats of a match that was played at another installation.
#
# A record names people only as they were shown there. A person for whom no account of this
# installation is given gets one that nobody can sign in to.

Accounts: TypeAlias = Mapping[str, User]


class CannotImport(Exception):
    """A record that is in order, but cannot be stored here."""


def seats_of(recorded: Sequence[RecordedSeat], accounts: Accounts) -> list[Seat]:
    """The seats with their people; raises ``CannotImport``."""
    _check_names(recorded)
    seats: list[Seat] = []
    for index, recorded_seat in enumerate(recorded):
        seat = Seat(
            index=index,
            kind=recorded_seat.kind,
            name=recorded_seat.name,
            bot=recorded_seat.bot or "",
        )
        seat.side_deck = None if recorded_seat.side_deck is None else list(recorded_seat.side_deck)
        if recorded_seat.kind == "user":
            seat.user = _person(recorded_seat.name, accounts, seats)
        seats.append(seat)
    device = next((seat.user for seat in seats if seat.user), None)
    for seat in seats:
        if seat.kind == "local":
            seat.user = device or pseudonym(seat.name)
    return seats


def _person(name: str, accounts: Accounts, others: Sequence[Seat]) -> User:
    namesakes = sum(other.name == name for other in others)
    person = accounts.get(name) or pseudonym(name, namesakes)
    if any(other.user == person for other in others):
        raise CannotImport(f"Two of its seats would belong to the account {person.username}.")
    return person


def _check_names(seats: Sequence[RecordedSeat]) -> None:
    for number, seat in enumerate(seats):
        try:
            shown = not seat.name or shown_name(seat.name) == seat.name
        except ValidationError:
            shown = False
        if not shown or (not seat.name and seat.kind != "open"):
            raise CannotImport(f"The name of seat {number} cannot be shown here.")


PLIES_AT_ONCE: Final = 500  # are written in one statement
EARLIEST: Final = datetime(1970, 1, 2, tzinfo=UTC)
CLOCKS_DIFFER: Final = timedelta(days=1)

_encode = msgspec.json.encode


class ParentMissing(CannotImport):
    """The match that it was loaded from is not here, or not yet."""


@dataclass(frozen=True)
class Terms:
    """``accounts``: the accounts here of the people in the records, by their names there.

    Everybody else gets an account that nobody can sign in to.
    """

    visibility: str = "private"
    accounts: Mapping[str, User] = field(default_factory=dict)


def store(data: bytes, terms: Terms) -> bool:
    """Stores the match of a record; ``False`` if it is here already.

    Raises ``BadRecord`` for a record with a fault, ``CannotImport`` for one that cannot be stored.
    """
    recorded = record.read(data)
    if _is_here(recorded):
        return False
    record.replay(recorded)
    _check_times(recorded)
    try:
        with transaction.atomic():
            _write(recorded, terms)
            _check_same_record(recorded)
    except (DataError, IntegrityError) as error:
        raise CannotImport("The database does not take it.") from error
    return True


def _is_here(recorded: Record) -> bool:
    same_id = Match.objects.filter(id=_id_of(recorded.match))
    here = same_id.values_list("commitment", flat=True).first()
    if here is not None and here != recorded.commitment:
        raise CannotImport(f"Another match here has the id {recorded.match}.")
    return here is not None


def _id_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CannotImport("The id of its match is not a UUID.") from None


def _check_times(recorded: Record) -> None:
    times = [at for at in (recorded.started_at, recorded.finished_at) if at is not None]
    if min(times) < EARLIEST or max(times) > timezone.now() + CLOCKS_DIFFER:
        raise CannotImport("The match was not played between 1970 and now.")


def _write(recorded: Record, terms: Terms) -> None:
    begun, seats = timezone.now(), seats_of(recorded.seats, terms.accounts)
    creator = next((seat.user for seat in seats if seat.user), None) or pseudonym("")
    loaded = recorded.loaded_from
    first = _continued(recorded, loaded) if loaded else None
    row = first.row(creator) if first else _new_row(recorded, creator)
    row.id, row.commitment = _id_of(recorded.match), recorded.commitment
    row.visibility, row.rated = terms.visibility, False
    row.created_at = row.updated_at = recorded.started_at or recorded.finished_at
    row.started_at = recorded.started_at
    dealt = _begin(recorded, row, seats, first)
    row.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    for new in dealt:
        new.save(force_insert=True)
    if first:
        first.write_past(row)
    if recorded.rounds:
        _play(recorded, get_match(row.id))
    _end(recorded, row.id, begun)


def _new_row(recorded: Record, creator: User) -> Match:
    game = catalog.begun_by(recorded.game, recorded.rules_version)
    return Match(
        game=game.slug,
        rules_version=game.rules_version,
        options=_encode(game.choose_options(recorded.options)),
        creator=creator,
        seed=bytes.fromhex(recorded.seed),
    )


def _begin(
    recorded: Record, row: Match, seats: Sequence[Seat], first: loading.Continuation | None
) -> Sequence[Ply | Round]:
    """The first deal, or the seats as they were in the match that this one goes on from."""
    for seat in seats:
        seat.match = row
    if first:
        row.past_was_told = is_revealed(first.old.id)
        for seat, was in zip(seats, first.then.seats, strict=True):
            seat.points, seat.resigned_at = was.points, was.resigned_at
            seat.timed_out = was.timed_out
    elif recorded.rounds:
        row.status = Match.Status.ACTIVE
        return deal(row, snapshot_of(row, seats), row.created_at)
    if first:
        row.status = Match.Status.ACTIVE
    return ()


def _continued(recorded: Record, loaded: LoadedFrom) -> loading.Continuation:
    parent = _parent(loaded)
    if loaded.seats is None:
        raise CannotImport("It does not name the seats of the player who loaded it (version 0.1).")
    lock_past(parent.id)
    seed = bytes.fromhex(recorded.seed)
    return loading.continuation_of(parent, loaded.version, loaded.cards, loaded.seats, seed)


def _parent(loaded: LoadedFrom) -> MatchSnapshot:
    try:
        parent = get_match(_id_of(loaded.match))
    except Match.DoesNotExist:
        raise ParentMissing(f"The match {loaded.match} that it goes on from is not here.") from None
    if parent.commitment != loaded.commitment or not 0 <= loaded.version <= parent.version:
        raise CannotImport(f"Another match here has the id {loaded.match} of its parent.")
    return parent


def _play(recorded: Record, match: MatchSnapshot) -> None:
    """The moves that were made in this match, written in portions."""
    entries = [entry for line in recorded.rounds for entry in line.moves]
    transition, timed_out = Transition(match), recorded.outcome.reason == "timeout"
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


def _end(recorded: Record, match_id: UUID, begun: datetime) -> None:
    """Calls off a match that was called off; all rows since ``begun`` get the match's times."""
    match, at = get_match(match_id), recorded.finished_at
    changes = {"finished_at": at, "updated_at": at}
    if not match.is_over:
        outcome = course.aborted(match.sides, closed_scores(match))
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
    rounds.filter(opened_at__gte=begun).update(opened_at=recorded.started_at or at)
    rounds.filter(closed_at__gte=begun).update(closed_at=at)


def _check_same_record(recorded: Record) -> None:
    """The stored match must have the same record."""
    try:
        stored = records.of(get_match(_id_of(recorded.match)))
    except (DealIsSealed, ParentStillRunning) as refused:
        raise CannotImport(str(refused)) from None
    stored = replace(stored, loaded_from=_as_known(stored.loaded_from, recorded.loaded_from))
    names = (name for name in Record.__struct_fields__)
    other = [name for name in names if getattr(stored, name) != getattr(recorded, name)]
    if other:
        raise CannotImport(f"Stored here its {', '.join(other)} would not be what it says.")


def _as_known(stored: LoadedFrom | None, recorded: LoadedFrom | None) -> LoadedFrom | None:
    """Without the seeds that were secret when the record was written."""
    if stored is None or recorded is None:
        return stored
    seed = None if recorded.seed is None else stored.seed
    earlier = _as_known(stored.loaded_from, recorded.loaded_from)
    return replace(stored, seed=seed, loaded_from=earlier)
