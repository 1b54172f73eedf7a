"""Matches with days for a move: what rests when a turn begins is added to it, and stays so."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.audit.log import Actor
from accounts.hours import services
from accounts.hours.models import Holiday
from games.matches import joining, overdue, verification
from games.matches.commit import current_deadline, deadlines
from games.matches.models import Match, Seat
from games.matches.selectors.history import match_at
from games.operations import refereeing
from tests.matches.scenes import move, now, opened, resigned

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NOON = datetime(2026, 7, 1, 10, tzinfo=UTC)  # in Prague
TWO_DAYS_WITH_NIGHTS = 2 * DAY + 30 * HOUR  # 10 hours, 14, 14, and 10 more of the fourth day


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def pair(ada, ben, **more):
    """Ada is to act against Ben, with two days for a move."""
    more = {"turn_seconds": 2 * 86400} | more
    return joining.join(match_id=opened(ada, "me, open", **more).id, user=ben)


def left(match):
    return match.deadline_at - match.updated_at


def is_sound(match):
    """Whether the row follows from the log and the seats."""
    return match.deadline_at == current_deadline(match) and not list(verification.faults(match))


class TestTheTurn:
    def test_of_who_sleeps_is_longer_and_the_other_has_the_usual_time(self, ada, ben, sleeps):
        sleeps(ben)
        match = pair(ada, ben)
        assert left(match) == 2 * DAY
        match = move(match)
        assert left(match) == TWO_DAYS_WITH_NIGHTS
        assert is_sound(now(match))
        match = move(match)
        assert left(match) == 2 * DAY
        assert is_sound(now(match))

    def test_is_longer_from_the_first_on(self, ada, ben, sleeps):
        sleeps(ada)
        for match in (pair(ada, ben), opened(ada, "me, bot greedy", turn_seconds=2 * 86400)):
            assert left(match) == TWO_DAYS_WITH_NIGHTS
            assert is_sound(now(match))

    def test_runs_through_a_holiday(self, ada, ben, away):
        away(ben, days=7, begins_in=1)
        assert left(move(pair(ada, ben))) == 9 * DAY

    def test_of_both_in_a_holiday(self, ada, ben, away):
        away(ada, days=3, begins_in=1)
        away(ben, days=7, begins_in=1)
        match = pair(ada, ben)
        assert left(match) == 5 * DAY
        assert left(move(match)) == 9 * DAY

    def test_is_not_longer_with_less_than_a_day_for_a_move(self, ada, ben, sleeps, away):
        sleeps(ben)
        away(ben)
        assert left(move(pair(ada, ben, turn_seconds=86399))) == timedelta(seconds=86399)

    def test_of_a_computer_is_as_ever(self, ada, sleeps):
        match = opened(ada, "bot greedy, me", turn_seconds=86400)
        sleeps(ada)
        assert match.deadline_at is None
        assert match.bot_due_at == match.updated_at


class TestAChange:
    def test_saves_nobody_whose_turn_has_begun(self, ada, ben, sleeps, away, clock):
        match = pair(ada, ben)
        clock.shift(2 * DAY - HOUR)
        sleeps(ada)
        away(ada)
        assert current_deadline(now(match)) == match.deadline_at
        clock.shift(2 * HOUR)
        overdue.resend_overdue()
        assert now(match).status == "aborted"  # nobody has made a first move

    def test_takes_nothing_from_a_turn_that_has_begun(self, ada, ben, sleeps, away, clock):
        sleeps(ada)
        holiday = away(ada)
        match = pair(ada, ben)
        services.change_hours(user=ada, counts=False, time_zone="Asia/Tokyo")
        services.end_holiday(account=ada.pk, holiday_id=holiday.pk)
        assert is_sound(now(match))
        clock.shift(match.deadline_at - match.updated_at - HOUR)
        overdue.resend_overdue()
        assert now(match).status == "active"
        assert left(move(move(match))) == 2 * DAY

    def test_a_holiday_counts_when_it_cannot_be_withdrawn_any_more(self, ada, ben, clock):
        services.announce_holiday(user=ben, first=NOON.date() + DAY, last=NOON.date() + 3 * DAY)
        match = move(pair(ada, ben))
        assert left(match) == 2 * DAY
        clock.shift(HOUR)
        assert left(move(move(match))) == 5 * DAY

    def test_another_holiday_does_not_stretch_the_one_that_runs(self, ada, ben, away):
        away(ben, days=3)
        match = move(pair(ada, ben))
        away(ben, days=3, begins_in=4)
        assert current_deadline(now(match)) == match.deadline_at


class TestTheClockOf:
    """Whatever else happens to a turn: it keeps its time, or gets a whole one with its rest."""

    def test_who_takes_a_seat_back(self, ada, ben, sleeps, clock):
        sleeps(ada)
        match = pair(ada, ben, on_timeout="bot_takes_over")
        clock.move_to(match.deadline_at + HOUR)
        overdue.resend_overdue()
        assert now(match).seats[0].stand_in
        clock.move_to(datetime(2026, 7, 11, 10, tzinfo=UTC))
        match = overdue.reclaim(match_id=match.id, user=ada)
        assert match.deadline_at - datetime.now(UTC) == TWO_DAYS_WITH_NIGHTS
        assert is_sound(now(match))

    def test_who_gets_more_from_the_other(self, ada, ben, sleeps):
        sleeps(ben)
        match = move(pair(ada, ben))
        given = overdue.give_time(match_id=match.id, user=ada, seconds=3600)
        assert given.deadline_at == match.deadline_at + HOUR
        assert is_sound(now(match))

    def test_who_gets_more_from_an_operator(self, ada, ben, cleo, sleeps):
        sleeps(ben)
        match = move(pair(ada, ben))
        by = Actor.of(cleo, "He cannot reach his device.")
        refereeing.extend_deadline(match_id=match.id, by=by, minutes=60)
        assert now(match).deadline_at == match.deadline_at + HOUR

    def test_who_resigns_in_a_holiday(self, ada, ben, away):
        away(ben)
        match = resigned(move(pair(ada, ben)), 1)
        assert (match.status, match.deadline_at) == ("finished", None)

    def test_everybody_after_a_roll_back(self, ada, ben, cleo, sleeps):
        sleeps(ada)
        match = move(pair(ada, ben))
        refereeing.roll_back(match_id=match.id, by=Actor.of(cleo, "They agreed."), round=1)
        assert left(now(match)) == TWO_DAYS_WITH_NIGHTS
        assert is_sound(now(match))

    def test_who_acts_at_once_with_another(self, ada, ben, sleeps, clock):
        """Shithead's exchange (R5): the row has the first of the two deadlines."""
        sleeps(ada)
        match = pair(ada, ben, game="shithead")
        assert left(match) == 2 * DAY
        ends = {0: NOON + TWO_DAYS_WITH_NIGHTS, 1: NOON + 2 * DAY}
        assert deadlines(match) == ends
        clock.shift(HOUR)
        match = move(match, match.rules.legal_moves(match.state, 1)[1], 1)  # a swap: no new time
        assert deadlines(now(match)) == ends
        match = move(match, "ready", 1)
        assert match.deadline_at == ends[0]
        assert is_sound(now(match))

    def test_whom_others_watch_later(self, ada, ben, sleeps, clock):
        sleeps(ben)
        match = move(pair(ada, ben))
        was = match.deadline_at
        clock.shift(HOUR)
        match = move(match)
        assert match_at(now(match), 1).deadline_at == was


class TestStatements:
    """A match without days for a move costs nothing more."""

    @pytest.fixture
    def statements(self):
        def statements(act):
            with CaptureQueriesContext(connection) as queries:
                act()
            return [query["sql"] for query in queries]

        return statements

    def test_of_a_move(self, ada, ben, sleeps, away, statements):
        sleeps(ben)
        away(ben)
        quick, slow = pair(ada, ben, turn_seconds=60), pair(ada, ben)
        of_quick = statements(lambda: move(quick))
        of_slow = statements(lambda: move(slow))
        assert len(of_slow) == len(of_quick) + 1
        assert not any("hours_" in sql for sql in of_quick)
        assert sum("hours_" in sql for sql in of_slow) == 1

    def test_none_for_a_seat_that_rests_never(self, ada, ben):
        move(pair(ada, ben))
        assert not Seat.objects.exclude(extra_version=None).exists()
        assert not Holiday.objects.exists()
        assert Match.objects.get().deadline_at is not None
