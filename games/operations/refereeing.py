"""The acts of operators on a match: each is judged, written and logged.

Every function takes the actor with a reason and leaves an entry in the audit log in the same
transaction. The match's players read a notice where the act concerns them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.locking import may_play
from cardroom.rules import record
from config.refusals import Refusal
from config.tasks import after_commit
from games import causes
from games.matches import bot_turns, joining, leaving, records, rolling_back, verification
from games.matches.announcements import announce
from games.matches.commit import commit, deadlines, extended, give_all_until
from games.matches.models import Match, Notice, Round, Seat
from games.matches.refusals import MatchNotActive, NoSuchMatch
from games.matches.selectors.access import get_match, snapshot_of
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import log_entries
from games.matches.selectors.secrecy import RUNNING, is_sealed, plays_with_same_cards
from games.matches.snapshot import MatchSnapshot
from games.matches.transition import Transition
from games.operations.models import PlayerReport
from games.ratings import rating

# A match under an operator's lock; every act is logged, and players may read of it.

NOTICE_LENGTH = 500


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
def locked(match_id: UUID) -> Iterator[Case]:
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(id=match_id).first()
        if row is None:
            raise NoSuchMatch
        yield Case(row, list(row.seats.order_by("index")))


@contextmanager
def running(match_id: UUID) -> Iterator[Case]:
    with locked(match_id) as case:
        check_active(case.match)
        yield case


def bots_not_installed(match: MatchSnapshot) -> dict[int, str]:
    """The seats whose computer this installation does not have, with its slug."""
    if match.status != "active" or not match.is_playable:
        return {}
    known = {bot.slug for bot in match.rules.bots}
    seats = ((seat.index, seat.stand_in or seat.bot) for seat in match.seats)
    return {index: slug for index, slug in seats if slug and slug not in known}


def seats_for_a_bot(match: MatchSnapshot) -> list[int]:
    """Seats that a bot may be given: of people who play, and of computers that are gone."""
    if match.status != "active" or not match.is_playable:
        return []
    gone, out = bots_not_installed(match), match.rules.retired_seats(match.state)
    return [
        seat.index
        for seat in match.seats
        if seat.resigned_at is None and seat.index not in out
        if seat.index in gone or (seat.kind != Seat.Kind.BOT and not seat.stand_in)
    ]


def seats_to_give_back(match: MatchSnapshot) -> list[int]:
    seats = match.seats if match.status == "active" else ()
    return [seat.index for seat in seats if seat.stand_in and seat.kind != Seat.Kind.BOT]


def check_active(match: MatchSnapshot) -> None:
    if match.status != "active":
        raise MatchNotActive(f"The match is {match.status}.")


def log_act(by: Actor, action: str, match: MatchSnapshot, **details: Any) -> None:
    subject = f"{match.rules.name}: {', '.join(name or 'open' for name in match.names)}"
    about = {"version": match.version, **details}
    log.record(by, action, "match", match.id, subject, **about)


def notify_players(match_id: UUID, text: str) -> Notice:
    """Writes a notice for everybody at the table. Pages load it because the match was touched."""
    notice = Notice.objects.create(match_id=match_id, text=text[:NOTICE_LENGTH])
    Match.objects.filter(id=match_id).update(updated_at=timezone.now())
    after_commit.when_committed(lambda: announce(get_match(match_id)))
    return notice


FAULTS = "Faults:"  # begins the verdict on a match that cannot be verified


def send_notice(*, match_id: UUID, by: Actor, text: str) -> str:
    """A message of an operator's own words to the players of a match, also on their channels."""
    if not text.strip():
        raise CannotReferee("Write what the players will read.")
    with locked(match_id) as case:
        causes.add_notice_cause(case.match, notify_players(match_id, text.strip()))
        log_act(by, "message_players", case.match, text=text.strip()[:NOTICE_LENGTH])
    return "The players were told."


def play_bot_turn(*, match_id: UUID, by: Actor) -> str:
    """Plays the due turn of a match's bots now, in this process."""
    match = get_match(match_id)
    check_active(match)
    if not match.awaits_bot:
        raise CannotReferee("No bot is to act in this match.")
    if gone := bots_not_installed(match):
        raise CannotReferee(_not_installed(gone))
    bot_turns.play_bot_turns(match_id=match_id, version=match.version)
    after = get_match(match_id)
    if after.version == match.version:
        raise CannotReferee(_why_nothing_was_played(after))
    with locked(match_id):
        log_act(by, "pay_bot_turn", match, plies=after.version - match.version)
        notify_players(match_id, "An operator made the computer take its turn.")
    return f"Played {after.version - match.version} plies."


def _not_installed(gone: Mapping[int, str]) -> str:
    named = " and ".join(f"{slug!r} (seat {seat})" for seat, slug in gone.items())
    return (
        f"This computer is not installed here: {named}. Hand its seat to another one, install it"
        " again, or call the match off."
    )


def _why_nothing_was_played(match: MatchSnapshot) -> str:
    """The class of what failed: its text might name a card."""
    failure = bot_turns.failure_of(match)
    if failure is None:
        return "Somebody else moved the match meanwhile. Look at it again."
    return (
        f"The bot's turn failed: {type(failure).__name__}. The log has it as turn_failed with"
        f" match={match.id}. Roll the match back, decide it or call it off."
    )


def hand_to_bot(*, match_id: UUID, by: Actor, seat: int, bot: str = "") -> str:
    """A bot plays a person's seat until it is given back. The match is unrated from then on."""
    with running(match_id) as case:
        chosen, slug = case.seat(seat), bot or case.row.rules.stand_in
        _check_can_be_handed(case, chosen, slug)
        case.row.rated = False
        case.row.save(update_fields=["rated"])
        leaving.hand_over(case.row, case.seats, seat, slug, by_clock=False)
        log_act(by, "hand_to_bot", case.match, seat=seat, bot=slug)
        notify_players(
            match_id, f"An operator handed {chosen.name}'s seat to the computer ({slug})."
        )
    return f"{slug} plays seat {seat}."


def _check_can_be_handed(case: Case, seat: Seat, bot: str) -> None:
    if seat.index not in seats_for_a_bot(case.match):
        plays = seat.kind == Seat.Kind.BOT or seat.stand_in
        raise CannotReferee(
            "A bot plays this seat already." if plays else "This seat is out of the match."
        )
    if bot not in {known.slug for known in case.row.rules.bots}:
        raise CannotReferee(f"{case.row.rules.name} has no bot {bot!r}.")


def give_back(*, match_id: UUID, by: Actor, seat: int) -> str:
    """The person plays on; the time for a move begins now."""
    with running(match_id) as case:
        chosen = case.seat(seat)
        if seat not in seats_to_give_back(case.match):
            raise CannotReferee("No bot stands in for a person at this seat.")
        if chosen.user_id and not may_play(chosen.user_id):
            raise CannotReferee("This person is suspended or gone.")
        leaving.give_back(case.row, case.seats, seat)
        log_act(by, "give_back", case.match, seat=seat)
        notify_players(match_id, f"An operator gave {chosen.name} the seat back.")
    return f"{chosen.name} plays seat {seat} again."


def abort(*, match_id: UUID, by: Actor) -> str:
    """Calls the match off; nobody wins. Also matches of bots alone and those that wait."""
    with locked(match_id) as case:
        if case.match.is_over:
            raise MatchNotActive(f"The match is {case.row.status} already.")
        log_act(by, "abort", case.match)
        joining.abort(case.row, case.seats)
        notify_players(match_id, "An operator called the match off. Nobody wins it.")
    return "Called off."


def adjudicate(*, match_id: UUID, by: Actor, winner: int) -> str:
    """Decides the match for the side of a seat: every other side resigns, the last place first.

    So the record stays one that anybody can verify (FORMAT.md, Resigning). It is refused, and
    nothing is touched, where that does not end the match: a seat that is out cannot resign.
    """
    with running(match_id) as case:
        match, name = case.match, case.match.names[case.seat(winner).index]
        side = next(side for side in match.sides if winner in side)
        if any(match.seats[seat].resigned_at is not None for seat in side):
            raise CannotReferee("This side has resigned; it cannot win.")
        _check_can_be_decided(match, side)
        commit(_decided(match, side))
        log_act(by, "adjudicate", match, winner=winner)
        notify_players(match_id, f"An operator decided the match for {name}.")
    return f"{name} wins."


def seats_that_may_win(match: MatchSnapshot) -> list[int]:
    """Seats of a side that nobody has resigned for."""
    if match.status != "active" or not match.is_playable:
        return []
    stay = [side for side in match.sides if all(match.seats[s].resigned_at is None for s in side)]
    return [seat for side in stay for seat in side]


def rounds_to_go_back_to(match: MatchSnapshot) -> list[int]:
    """The newest first."""
    rows = rounds_of(match)
    return [one.number for one in rows if rolling_back.can_roll_back_to(match, one)]


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


def what_goes(match: MatchSnapshot, number: int) -> list[str]:
    """The losses of a roll-back to the opening of a round, in sentences."""
    rows = [one for one in rounds_of(match) if one.number >= number]
    opened = next((one for one in rows if one.number == number), None)
    if opened is None:
        return []
    first, gone = opened.opening_version + 1, [one.number for one in rows if one.scores is not None]
    moves = Counter(entry.seat for entry in log_entries(match, after=opened.opening_version))
    by = [f"{name} {moves[seat]}" for seat, name in enumerate(match.names) if seat in moves]
    sentences = [f"Plies {first} to {match.version} go: {', '.join(by)}."] if by else []
    if gone:
        sentences.append(f"The scores of round {', '.join(map(str, sorted(gone)))} go.")
    back = [s for s in match.seats if (s.resigned_at or 0) > opened.opening_version]
    if back:
        sentences.append(f"Back in the match: {', '.join(match.names[s.index] for s in back)}.")
    return sentences or ["Nothing was played since."]


def roll_back(*, match_id: UUID, by: Actor, round: int) -> str:  # noqa: A002 - the form's name
    """Goes on from the opening of a round, dealt again; the match is unrated from then on."""
    with running(match_id) as case:
        match = case.match
        opened = Round.objects.filter(match_id=match_id, number=round, undone_at=None).first()
        if opened is None:
            raise CannotReferee(f"The match has no round {round}; it has {match.round} so far.")
        if is_sealed(match):
            raise CannotReferee("Others are dealt these cards too, so nothing is dealt again.")
        if not rolling_back.can_roll_back_to(match, opened):
            raise CannotReferee("This round was played before the match was loaded.")
        rolling_back.write_roll_back(case.row, match, opened)
        log_act(by, "roll_back", match, round=round, to=opened.opening_version)
        notice = f"An operator took the match back to round {round}, which is dealt again."
        if absent := _hand_over_the_absent(match_id):
            notice += f" The computer plays for {' and '.join(absent)}."
        notify_players(match_id, notice)
    return f"Round {round} was dealt again."


def _hand_over_the_absent(match_id: UUID) -> list[str]:
    """A bot plays for people who had resigned since and may not play any more; their names.

    Otherwise the others would wait for them. After a suspension a person gets the seat back.
    """
    with running(match_id) as case:
        bot, out = case.row.rules.stand_in, case.match.rules.retired_seats(case.match.state)
        plays = [s for s in case.seats if s.resigned_at is None and s.index not in out]
        people = [seat for seat in plays if not seat.stand_in]
        absent = [seat for seat in people if seat.user_id and not may_play(seat.user_id)]
        for seat in absent:
            leaving.hand_over(case.row, case.seats, seat.index, bot, by_clock=False)
        return [seat.name for seat in absent]


def close_to_spectators(*, match_id: UUID, by: Actor) -> str:
    """From now on only the players see the match."""
    with locked(match_id) as case:
        if case.row.visibility == Match.Visibility.PRIVATE:
            raise CannotReferee("Only the players see this match already.")
        if case.row.status == Match.Status.OPEN:
            raise CannotReferee("Players could not find their seat any more; abort it instead.")
        was, case.row.visibility = case.row.visibility, Match.Visibility.PRIVATE.value
        case.row.save(update_fields=["visibility"])
        log_act(by, "close_to_spectators", case.match, was=was)
        notify_players(match_id, "An operator closed the match to spectators.")
    return "Only the players see it now."


def annul_rating(*, match_id: UUID, by: Actor) -> str:
    """Takes a finished match out of the ratings of people; what it changed is taken back."""
    with locked(match_id) as case:
        match = case.match
        if match.status != "finished" or not match.rated or not rating.annul([match_id]):
            raise CannotReferee("The match is not finished and rated.")
        log_act(by, "annul_rating", match)
        notify_players(match_id, "An operator took this match out of the ratings.")
    return "Out of the ratings."


def verify(*, match_id: UUID, by: Actor) -> str:
    """Plays the match again and says what does not follow from its seed and moves."""
    match = get_match(match_id)
    faults = list(verification.faults(match))
    log_act(by, "verify", match, faults=len(faults))
    if faults:
        # The text of the rules after the colon may name a card that is still hidden.
        return f"{FAULTS} {' '.join(fault.partition(':')[0] for fault in faults[:5])}"
    return f"Verified: {match.version} plies follow from the seed."


def export_record(*, match_id: UUID, by: Actor) -> tuple[str, bytes]:
    """The record as a file; refused, as to everybody, while it would show hidden cards."""
    match = get_match(match_id)
    exported = records.of(match)
    log_act(by, "export_record", match)
    return record.file_name(exported), record.write(exported)


def looked(*, match: MatchSnapshot, by: Actor, action: str, **details: Any) -> None:
    """Records that an operator read what not everybody may read."""
    log_act(by, action, match, **details)


# Nobody on the staff decides what concerns themselves.
#
# A player of a match, or of a running one that shares its cards, does nothing to it, alone or in
# a bulk run. A person's opponent does not suspend or erase them, which would end the match. The
# author of a report, and the person reported, do not resolve it.

OWN_MATCH: Final = "You play in this match, or in one with the same cards."


class OwnMatter(Refusal, status=403):
    """This concerns yourself. Another member of staff has to decide it."""


def plays(match_id: UUID, user_id: UUID) -> bool:
    return plays_with_same_cards(match_id, user_id)


def check_match(match_id: UUID, by: Actor) -> None:
    """Raises ``OwnMatter``."""
    if plays(match_id, by.id):
        raise OwnMatter(OWN_MATCH)


def check_person(user_id: UUID, by: Actor) -> None:
    """Raises ``OwnMatter``."""
    if user_id == by.id:
        raise OwnMatter("Nobody does this to their own account.")
    if any(plays(match_id, by.id) for match_id in _running_matches_of(user_id)):
        raise OwnMatter("You play a match with this person, or one with the same cards.")


def check_report(report: PlayerReport, user_id: UUID | None) -> None:
    """Raises ``OwnMatter``."""
    if user_id in (report.reporter_id, report.reported_id):
        raise OwnMatter("You wrote this report, or it is about you.")


def _running_matches_of(user_id: UUID) -> list[UUID]:
    holds = Q(user=user_id) | Q(invited=user_id)
    running = Seat.objects.filter(holds, match__status__in=RUNNING)
    return list(running.values_list("match_id", flat=True).distinct())


# The acts of operators on the time for a move: nobody is ever given less.

LONGEST_EXTENSION = timedelta(days=30)


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
        log_act(by, "change_deadline", case.match, minutes=minutes, was=moment(was))
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
        log_act(by, "change_deadline", case.match, minutes=minutes, was=moment(None))
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
        log_act(by, "change_deadline", case.match, minutes=None, was=moment(was))
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
    with running(match_id) as case:
        if not case.match.people_to_act:
            raise CannotReferee("No person is to act in this match.")
        yield case


def _write_deadlines(case: Case, until: Mapping[int, datetime], now: datetime) -> None:
    """Writes each seat's own deadline; the row has the one that ends first."""
    give_all_until(case.row, case.seats, until)
    case.row.deadline_at, case.row.updated_at = min(until.values(), default=None), now
    case.row.save(update_fields=["deadline_at", "updated_at", "clock"])
