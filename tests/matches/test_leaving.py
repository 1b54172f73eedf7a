"""Giving up, and running out of time (FORMAT.md §2, Resigning)."""

from datetime import timedelta

import pytest
import time_machine
from msgspec.structs import replace

from games.matches import bot_turns, leaving, overdue
from games.matches.joining import open_rematch
from games.matches.models import Ply
from games.matches.refusals import MatchNotActive, NoSuchMatch, NotYourSeat, SeatIsOut, TimeIsUp
from games.matches.selectors.access import Caller
from tests.matches.scenes import move, now, opened, played, resigned, short

THREE = {"options": {"players": 3}}
TEAMS = {"preset": "partnership"}


def asked_again(match):
    """The match as read again: one that ended may have been loaded from meanwhile."""
    return replace(match, has_loads=False)


class TestBetweenTwo:
    def test_the_other_side_wins_at_once_also_out_of_turn(self, ada):
        match = resigned(move(opened(ada, "me, bot greedy")), 0)
        assert (match.status, match.outcome.reason) == ("finished", "resigned")
        assert match.outcome.winners == (1,)
        assert [seat.place for seat in match.seats] == [2, 1]
        assert (match.version, list(match.to_act), match.bot_due_at) == (2, [], None)
        assert Ply.objects.get(match_id=match.id, version=2).move == "resign"
        assert now(match) == asked_again(match)

    def test_points_are_those_of_the_finished_rounds(self, ada):
        match = played(opened(ada), 50)
        points = tuple(seat.points for seat in match.seats)
        assert resigned(match, 1).outcome.points == points

    def test_once_only_and_not_after_the_end(self, ada):
        match = resigned(opened(ada), 0)
        with pytest.raises(MatchNotActive):
            resigned(match, 1)
        assert now(match) == asked_again(match)

    def test_not_before_the_start(self, ada):
        with pytest.raises(MatchNotActive):
            resigned(opened(ada, "me, open"), 0)

    def test_not_on_anothers_seat(self, ada, ben):
        match = opened(ada, "me, bot greedy")
        for seat in (None, 0, 1):
            with pytest.raises(NotYourSeat):
                leaving.resign(match_id=match.id, caller=Caller(user=ben.id), seat=seat)
        with pytest.raises(NotYourSeat):
            leaving.resign(match_id=match.id, caller=Caller(user=ada.id), seat=1)
        private = opened(ada, visibility="private")
        with pytest.raises(NoSuchMatch):
            leaving.resign(match_id=private.id, caller=Caller(user=ben.id))


class TestAmongMore:
    def test_a_bot_plays_the_seat_on(self, ada):
        match = resigned(opened(ada, "me, local, local", **THREE), 0)
        assert (match.status, list(match.to_act)) == ("active", [0])
        assert match.bot_in_control(0) == match.rules.stand_in
        assert match.bot_due_at == match.updated_at
        assert bot_turns.play_bot_turns(match_id=match.id, version=1)
        assert (now(match).version, list(now(match).to_act)) == (2, [1])

    def test_the_seat_is_no_longer_its_persons(self, ada):
        match = resigned(opened(ada, "me, local, local", **THREE), 0)
        with pytest.raises(MatchNotActive, match="resigned"):
            move(match, seat=0)
        with pytest.raises(SeatIsOut):
            resigned(match, 0)

    def test_it_is_ranked_last(self, ada):
        match = opened(ada, "me, bot greedy, bot random", options={"players": 3, "target_score": 1})
        match = played(resigned(match, 0))
        assert match.outcome.places[0] == 3
        assert 0 not in match.outcome.winners
        assert match.outcome.reason == "target"

    def test_when_one_side_is_left_the_match_is_over(self, ada):
        match = resigned(resigned(opened(ada, "me, local, local", **THREE), 1), 0)
        assert (match.status, match.outcome.reason) == ("finished", "resigned")
        assert match.outcome.winners == (2,)
        assert match.outcome.places == (2, 3, 1)

    def test_who_is_out_cannot_resign(self, ada):
        match = opened(ada, "me, local, local", "pyanitsa", options={"players": 3})
        while not match.rules.retired_seats(match.state):
            match = move(match)
        (gone,) = match.rules.retired_seats(match.state)
        with pytest.raises(SeatIsOut):
            resigned(match, gone)


class TestTeams:
    def test_a_bot_plays_on_for_the_partner(self, ada):
        match = resigned(opened(ada, "me, local, local, local", **TEAMS), 0)
        assert match.status == "active"
        assert resigned(match, 1).status == "active"

    def test_a_side_has_resigned_when_both_have(self, ada):
        match = resigned(resigned(opened(ada, "me, local, local, local", **TEAMS), 2), 0)
        assert match.outcome.winners == (1, 3)
        assert match.outcome.places == (2, 1, 2, 1)

    def test_one_who_stayed_wins_for_both(self, ada):
        rules = {"options": {"players": 4, "teams": True, "target_score": None}}
        match = opened(ada, "me, bot random, bot random, bot random", **rules)
        natural = played(resigned(match, 0)).outcome
        assert natural.reason == "deal"
        assert natural.winners in {(0, 2), (1, 3), (0, 1, 2, 3)}


class TestDeadlines:
    def late(self, match):
        return time_machine.travel(match.deadline_at + timedelta(seconds=1), tick=False)

    def test_a_passed_one_resigns_who_was_to_act(self, ada):
        match = move(opened(ada, turn_seconds=10))
        with self.late(match):
            overdue.resend_overdue()
        match = now(match)
        assert (match.status, match.outcome.reason) == ("finished", "timeout")
        assert match.outcome.winners == (0,)
        assert match.seats[1].timed_out

    def test_among_more_a_bot_moves_instead(self, ada):
        match = opened(ada, "me, local, local", turn_seconds=10, **THREE)
        with self.late(match):
            overdue.resend_overdue()
            match = now(match)
            assert (match.status, match.seats[0].timed_out) == ("active", True)
            assert (match.bot_in_control(0), match.deadline_at) == ("counter", None)
            assert match.bot_due_at

    def test_all_who_were_to_act_at_once(self, ada):
        rules = {"options": {"players": 3}, "turn_seconds": 10}
        match = move(opened(ada, "me, local, local", "shithead", **rules), "ready", 1)
        with self.late(match):
            overdue.resend_overdue()
        match = now(match)
        assert (match.outcome.reason, match.outcome.winners) == ("timeout", (1,))

    def test_not_a_moment_early_and_not_without_a_limit(self, ada):
        match, free = opened(ada, turn_seconds=10), opened(ada)
        with time_machine.travel(match.deadline_at - timedelta(seconds=1), tick=False):
            overdue.resend_overdue()
            leaving.resign_or_hand_over(match_id=match.id)
        assert (now(match), now(free)) == (match, free)

    def test_each_turn_has_the_full_time(self, ada):
        match = opened(ada, turn_seconds=10)
        with time_machine.travel(match.deadline_at - timedelta(seconds=1), tick=False):
            after = move(match)
        assert after.deadline_at == after.updated_at + timedelta(seconds=10)

    def test_a_bot_has_no_deadline(self, ada):
        match = move(opened(ada, "me, bot greedy", turn_seconds=10))
        assert match.deadline_at is None
        assert played(match, 2).deadline_at

    def test_over_means_no_deadline(self, ada):
        assert played(short(ada, "pazaak", turn_seconds=10)).deadline_at is None


def test_who_resigned_can_still_ask_for_a_rematch(ada):
    match = resigned(opened(ada, "me, bot greedy"), 0)
    assert open_rematch(match_id=match.id, user=ada).status == "active"


def test_a_move_after_the_deadline_is_refused_before_anybody_has_looked(ada):
    match = opened(ada, turn_seconds=60)
    late = match.deadline_at + timedelta(seconds=1)
    with time_machine.travel(late, tick=False), pytest.raises(TimeIsUp):
        move(match)
    assert (now(match).status, now(match).outcome.reason) == ("finished", "timeout")
