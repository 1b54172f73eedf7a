"""The end of the time for a move, time given to others, seats taken back."""

from datetime import timedelta
from time import monotonic, sleep

import pytest
import time_machine
from django.utils import timezone

from accounts.audit.log import Actor
from cardroom.rules import record
from games.leagues.models import Membership
from games.lobby import seeking
from games.lobby.selectors import StaysAway
from games.matches import joining, leaving, overdue, records, verification
from games.matches.joining import open_rematch
from games.matches.models import Match, Ply, Seat
from games.matches.refusals import (
    BadOptions,
    NobodyToGiveTime,
    NotYourSeat,
    SeatHandedOver,
    TimeIsUp,
    TooMuchTime,
)
from games.matches.time_bank import Clock
from games.operations import refereeing
from games.people.counting import count_finished
from games.people.models import Result
from games.ratings.models import PersonRating
from games.ratings.rating import rate_finished
from tests.api.calls import get
from tests.matches.scenes import move, now, opened, played, resigned, short

EXCHANGE = {"game": "shithead", "turn_seconds": 60}


@pytest.fixture
def referee(cleo) -> Actor:
    return Actor.of(cleo, "Ada cannot reach her device.")


def at(match, seconds):
    """This many seconds after the deadline."""
    return time_machine.travel(match.deadline_at + timedelta(seconds=seconds), tick=False)


def pair(ada, ben, **more):
    """Ada is to act against Ben."""
    more = {"turn_seconds": 60} | more
    return joining.join(match_id=opened(ada, "me, open", **more).id, user=ben)


def begun(ada, ben, **more):
    """Both have made a first move; Ada is to act."""
    return played(pair(ada, ben, **more), 2)


def swept(match, seconds=1):
    with at(match, seconds):
        overdue.resend_overdue()
    return now(match)


def is_sound(match):
    return not list(verification.faults(match)) and record.verify(records.of(match)) is None


class TestABotMoves:
    @pytest.fixture
    def match(self, ada, ben):
        return pair(ada, ben, on_timeout="bot_move")

    def test_once_and_the_person_stays(self, match):
        after = swept(match)
        assert (after.version, after.to_act, after.status) == (1, [1], "active")
        assert after.seats[0].stand_in == ""
        assert after.deadline_at == after.updated_at + timedelta(seconds=60)
        assert move(after).version == 2

    def test_the_late_move_is_refused_and_the_bot_moves(self, match):
        with at(match, 1):
            with pytest.raises(TimeIsUp):
                move(match)
            overdue.resend_overdue()
        assert now(match).version == 1

    def test_in_the_exchange_until_it_is_over_for_the_seat(self, ada, ben):
        match = pair(ada, ben, on_timeout="bot_move", **EXCHANGE)
        after = swept(move(match, "ready", 1))
        assert after.state.phase == "play"

    def test_the_seal_can_be_verified_afterwards(self, ada, ben):
        match = short(ada, "pisti", "me, open", turn_seconds=60, on_timeout="bot_move")
        match = joining.join(match_id=match.id, user=ben)
        while match.status == "active":
            match = swept(match)
        assert is_sound(match)


class TestABotTakesOver:
    @pytest.fixture
    def match(self, ada, ben):
        return pair(ada, ben, on_timeout="bot_takes_over", preset="single")

    def test_until_the_person_takes_the_seat_back(self, match, ada):
        after = swept(match)
        assert after.seats[0].stand_in == after.rules.stand_in
        assert (after.awaits_bot, after.deadline_at, after.version) == (True, None, 0)
        with pytest.raises(SeatHandedOver, match="Take it back"):
            move(after, seat=0, text=after.rules.legal_moves(after.state, 0)[0])
        with at(match, 100):
            back = overdue.reclaim(match_id=match.id, user=ada)
            assert (back.bot_due_at, back.people_to_act) == (None, [0])
            assert back.deadline_at == back.updated_at + timedelta(seconds=60)
            assert move(back).version == 1
        assert is_sound(played(now(match)))

    def test_the_time_after_that_is_the_persons_own(self, match, ada):
        swept(match)
        with at(match, 100):
            back = overdue.reclaim(match_id=match.id, user=ada)
        with at(back, -1):
            overdue.resend_overdue()
            assert now(back).seats[0].stand_in == ""
        assert swept(back).seats[0].stand_in

    def test_a_late_move_hands_the_seat_over_at_once(self, match):
        with at(match, 1), pytest.raises(TimeIsUp):
            move(match)
        assert now(match).seats[0].handed_by_clock

    def test_only_who_is_late_of_those_who_act_at_once(self, ada, ben):
        match = pair(ada, ben, on_timeout="bot_takes_over", **EXCHANGE)
        overdue.give_time(match_id=match.id, user=ada, seconds=100)
        after = swept(match)
        assert [seat.handed_by_clock for seat in after.seats] == [True, False]
        assert after.deadline_at == match.deadline_at + timedelta(seconds=100)

    def test_taking_back_twice_or_what_is_ones_own_changes_nothing(self, match, ada, ben):
        assert overdue.reclaim(match_id=match.id, user=ada).version == 0
        with pytest.raises(NotYourSeat):
            overdue.reclaim(match_id=match.id, user=ben, seat=0)

    def test_not_from_an_operator(self, match, ada, referee):
        refereeing.hand_to_bot(match_id=match.id, by=referee, seat=0)
        with pytest.raises(SeatHandedOver, match="operator"):
            overdue.reclaim(match_id=match.id, user=ada)

    def test_the_other_may_resign_meanwhile(self, match):
        assert resigned(swept(match), 1).outcome.winners == (0,)


class TestTimeGiven:
    def test_the_limit_once_more(self, ada, ben):
        match = pair(ada, ben)
        after = overdue.give_time(match_id=match.id, user=ben)
        assert after.deadline_at == match.deadline_at + timedelta(seconds=60)
        again = overdue.give_time(match_id=match.id, user=ben, seconds=5)
        assert swept(match, 64).status == "active"
        with at(again, -1):
            assert move(now(match)).deadline_at == again.deadline_at + timedelta(seconds=59)

    def test_it_runs_out_too(self, ada, ben):
        match = begun(ada, ben)
        after = overdue.give_time(match_id=match.id, user=ben)
        assert swept(after).outcome.reason == "timeout"

    def test_it_stays_while_one_swaps(self, ada, ben):
        match = pair(ada, ben, **EXCHANGE)
        after = overdue.give_time(match_id=match.id, user=ben)
        assert after.deadline_at == match.deadline_at  # Ben's own
        after = move(after, "ready", 1)
        assert after.deadline_at == match.deadline_at + timedelta(seconds=60)
        swap = after.rules.legal_moves(after.state, 0)[1]
        assert move(after, swap, 0).deadline_at == after.deadline_at

    def test_not_to_oneself_nor_to_nobody_nor_without_end(self, ada, ben, cleo):
        match = pair(ada, ben)
        for user, refusal in ((ada, NobodyToGiveTime), (cleo, NotYourSeat)):
            with pytest.raises(refusal):
                overdue.give_time(match_id=match.id, user=user)
        with pytest.raises(TooMuchTime):
            overdue.give_time(match_id=match.id, user=ben, seconds=14 * 24 * 3600)
        with at(match, 1), pytest.raises(TimeIsUp):
            overdue.give_time(match_id=match.id, user=ben)
        free = pair(ada, ben, turn_seconds=None)
        with pytest.raises(NobodyToGiveTime):
            overdue.give_time(match_id=free.id, user=ben)


class TestTheExchange:
    """Shithead R5: swapping, which one may go on with for ever, brings no new time."""

    def test_a_swap_renews_no_deadline(self, ada, ben):
        match = after = pair(ada, ben, **EXCHANGE)
        for seconds, seat in ((-50, 0), (-40, 1), (-30, 0), (-10, 0)):
            with at(match, seconds):
                after = move(after, after.rules.legal_moves(after.state, seat)[1], seat)
                assert after.deadline_at == match.deadline_at
        after = swept(match)
        assert (after.outcome.reason, after.status) == ("timeout", "finished")

    def test_nor_when_the_others_are_ready(self, ada, ben):
        match = pair(ada, ben, **EXCHANGE)
        with at(match, -20):
            after = move(match, "ready", 1)
        with at(match, -1):
            after = move(after, after.rules.legal_moves(after.state, 0)[1], 0)
            assert after.deadline_at == match.deadline_at
            after = move(after, "ready", 0)
        assert after.deadline_at > match.deadline_at  # R6: the first turn has the full time


class TestTerms:
    def test_resigning_is_usual_and_alone_rated(self, ada, ben):
        assert (pair(ada, ben).on_timeout, pair(ada, ben).rated) == ("resign", True)
        assert not pair(ada, ben, on_timeout="bot_move").rated

    def test_it_needs_a_limit(self, ada):
        with pytest.raises(BadOptions, match="a time for a move"):
            opened(ada, on_timeout="bot_move")

    def test_a_rematch_has_the_same(self, ada):
        old = resigned(opened(ada, "me, bot greedy", turn_seconds=60, on_timeout="bot_move"), 0)
        new = open_rematch(match_id=old.id, user=ada)
        assert (new.on_timeout, new.rated) == ("bot_move", False)


def test_an_operators_deadline_counts(ada, ben, referee):
    match = pair(ada, ben, turn_seconds=None)
    refereeing.set_deadline(match_id=match.id, by=referee, minutes=1)
    assert swept(now(match)).outcome.reason == "timeout"


def test_each_change_is_later_than_the_one_before(ada, ben):
    """A kept match is judged by its time of change, so two must not share a millisecond."""
    match = pair(ada, ben, on_timeout="bot_takes_over")
    with at(match, 1):
        late = swept(match, 1)
        back = overdue.reclaim(match_id=match.id, user=ada)
        given = overdue.give_time(match_id=match.id, user=ben)
        again = overdue.give_time(match_id=match.id, user=ben)
    changed = [each.updated_at for each in (match, late, back, given, again)]
    assert changed == sorted(set(changed))


def test_in_real_seconds(ada, ben):
    match = pair(ada, ben, on_timeout="bot_takes_over")
    soon = timezone.now() + timedelta(seconds=1)
    Match.objects.filter(id=match.id).update(turn_seconds=1, deadline_at=soon)
    until = monotonic() + 30
    while not now(match).seats[0].stand_in and monotonic() < until:
        overdue.resend_overdue()
        sleep(0.1)
    assert now(match).seats[0].handed_by_clock
    assert timezone.now() >= soon
    assert Ply.objects.filter(match_id=match.id).count() == 1


# Without a first move in its time a match is called off, and nobody is rated by it.

CLOCK = Clock(600, 5)


def first_moves_pair(ada, ben, seats="me, open", **more):
    more = more or {"turn_seconds": 20}
    return joining.join(match_id=opened(ada, seats, visibility="public", **more).id, user=ben)


def first_moves_swept(match, seconds=1):
    """A beat so long after the deadline."""
    with time_machine.travel(match.deadline_at + timedelta(seconds=seconds), tick=False):
        overdue.resend_overdue()
        rate_finished()
        count_finished()
    return now(match)


def stays_away(ada, ben, **more):
    return first_moves_swept(first_moves_pair(ada, ben, **more))


class TestNobodyCame:
    def test_no_point_of_a_rating_no_win_and_no_league(self, ada, ben, keyed):
        match = stays_away(ada, ben)
        assert (match.status, match.rated, match.outcome.winners) == ("aborted", False, ())
        assert not PersonRating.objects.exists()
        assert not Result.objects.exists()
        assert not Membership.objects.exists()
        told = get(keyed(ben), f"matches/{match.id}").json()
        assert told["first_move"] == {"seats": [0], "until": None}

    def test_nor_by_the_second_who_does_not_answer(self, ada, ben):
        match = first_moves_swept(move(first_moves_pair(ada, ben)))
        assert (match.status, match.seats[1].timed_out) == ("aborted", True)

    def test_one_of_three_calls_it_off_for_all(self, ada, ben, cleo):
        match = opened(ada, "me, open, open", "shithead", turn_seconds=20, options={"players": 3})
        for person in (ben, cleo):
            match = joining.join(match_id=match.id, user=person)
        match = move(move(match, "ready", 0), "ready", 1)
        assert first_moves_swept(match).status == "aborted"

    def test_who_has_moved_loses_by_time_as_ever(self, ada, ben):
        match = first_moves_swept(played(first_moves_pair(ada, ben), 2))
        assert (match.status, match.outcome.reason) == ("finished", "timeout")

    def test_a_person_alone_against_computers_loses_by_time(self, ada):
        match = first_moves_swept(opened(ada, "me, bot greedy", turn_seconds=20))
        assert (match.status, match.outcome.reason) == ("finished", "timeout")

    def test_what_the_computer_plays_for_lack_of_a_choice_is_no_first_move(self, ada, ben):
        match = first_moves_pair(ada, ben)
        assert [seat.awaited for seat in match.seats] == [True, True]
        assert [seat.awaited for seat in move(match).seats] == [False, True]


class TestItsTime:
    def test_of_a_bank_it_is_a_minute(self, ada, ben):
        match = first_moves_pair(ada, ben, clock=CLOCK)
        assert match.deadline_at == match.started_at + timedelta(seconds=60)
        assert match.banks.until[0] == match.started_at + timedelta(seconds=600)
        after = move(match)
        assert after.deadline_at == after.updated_at + timedelta(seconds=60)
        after = move(after)
        assert after.deadline_at == after.banks.until[0] > after.updated_at + timedelta(minutes=9)

    def test_of_days_it_is_the_whole_limit(self, ada, ben):
        match = first_moves_pair(ada, ben, turn_seconds=3 * 86400)
        assert match.deadline_at == match.started_at + timedelta(days=3)

    def test_it_can_be_given_and_the_bank_with_it(self, ada, ben):
        match = first_moves_pair(ada, ben, clock=CLOCK)
        after = overdue.give_time(match_id=match.id, user=ben)
        assert after.deadline_at == match.deadline_at + timedelta(seconds=60)
        assert after.banks.until[0] == match.banks.until[0] + timedelta(seconds=60)
        with time_machine.travel(match.deadline_at + timedelta(seconds=1), tick=False):
            overdue.resend_overdue()
            assert now(match).status == "active"

    def test_it_is_shown(self, ada, ben, keyed, client):
        match = first_moves_pair(ada, ben, clock=CLOCK)
        told = get(keyed(ben), f"matches/{match.id}").json()
        assert told["first_move"] == {"seats": [0, 1], "until": told["deadline_at"]}
        page = client.get(f"/matches/{match.id}").content.decode()
        assert "without a first move the match is called off" in page
        move(move(match))
        assert "first_move" not in get(keyed(ben), f"matches/{match.id}").json()
        assert "without a first move" not in client.get(f"/matches/{match.id}").content.decode()

    def test_the_page_says_who_did_not_come(self, ada, ben, client):
        match = stays_away(ada, ben)
        page = client.get(f"/matches/{match.id}").content.decode()
        assert "Ada made no first move in time." in page


class TestPickingCards:
    """Who does not like their cards could wait for others."""

    @pytest.fixture
    def away(self, ada, ben):
        for _ in range(3):
            assert stays_away(ada, ben).status == "aborted"

    def test_is_rated_no_more_for_a_day(self, ada, ben, away):
        assert not first_moves_pair(ada, ben).rated
        Match.objects.update(finished_at=timezone.now() - timedelta(days=1))
        assert first_moves_pair(ada, ben).rated

    def test_and_is_not_paired_for_ratings(self, ada, ben, away):
        wish = seeking.NewSeek(game="pisti", pace="blitz")
        with pytest.raises(StaysAway):
            seeking.seek(account=ada, wish=wish)
        assert seeking.seek(account=ben, wish=wish)


def test_a_move_at_the_last_moment_is_not_called_off(ada, ben):
    late = first_moves_pair(ada, ben)
    move(late)
    assert not leaving.call_off_unbegun(late, [0])
    assert (now(late).status, Seat.objects.filter(timed_out=True).count()) == ("active", 0)


def test_nor_is_one_in_which_time_was_given_meanwhile(ada, ben):
    late = first_moves_pair(ada, ben)
    overdue.give_time(match_id=late.id, user=ben)
    assert not leaving.call_off_unbegun(late, [0])
