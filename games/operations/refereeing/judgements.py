"""The acts of operators on a match: each is judged, written and logged.

Every function takes the actor with a reason and leaves an entry in the audit log in the same
transaction. The match's players read a notice where the act concerns them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.services.locking import may_play
from config.refusals import Refusal
from games.matches.announcements import announce
from games.matches.history import rolling_back, verification
from games.matches.leaving import handing_over
from games.matches.models import Match, Notice, Round, Seat
from games.matches.records import records
from games.matches.refusals import MatchNotActive, NoSuchMatch
from games.matches.seating import joining
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.snapshot import MatchSnapshot
from games.matches.turns import bot_turns
from games.matches.writing.commit import commit
from games.matches.writing.deadlines import deadlines, extended, give_all_until
from games.matches.writing.transition import Transition
from games.ratings.people import rating
from games.rules import record

NOTICE_LENGTH = 500
LONGEST_EXTENSION = timedelta(days=30)
FAULTS = "Faults:"  # begins the verdict on a match that cannot be verified


class CannotReferee(Refusal, status=409):
    """The match does not allow this now."""


@dataclass
class Case:
    """A match under an operator's lock: its row, its seats, and their snapshot."""

    row: Match
    seats: list[Seat]

    @property
    def match(self) -> MatchSnapshot:
        return snapshot_of(self.row, self.seats)

    def seat(self, index: int) -> Seat:
        if not 0 <= index < len(self.seats):
            raise CannotReferee("The match has no such seat.")
        return self.seats[index]


@contextmanager
def _case(match_id: UUID) -> Iterator[Case]:
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(id=match_id).first()
        if row is None:
            raise NoSuchMatch
        yield Case(row, list(row.seats.order_by("index")))


@contextmanager
def _running(match_id: UUID) -> Iterator[Case]:
    with _case(match_id) as case:
        _check_active(case.match)
        yield case


def _check_active(match: MatchSnapshot) -> None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}.")


def _log(by: Actor, action: str, match: MatchSnapshot, **details: Any) -> None:
    subject = f"{match.rules.name}: {', '.join(name or 'open' for name in match.names)}"
    about = {"version": match.version, **details}
    log.record(by, action, "match", match.id, subject, **about)


def notify_players(match_id: UUID, text: str) -> None:
    """Writes a notice for everybody at the table. Pages load it because the match was touched."""
    Notice.objects.create(match_id=match_id, text=text[:NOTICE_LENGTH])
    Match.objects.filter(id=match_id).update(updated_at=timezone.now())
    transaction.on_commit(lambda: announce(get_match(match_id)))


def send_notice(*, match_id: UUID, by: Actor, text: str) -> str:
    """A message of an operator's own words to the players of a match."""
    if not text.strip():
        raise CannotReferee("Write what the players shall read.")
    with _case(match_id) as case:
        notify_players(match_id, text.strip())
        _log(by, "message_players", case.match, text=text.strip()[:NOTICE_LENGTH])
    return "The players were told."


def play_bot_turn(*, match_id: UUID, by: Actor) -> str:
    """Plays the due turn of a match's bots now, in this process."""
    match = get_match(match_id)
    _check_active(match)
    if not match.awaits_bot:
        raise CannotReferee("No bot is to act in this match.")
    bot_turns.play_bot_turns(match_id=match_id, version=match.version)
    after = get_match(match_id)
    if after.version == match.version:
        raise CannotReferee("The bot did not move. The log of the worker says why.")
    with _case(match_id):
        _log(by, "pay_bot_turn", match, plies=after.version - match.version)
        notify_players(match_id, "An operator made the computer take its turn.")
    return f"Played {after.version - match.version} plies."


def hand_to_bot(*, match_id: UUID, by: Actor, seat: int, bot: str = "") -> str:
    """A bot plays a person's seat until it is given back. The match is unrated from then on."""
    with _running(match_id) as case:
        chosen, slug = case.seat(seat), bot or case.row.rules.stand_in
        _check_can_be_handed(case, chosen, slug)
        case.row.rated = False
        case.row.save(update_fields=["rated"])
        handing_over.hand_over(case.row, case.seats, seat, slug, by_clock=False)
        _log(by, "hand_to_bot", case.match, seat=seat, bot=slug)
        notify_players(
            match_id, f"An operator handed {chosen.name}'s seat to the computer ({slug})."
        )
    return f"{slug} plays seat {seat}."


def _check_can_be_handed(case: Case, seat: Seat, bot: str) -> None:
    if seat.kind == Seat.Kind.BOT or seat.stand_in:
        raise CannotReferee("A bot plays this seat already.")
    if seat.resigned_at is not None or seat.index in case.match.rules.retired_seats(
        case.match.state
    ):
        raise CannotReferee("This seat is out of the match.")
    if bot not in {known.slug for known in case.row.rules.bots}:
        raise CannotReferee(f"{case.row.rules.name} has no bot {bot!r}.")


def give_back(*, match_id: UUID, by: Actor, seat: int) -> str:
    """The person plays on; the time for a move begins now."""
    with _running(match_id) as case:
        chosen = case.seat(seat)
        if not chosen.stand_in:
            raise CannotReferee("No bot stands in for this seat.")
        if chosen.user_id and not may_play(chosen.user_id):
            raise CannotReferee("This person is suspended or gone.")
        handing_over.give_back(case.row, case.seats, seat)
        _log(by, "give_back", case.match, seat=seat)
        notify_players(match_id, f"An operator gave {chosen.name} the seat back.")
    return f"{chosen.name} plays seat {seat} again."


def abort(*, match_id: UUID, by: Actor) -> str:
    """Calls the match off; nobody wins. Also matches of bots alone and those that wait."""
    with _case(match_id) as case:
        if case.match.is_over:
            raise MatchNotActive(f"The match is {case.row.status} already.")
        _log(by, "abort", case.match)
        joining.abort(case.row, case.seats)
        notify_players(match_id, "An operator called the match off. Nobody wins it.")
    return "Called off."


def adjudicate(*, match_id: UUID, by: Actor, winner: int) -> str:
    """Decides the match for the side of a seat: every other side resigns, the last place first.

    So the record stays one that anybody can verify (FORMAT.md, Resigning). It is refused, and
    nothing is touched, where that does not end the match: a seat that is out cannot resign.
    """
    with _running(match_id) as case:
        match, name = case.match, case.match.names[case.seat(winner).index]
        side = next(side for side in match.sides if winner in side)
        if any(match.seats[seat].resigned_at is not None for seat in side):
            raise CannotReferee("This side has resigned; it cannot win.")
        _check_can_be_decided(match, side)
        commit(_decided(match, side))
        _log(by, "adjudicate", match, winner=winner)
        notify_players(match_id, f"An operator decided the match for {name}.")
    return f"{name} wins."


def _check_can_be_decided(match: MatchSnapshot, side: Sequence[int]) -> None:
    out = match.rules.retired_seats(match.state)
    stay = [s.index for s in match.seats if s.index in out and s.resigned_at is None]
    if beside := [match.names[seat] for seat in stay if seat not in side]:
        raise CannotReferee(
            f"{' and '.join(beside)} cannot resign: out of the running {match.rules.round_name}"
            " already. So the match would go on, and nothing was changed. Let it go on, roll it"
            " back or call it off."
        )


def _decided(match: MatchSnapshot, side: Sequence[int]) -> Transition:
    """The match after all others resigned, those with the fewest points first.

    Where points add up places the most are the fewest.
    """
    rest = [s for s in match.seats if s.index not in side and s.resigned_at is None]
    places = match.rules.points_are_places
    transition = Transition(match)
    for seat in sorted(rest, key=lambda seat: -seat.points if places else seat.points):
        if not transition.outcome:
            transition.resign(seat.index)
    return transition


def roll_back(*, match_id: UUID, by: Actor, round: int) -> str:  # noqa: A002 - the form's name
    """Goes on from the opening of a round, dealt again; the match is unrated from then on."""
    with _running(match_id) as case:
        match = case.match
        opened = Round.objects.filter(match_id=match_id, number=round, undone_at=None).first()
        if opened is None:
            raise CannotReferee(f"The match has no round {round}; it has {match.round} so far.")
        if not rolling_back.can_roll_back_to(match, opened):
            raise CannotReferee("This round was played before the match was loaded.")
        rolling_back.write_roll_back(case.row, match, opened)
        _log(by, "roll_back", match, round=round, to=opened.opening_version)
        notice = f"An operator took the match back to round {round}, which is dealt again."
        if absent := _hand_over_the_absent(match_id):
            notice += f" The computer plays for {' and '.join(absent)}."
        notify_players(match_id, notice)
    return f"Round {round} was dealt again."


def _hand_over_the_absent(match_id: UUID) -> list[str]:
    """A bot plays for people who had resigned since and may not play any more; their names.

    Otherwise the others would wait for them. After a suspension a person gets the seat back.
    """
    with _running(match_id) as case:
        bot, out = case.row.rules.stand_in, case.match.rules.retired_seats(case.match.state)
        plays = [s for s in case.seats if s.resigned_at is None and s.index not in out]
        people = [seat for seat in plays if not seat.stand_in]
        absent = [seat for seat in people if seat.user_id and not may_play(seat.user_id)]
        for seat in absent:
            handing_over.hand_over(case.row, case.seats, seat.index, bot, by_clock=False)
        return [seat.name for seat in absent]


def extend_deadline(*, match_id: UUID, by: Actor, minutes: int) -> str:
    """Adds minutes to the time that each person to act has left; nobody ever gets less."""
    added = _checked_time(minutes)
    with _awaiting_people(match_id) as case:
        was, now = case.row.deadline_at, timezone.now()
        if was is None:
            raise CannotReferee("This move has no deadline: there is nothing to extend.")
        until = {
            seat: extended(deadline, added, now) for seat, deadline in deadlines(case.match).items()
        }
        _write_deadlines(case, until, now)
        _log(by, "change_deadline", case.match, minutes=minutes, was=moment(was))
        times = f"{moment(was)} → {moment(case.row.deadline_at)}"
        notify_players(match_id, f"An operator extended the time for this move: {times}.")
    return f"The deadline: {times}."


def set_deadline(*, match_id: UUID, by: Actor, minutes: int) -> str:
    """Gives a move without a deadline this many minutes from now; one that has one keeps it."""
    given = _checked_time(minutes)
    with _awaiting_people(match_id) as case:
        if case.row.deadline_at is not None:
            raise CannotReferee("This move has a deadline. Extend it; nobody is given less time.")
        now = timezone.now()
        _write_deadlines(case, dict.fromkeys(case.match.people_to_act, now + given), now)
        _log(by, "change_deadline", case.match, minutes=minutes, was=moment(None))
        times = f"none → {moment(case.row.deadline_at)}"
        notify_players(match_id, f"An operator set a deadline for this move: {times}.")
    return f"The deadline: {times}."


def clear_deadline(*, match_id: UUID, by: Actor) -> str:
    """Takes the limit from this move."""
    with _awaiting_people(match_id) as case:
        was = case.row.deadline_at
        if was is None:
            raise CannotReferee("This move has no deadline.")
        _write_deadlines(case, {}, timezone.now())
        _log(by, "change_deadline", case.match, minutes=None, was=moment(was))
        notify_players(match_id, "An operator took the limit from this move.")
    return f"The deadline: {moment(was)} → none."


def moment(at: datetime | None) -> str:
    """A time as operators and players read it, to the second."""
    return "none" if at is None else f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _checked_time(minutes: int) -> timedelta:
    if not 0 < minutes <= LONGEST_EXTENSION.total_seconds() // 60:
        raise CannotReferee("Give between one minute and 30 days.")
    return timedelta(minutes=minutes)


@contextmanager
def _awaiting_people(match_id: UUID) -> Iterator[Case]:
    with _running(match_id) as case:
        if not case.match.people_to_act:
            raise CannotReferee("No person is to act in this match.")
        yield case


def _write_deadlines(case: Case, until: Mapping[int, datetime], now: datetime) -> None:
    """Writes each seat's own deadline; the row has the one that ends first."""
    give_all_until(case.row, case.seats, until)
    case.row.deadline_at, case.row.updated_at = min(until.values(), default=None), now
    case.row.save(update_fields=["deadline_at", "updated_at", "clock"])


def close_to_spectators(*, match_id: UUID, by: Actor) -> str:
    """From now on only the players see the match."""
    with _case(match_id) as case:
        if case.row.visibility == Match.Visibility.PRIVATE:
            raise CannotReferee("Only the players see this match already.")
        if case.row.status == Match.Status.OPEN:
            raise CannotReferee("Players could not find their seat any more; abort it instead.")
        was, case.row.visibility = case.row.visibility, Match.Visibility.PRIVATE.value
        case.row.save(update_fields=["visibility"])
        _log(by, "close_to_spectators", case.match, was=was)
        notify_players(match_id, "An operator closed the match to spectators.")
    return "Only the players see it now."


def annul_rating(*, match_id: UUID, by: Actor) -> str:
    """Takes a finished match out of the ratings of people; what it changed is taken back."""
    with _case(match_id) as case:
        match = case.match
        if match.status != "finished" or not match.rated or not rating.annul([match_id]):
            raise CannotReferee("The match is not finished and rated.")
        _log(by, "annul_rating", match)
        notify_players(match_id, "An operator took this match out of the ratings.")
    return "Out of the ratings."


def verify(*, match_id: UUID, by: Actor) -> str:
    """Plays the match again and says what does not follow from its seed and moves."""
    match = get_match(match_id)
    faults = list(verification.faults(match))
    _log(by, "verify", match, faults=len(faults))
    if faults:
        # What the rules say after the colon may name a card that is hidden yet.
        return f"{FAULTS} {' '.join(fault.partition(':')[0] for fault in faults[:5])}"
    return f"Verified: {match.version} plies follow from the seed."


def export_record(*, match_id: UUID, by: Actor) -> tuple[str, bytes]:
    """The record as a file; refused, as to everybody, while it would show hidden cards."""
    match = get_match(match_id)
    exported = records.of(match)
    _log(by, "export_record", match)
    return record.file_name(exported), record.write(exported)


def looked(*, match: MatchSnapshot, by: Actor, action: str, **details: Any) -> None:
    """Records that an operator read what not everybody may read."""
    _log(by, action, match, **details)
