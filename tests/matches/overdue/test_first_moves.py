"""Without a first move in its time a match is called off, and nobody is rated by it."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.leagues.models import Membership
from games.lobby import seeking
from games.lobby.selectors import StaysAway
from games.matches import joining, leaving, overdue
from games.matches.models import Match, Seat
from games.matches.time_bank import Clock
from games.people.counting import count_finished
from games.people.models import Result
from games.ratings.models import PersonRating
from games.ratings.rating import rate_finished
from tests.api.calls import get
from tests.matches.scenes import move, now, opened, played

CLOCK = Clock(600, 5)


def pair(ada, ben, seats="me, open", **more):
    more = more or {"turn_seconds": 20}
    return joining.join(match_id=opened(ada, seats, visibility="public", **more).id, user=ben)


def swept(match, seconds=1):
    """A beat so long after the deadline."""
    with time_machine.travel(match.deadline_at + timedelta(seconds=seconds), tick=False):
        overdue.resend_overdue()
        rate_finished()
        count_finished()
    return now(match)


def stays_away(ada, ben, **more):
    return swept(pair(ada, ben, **more))


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
        match = swept(move(pair(ada, ben)))
        assert (match.status, match.seats[1].timed_out) == ("aborted", True)

    def test_one_of_three_calls_it_off_for_all(self, ada, ben, cleo):
        match = opened(ada, "me, open, open", "shithead", turn_seconds=20, options={"players": 3})
        for person in (ben, cleo):
            match = joining.join(match_id=match.id, user=person)
        match = move(move(match, "ready", 0), "ready", 1)
        assert swept(match).status == "aborted"

    def test_who_has_moved_loses_by_time_as_ever(self, ada, ben):
        match = swept(played(pair(ada, ben), 2))
        assert (match.status, match.outcome.reason) == ("finished", "timeout")

    def test_a_person_alone_against_computers_loses_by_time(self, ada):
        match = swept(opened(ada, "me, bot greedy", turn_seconds=20))
        assert (match.status, match.outcome.reason) == ("finished", "timeout")

    def test_what_the_computer_plays_for_lack_of_a_choice_is_no_first_move(self, ada, ben):
        match = pair(ada, ben)
        assert [seat.awaited for seat in match.seats] == [True, True]
        assert [seat.awaited for seat in move(match).seats] == [False, True]


class TestItsTime:
    def test_of_a_bank_it_is_a_minute(self, ada, ben):
        match = pair(ada, ben, clock=CLOCK)
        assert match.deadline_at == match.started_at + timedelta(seconds=60)
        assert match.banks.until[0] == match.started_at + timedelta(seconds=600)
        after = move(match)
        assert after.deadline_at == after.updated_at + timedelta(seconds=60)
        after = move(after)
        assert after.deadline_at == after.banks.until[0] > after.updated_at + timedelta(minutes=9)

    def test_of_days_it_is_the_whole_limit(self, ada, ben):
        match = pair(ada, ben, turn_seconds=3 * 86400)
        assert match.deadline_at == match.started_at + timedelta(days=3)

    def test_it_can_be_given_and_the_bank_with_it(self, ada, ben):
        match = pair(ada, ben, clock=CLOCK)
        after = overdue.give_time(match_id=match.id, user=ben)
        assert after.deadline_at == match.deadline_at + timedelta(seconds=60)
        assert after.banks.until[0] == match.banks.until[0] + timedelta(seconds=60)
        with time_machine.travel(match.deadline_at + timedelta(seconds=1), tick=False):
            overdue.resend_overdue()
            assert now(match).status == "active"

    def test_it_is_shown(self, ada, ben, keyed, client):
        match = pair(ada, ben, clock=CLOCK)
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
        assert not pair(ada, ben).rated
        Match.objects.update(finished_at=timezone.now() - timedelta(days=1))
        assert pair(ada, ben).rated

    def test_and_is_not_paired_for_ratings(self, ada, ben, away):
        wish = seeking.NewSeek(game="pisti", pace="blitz")
        with pytest.raises(StaysAway):
            seeking.seek(account=ada, wish=wish)
        assert seeking.seek(account=ben, wish=wish)


def test_a_move_at_the_last_moment_is_not_called_off(ada, ben):
    late = pair(ada, ben)
    move(late)
    assert not leaving.call_off_unbegun(late, [0])
    assert (now(late).status, Seat.objects.filter(timed_out=True).count()) == ("active", 0)


def test_nor_is_one_in_which_time_was_given_meanwhile(ada, ben):
    late = pair(ada, ben)
    overdue.give_time(match_id=late.id, user=ben)
    assert not leaving.call_off_unbegun(late, [0])
