"""A party: a table on a big screen, and the four letters by which phones sit down at it.

A code is kept in the cache and names one match. It lets people sit down while that match waits, and
brings those back who sit there already; to all others a code of a match that has begun is unknown,
as one that was never given. It never shows more than the table's own address does. The host removes
people, begins with those who are here, and hands the seat of a lost phone to another one by a code
for this seat alone.
"""

import secrets
from typing import Any, Final
from uuid import UUID

import msgspec
from django.core.cache import cache
from django.db import transaction

from accounts.locking import check_may_play
from accounts.models import User
from cardroom.rules.text import say
from config.clock import now_after
from config.refusals import NotAllowed
from config.tasks import after_commit
from games.matches import opening, rating
from games.matches.announcements import announce
from games.matches.joining import block_player, give_back, join, locked_match
from games.matches.models import Match, Seat
from games.matches.opening import find_terms, write_change
from games.matches.refusals import (
    BadSeats,
    MatchNotActive,
    MatchNotOpen,
    NoMoreCodes,
    NotTheHost,
    UnknownCode,
)
from games.matches.seats import is_anybodys, is_kept_away
from games.matches.selectors.access import SERVICE, find_match, snapshot_of
from games.matches.snapshot import MatchSnapshot

LETTERS: Final = "BCDFHJKMNPRTVWXZ"  # none looks like another, and no word comes of them
LENGTH: Final = 4
EVENING_SECONDS: Final = 12 * 3600
SEAT_SECONDS: Final = 10 * 60  # a code for one seat
_TRIES: Final = 50


def as_code(text: str) -> str:
    """As somebody types it; empty if it cannot be one."""
    letters = "".join(text.upper().split())
    return letters if len(letters) == LENGTH and set(letters) <= set(LETTERS) else ""


def _named(code: str) -> str:
    return f"party:code:{code}"


def _of_match(match_id: UUID) -> str:
    return f"party:match:{match_id}"


def _guest_of(host: UUID, person: UUID) -> str:
    return f"party:guest:{host}:{person}"


def known_code(match: MatchSnapshot) -> str:
    """The code of a table that waits, if it has one."""
    return (cache.get(_of_match(match.id)) or "") if match.status == "open" else ""


def code_for(match: MatchSnapshot) -> str:
    """The same, made where there is none; empty where nobody may sit down by one."""
    if match.status != "open" or match.visibility == "private":
        return ""
    code = known_code(match)
    if code and cache.get(_named(code)) == [str(match.id)]:
        cache.touch(_named(code), EVENING_SECONDS)
        cache.touch(_of_match(match.id), EVENING_SECONDS)
        return code
    return _renewed(match.id) if any(map(is_anybodys, match.seats)) else ""


def _renewed(match_id: UUID) -> str:
    """A new code for a match; the one before leads nowhere any more."""
    before = cache.get(_of_match(match_id))
    code = _made([str(match_id)], EVENING_SECONDS)
    cache.set(_of_match(match_id), code, EVENING_SECONDS)
    if before:
        cache.delete(_named(before))
    return code


def _made(what: list[Any], seconds: int) -> str:
    for _ in range(_TRIES):
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if cache.add(_named(code), what, seconds):
            return code
    raise NoMoreCodes


def table_of(code: str, user: UUID | None) -> MatchSnapshot:
    """The match to which a code leads this person. Raises UnknownCode."""
    match, seat = _looked_up(code)
    if match.seats_of(user) and match.status != "aborted":
        return match
    if seat is None and (match.status != "open" or match.visibility == "private"):
        raise UnknownCode
    return match


def _looked_up(code: str) -> tuple[MatchSnapshot, tuple[int, UUID] | None]:
    kept = cache.get(_named(code)) if code else None
    access = find_match(UUID(kept[0]), SERVICE) if kept else None
    if kept is None or access is None:
        raise UnknownCode
    return access.match, (kept[1], UUID(kept[2])) if len(kept) > 1 else None


def sit_down(*, code: str, user: User) -> MatchSnapshot:
    """Seats a person, or brings them back to the seat that they have. Raises ``Refusal``."""
    match = table_of(code, user.id)
    if match.seats_of(user.id):
        return match
    _, seat = _looked_up(code)
    if seat is not None:
        return _take_over(code, match.id, *seat, user)
    seated = join(match_id=match.id, user=user)
    cache.set(_guest_of(match.creator_id, user.id), 1, EVENING_SECONDS)
    return seated


# Acts of the host.


def _locked_for_host(match_id: UUID, host: User) -> tuple[Match, list[Seat]]:
    row, seats = locked_match(match_id, host)
    if row.creator_id != host.id:
        raise NotTheHost
    check_may_play(host.id)
    return row, seats


def remove(*, match_id: UUID, host: User, seat: int) -> MatchSnapshot:
    """Frees a person's seat before the match begins, and keeps them away: the host blocks them.

    The code changes, as they know the one before.
    """
    with transaction.atomic():
        row, seats = _locked_for_host(match_id, host)
        person = _person_at(row, seats, host, seat)
    block_player(match_id=match_id, user=host, seat=seat)
    with transaction.atomic():
        row, seats = _locked_for_host(match_id, host)
        if _person_at(row, seats, host, seat) != person:
            raise BadSeats("Somebody else sits there now.")
        give_back(row, seats[seat])
        seats[seat].save()
        match = write_change(row, seats)
    cache.delete(_guest_of(host.id, person))
    if known_code(match):
        _renewed(match_id)
    return match


def _person_at(row: Match, seats: list[Seat], host: User, index: int) -> UUID:
    if row.status != Match.Status.OPEN:
        raise MatchNotOpen
    person = seats[index].user_id if index < len(seats) else None
    if person is None or person == host.id:
        raise NotAllowed("Nobody sits there whom you could remove.")
    return person


@transaction.atomic
def begin(*, match_id: UUID, host: User) -> MatchSnapshot:
    """Starts with those who are here: the free seats are taken away, as far as the rules allow."""
    row, seats = _locked_for_host(match_id, host)
    if row.status != Match.Status.OPEN:
        raise MatchNotOpen
    here = [seat for seat in seats if seat.kind != Seat.Kind.OPEN]
    if row.state is not None or any(seat.invited_id for seat in seats):
        raise NotAllowed("A seat is kept for somebody. Open it to anybody first.")
    before = row.rules.decode_options(bytes(row.options))
    values = {**msgspec.to_builtins(before), "players": len(here)}
    if row.rules.seats(before) != len(here):
        game, options = find_terms(row.game, values if hasattr(before, "players") else None, None)
        if game.seats(options) != len(here):
            raise BadSeats(
                say(
                    "{game} cannot be played by {n} with these rules.",
                    game=row.rules.name,
                    n=len(here),
                )
            )
        row.options = msgspec.json.encode(options)
    row.seats.filter(kind=Seat.Kind.OPEN).delete()
    for index, seat in enumerate(here):
        seat.index = index
        seat.save(update_fields=["index"])
    rating.settle(row, here)
    opening.check_active_limit(row, here)
    row.save(update_fields=["options"])
    return write_change(row, here)


def seat_guests(played: UUID, rematch: MatchSnapshot) -> MatchSnapshot:
    """Seats those who came by a code where their host plays on: one press for everybody.

    They sat down for the evening; others are asked, as for any rematch.
    """
    code, before = cache.get(_of_match(played)), find_match(played, SERVICE)
    if not code or before is None or before.match.creator_id != rematch.creator_id:
        return rematch
    cache.set(_named(code), [str(rematch.id)], EVENING_SECONDS)
    cache.set(_of_match(rematch.id), code, EVENING_SECONDS)
    invited = [seat.invited_id for seat in rematch.seats if seat.kind == "open" and seat.invited_id]
    for person in User.objects.filter(id__in=invited):
        if cache.get(_guest_of(rematch.creator_id, person.id)):
            rematch = join(match_id=rematch.id, user=person)
    return rematch


def guests_at(match: MatchSnapshot) -> list[int]:
    """The seats that their host may hand over: of a match that runs and is not rated."""
    if match.status != "active" or match.rated:
        return []
    others = {
        _guest_of(match.creator_id, seat.user_id): seat.index
        for seat in match.seats
        if seat.user_id is not None and seat.user_id != match.creator_id
    }
    return sorted(others[name] for name in cache.get_many(others)) if others else []


def hand_over(*, match_id: UUID, host: User, seat: int) -> str:
    """A code by which another phone takes the seat of one that was lost, once and soon."""
    with transaction.atomic():
        row, seats = _locked_for_host(match_id, host)
        person = seats[seat].user_id if seat < len(seats) else None
        if row.status != Match.Status.ACTIVE:
            raise MatchNotActive
        if row.rated or person is None or not cache.get(_guest_of(host.id, person)):
            raise NotAllowed("Only the seat of a guest who came by the code can be handed over.")
    return _made([str(match_id), seat, str(person)], SEAT_SECONDS)


@transaction.atomic
def _take_over(code: str, match_id: UUID, index: int, person: UUID, user: User) -> MatchSnapshot:
    row = Match.objects.select_for_update().get(id=match_id)
    seats = list(row.seats.order_by("index"))
    check_may_play(user.id)
    is_theirs = row.status == Match.Status.ACTIVE and seats[index].user_id == person
    if not is_theirs or user.id == row.creator_id or is_kept_away(user.id, row.creator_id, seats):
        raise UnknownCode
    if not cache.delete(_named(code)):  # another phone was faster
        raise UnknownCode
    seats[index].user, seats[index].name = user, user.display_name
    seats[index].save(update_fields=["user", "name"])
    row.updated_at = now_after(row.updated_at)
    row.save(update_fields=["updated_at"])
    cache.set(_guest_of(row.creator_id, user.id), 1, EVENING_SECONDS)
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match
