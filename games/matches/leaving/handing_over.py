"""A bot plays a person's seat for a while: handing it over, giving it back.

No ply: the bot's moves are moves of the seat. Call these with the match locked. They change the
match's time of change, so a move that is judged at the same time is judged again.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from config.clock import now_after, now_in_milliseconds
from config.tasks import after_commit
from games.matches.announcements import announce
from games.matches.models import Match, Seat
from games.matches.resting import full_time
from games.matches.seat_snapshot import bots_due_at, people_among
from games.matches.selectors.access import snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.matches.writing.deadlines import current_deadline, give_until, late_seats

_SEAT = ["stand_in", "handed_by_clock", "extra_seconds", "extra_version"]


def hand_over(row: Match, seats: Sequence[Seat], index: int, bot: str, *, by_clock: bool) -> None:
    """Hands a seat to a bot. ``by_clock``: its person's time was up and they may take it back."""
    seat, limited = seats[index], _is_limited(row, seats)
    seat.stand_in, seat.handed_by_clock = bot, by_clock
    seat.save(update_fields=_SEAT)
    _reschedule(row, seats, limited=limited)


def give_back(row: Match, seats: Sequence[Seat], index: int) -> None:
    """The person plays on; the time for a move begins now, or the bank runs on."""
    seat, limited = seats[index], _is_limited(row, seats)
    seat.stand_in, seat.handed_by_clock = "", False
    match = snapshot_of(row, seats)
    if match.banks is not None:
        row.clock = match.banks.with_at_least(index).encode()
    elif index in match.people_to_act and match.turn_seconds:
        until = full_time(match.turn_seconds, seat.user_id, now_in_milliseconds())
        give_until(match, seat, until)
    seat.save(update_fields=_SEAT)
    _reschedule(row, seats, limited=limited)


def _is_limited(row: Match, seats: Sequence[Seat]) -> bool:
    """Whether a deadline runs for those to act: an operator may have cleared it for this move."""
    return row.deadline_at is not None or not snapshot_of(row, seats).people_to_act


def _reschedule(row: Match, seats: Sequence[Seat], *, limited: bool) -> MatchSnapshot:
    """Sets when bots are due and until when people have time, as those to act may have changed."""
    match, at = snapshot_of(row, seats), now_after(row.updated_at)
    people = people_among(match.to_act, match.rules, match.seats, match.state)
    row.bot_due_at = bots_due_at(match.to_act, people, match.seats, at)
    if match.banks is not None and limited:
        row.clock = match.banks.for_those(people, at).encode()
        match = snapshot_of(row, seats)
    row.deadline_at = current_deadline(match) if limited else None
    row.updated_at = at
    row.save(update_fields=["bot_due_at", "deadline_at", "updated_at", "clock"])
    return announced(row, seats)


def announced(row: Match, seats: Sequence[Seat]) -> MatchSnapshot:
    """The match as it is written now; it is announced when the transaction ends."""
    match = snapshot_of(row, seats)
    after_commit.when_committed(lambda: announce(match))
    return match


@transaction.atomic
def hand_over_late(match_id: UUID) -> None:
    """Every seat whose time is up goes to the game's stand-in."""
    row = Match.objects.select_for_update().get(id=match_id)
    seats, now = list(row.seats.order_by("index")), now_in_milliseconds()
    match = snapshot_of(row, seats)
    if match.status != "active" or match.deadline_at is None or match.deadline_at > now:
        return  # somebody moved at the last moment
    for seat in list(late_seats(match, now)):
        hand_over(row, seats, seat, match.rules.stand_in, by_clock=True)
