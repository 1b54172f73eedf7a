"""Seats that act at once: a late move, a seat's own time, who moves first, for whom one moves."""

from datetime import timedelta
from random import SystemRandom

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.rules import catalog
from games.matches import bot_turns, joining, loading, moves, overdue, verification
from games.matches.models import Ply
from games.matches.refusals import StaleVersion
from games.matches.selectors.access import Caller
from games.matches.selectors.history import match_at
from tests.matches.auction import AUCTION
from tests.matches.scenes import move, now, opened, resigned


@pytest.fixture
def exchange(ada, ben):
    """Shithead's exchange (R5): both are to act."""
    return joining.join(match_id=opened(ada, "me, open", "shithead").id, user=ben)


@pytest.fixture(autouse=True)
def one_game_more(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, AUCTION))


def auction(user, seats="me, local Ben, local Cleo", turn_seconds=None, **options):
    options = {"players": seats.count(",") + 1} | options
    return opened(user, seats, "auction", options=options, turn_seconds=turn_seconds)


def swap(match, seat):
    return match.rules.legal_moves(match.state, seat)[1]


def seconds_after(match, seconds):
    return time_machine.travel(match.started_at + timedelta(seconds=seconds), tick=False)


def deadline(match):
    """In seconds after the start."""
    return (match.deadline_at - match.started_at).total_seconds()


class TestALateMove:
    """It is applied only if its seat has the choice that it had at the version it names."""

    def test_both_swap_at_the_same_version(self, exchange):
        assert list(exchange.to_act) == [0, 1]
        move(exchange, swap(exchange, 0), 0)
        move(exchange, swap(exchange, 1), 1)
        plies = Ply.objects.filter(match_id=exchange.id, version__gt=0).order_by("version")
        assert [(ply.version, ply.seat) for ply in plies] == [(1, 0), (2, 1)]

    def test_a_seat_that_moved_itself_since_is_stale(self, exchange):
        after = move(exchange, swap(exchange, 0), 0)
        with pytest.raises(StaleVersion) as refused:
            move(exchange, "ready", 0, key="a")
        assert refused.value.match == after
        assert move(refused.value.match, "ready", 0, key="a").state.ready == (True, False)

    def test_a_seat_that_was_not_yet_to_act_then_is_stale(self, exchange):
        playing = move(move(exchange, "ready", 0), "ready", 1)
        first = playing.to_act[0]
        after = move(playing)
        with pytest.raises(StaleVersion):
            move(after, version=playing.version, seat=1 - first)
        assert now(exchange) == after

    @pytest.mark.parametrize("version", [5, 2**31 - 1])
    def test_a_version_to_come_is_stale(self, exchange, version):
        with pytest.raises(StaleVersion):
            move(exchange, "ready", 0, version=version)

    def test_a_pass_changes_nobody_elses_choice(self, ada):
        match = auction(ada)
        move(match, "pass", 1)
        assert move(match, "5", 2, version=0).state.bid == 5

    @pytest.mark.parametrize("text", ["pass", "2", "7", "nonsense"])
    def test_what_was_legal_then_meets_a_position_never_seen(self, ada, text):
        """Neither applied nor illegal, whatever it would be now."""
        match = auction(ada)
        after = move(match, "5", 1)
        with pytest.raises(StaleVersion):
            move(match, text, 2, version=0)
        assert now(match) == after

    def test_nor_where_the_same_choice_came_back(self, ada):
        match = auction(ada, lots=2)
        after = move(move(move(match, "9", 0), "pass", 1), "pass", 2)
        assert after.round == 2
        assert AUCTION.legal_moves(after.state, 1) == AUCTION.legal_moves(match.state, 1)
        with pytest.raises(StaleVersion):
            move(match, "5", 1, version=0)

    def test_across_a_commit_of_somebody_else(self, ada, monkeypatch):
        """The version was the latest when it was read."""
        match, commit, others = auction(ada), moves.commit_all, ["5"]

        def after_another(transitions):
            if others:
                move(match, others.pop(), 1)
            return commit(transitions)

        monkeypatch.setattr(moves, "commit_all", after_another)
        with pytest.raises(StaleVersion):
            move(match, "2", 2)


class TestForWhom:
    """An answer speaks for the seat for which a move without a seat is played."""

    def play(self, match, user, text, version):
        caller = Caller(user=user.id)
        return moves.play(match_id=match.id, caller=caller, move=text, version=version)

    def test_the_first_of_ones_seats_to_act(self, ada):
        match = auction(ada, "bot random, me, local Cleo")
        assert match.acting_seat(ada.id) == 1
        assert self.play(match, ada, "5", 0).seat == 1
        assert now(match).acting_seat(ada.id) == 2

    def test_not_one_that_a_bot_plays_on(self, ada):
        match = resigned(auction(ada), 0)
        assert match.bot_in_control(0)
        assert match.acting_seat(ada.id) == 1
        assert self.play(match, ada, "pass", 1).seat == 1

    def test_sent_twice_it_does_not_move_the_next_seat(self, ada):
        match = auction(ada)
        after = self.play(match, ada, "pass", 0).match
        assert after.acting_seat(ada.id) == 1
        with pytest.raises(StaleVersion):
            self.play(match, ada, "pass", 0)
        assert now(match) == after

    def test_a_late_one_is_for_the_seat_of_its_version(self, ada, ben, cleo):
        match = opened(ada, "me, local Twin, open", "auction")
        match = joining.join(match_id=match.id, user=ben)
        move(match, "pass", 2)
        assert self.play(match, ada, "5", 0).seat == 0


class TestTime:
    """A seat's time starts when its choice became what it is now."""

    def test_each_has_its_own(self, ada):
        match = auction(ada, "me, local Ben", turn_seconds=60)
        assert deadline(match) == 60
        with seconds_after(match, 50):
            match = move(match, "1", 0)
        assert deadline(match) == 110
        with seconds_after(match, 70):
            match = move(match, "2", 1)
        assert deadline(match) == 130

    def test_goes_on_while_the_choice_stays(self, ada):
        match = auction(ada, turn_seconds=60)
        with seconds_after(match, 50):
            match = move(match, "pass", 0)
        assert deadline(match) == 60

    def test_is_that_of_the_first_to_run_out(self, ada):
        """Seat 0 bids: the others' time starts; seat 1 overbids: seat 0's and seat 2's do."""
        match = auction(ada, "me, local Ben, local Cleo, local Dora", turn_seconds=60)
        for at, text, seat, runs_out in [
            (10, "1", 0, 70),
            (20, "pass", 1, 70),
            (30, "2", 2, 90),
            (40, "pass", 0, 90),
            (50, "3", 3, 110),
        ]:
            with seconds_after(match, at):
                match = move(match, text, seat)
            assert deadline(match) == runs_out
            assert match == now(match)

    def test_goes_on_while_one_swaps(self, exchange, ada, ben):
        match = opened(ada, "me, user ben", "shithead", turn_seconds=60)
        match = joining.join(match_id=match.id, user=ben)
        for at in (20, 40, 50):
            with seconds_after(match, at):
                match = move(match, swap(match, 0), 0)
            assert deadline(match) == 60
        with seconds_after(match, 55):
            match = move(match, "ready", 1)
        assert deadline(match) == 60

    def test_only_those_whose_own_is_up_are_out(self, ada, ben):
        match = opened(ada, "me, user ben", "shithead", turn_seconds=60)
        match = joining.join(match_id=match.id, user=ben)
        with seconds_after(match, 10):
            match = move(match, swap(match, 1), 1)  # without a first move it would be called off
        with seconds_after(match, 30):
            match = move(match, "ready", 0)
        with seconds_after(match, 61):
            overdue.resend_overdue()
        match = now(match)
        assert match.outcome.winners == (0,)
        assert [seat.timed_out for seat in match.seats] == [False, True]

    def test_of_those_who_stay_goes_on_when_another_is_out(self, ada):
        match = auction(ada, "me, local Ben, local Cleo, local Dora", turn_seconds=60)
        with seconds_after(match, 30):
            match = move(match, "5", 0)
        with seconds_after(match, 40):
            match = move(match, "6", 1)
        with seconds_after(match, 50):
            match = resigned(match, 3)
        assert deadline(match) == 100
        with seconds_after(match, 101):
            overdue.resend_overdue()
        assert [seat.timed_out for seat in now(match).seats] == [True, False, True, False]

    def test_does_not_start_again_when_another_seat_resigns(self, ada):
        match = opened(ada, "me, local, local", turn_seconds=60, options={"players": 3})
        with seconds_after(match, 50):
            match = resigned(match, 2)
        assert deadline(match) == 60

    def test_is_not_touched_by_bots_whose_moves_change_nothing(self, ada):
        match = opened(
            ada, "me, bot random, bot random", "shithead", turn_seconds=60, options={"players": 3}
        )
        with seconds_after(match, 30):
            bot_turns.play_bot_turns(match_id=match.id, version=0)
        match = now(match)
        assert (match.version > 0, match.to_act[0], deadline(match)) == (True, 0, 60)

    def test_with_a_new_round_all_begin(self, ada):
        match = auction(ada, "me, local Ben", turn_seconds=60, lots=2)
        with seconds_after(match, 10):
            match = move(match, "9", 0)
        with seconds_after(match, 20):
            match = move(match, "pass", 1)
        assert (match.round, deadline(match)) == (2, 80)

    def test_in_a_loaded_match_begins_with_it(self, ada):
        match = auction(ada, turn_seconds=60)
        with seconds_after(match, 50):
            match = move(match, "pass", 0)
        loaded = loading.load(match_id=match.id, user=ada, cards="same", version=1)
        assert deadline(loaded) == 60
        with seconds_after(loaded, 30):
            assert deadline(move(loaded, "pass", 1)) == 60

    def test_the_past_agrees_with_what_was_answered(self, ada):
        match = auction(ada, "me, local Ben, local Cleo, local Dora", turn_seconds=60, lots=3)
        answered = [match]
        for at in range(5, 200, 5):
            if match.status != "active":
                break
            seat = match.to_act[at % len(match.to_act)]
            legal = AUCTION.legal_moves(match.state, seat)
            with seconds_after(match, at):
                match = move(match, legal[0 if at % 4 else -1 if at % 3 else 1], seat)
            answered.append(match)
        assert len(answered) > 8
        for then in answered:
            if then.status == "active":
                assert match_at(match, then.version).deadline_at == then.deadline_at
        assert not list(verification.faults(match))


class TestStatements:
    def spent(self, match, text, seat):
        with CaptureQueriesContext(connection) as captured:
            move(match, text, seat)
        return len(captured)

    def test_two_a_move_where_nobody_waits_longer_than_another(self, ada):
        assert self.spent(auction(ada), "pass", 1) == 2
        timed = auction(ada, turn_seconds=60)
        assert self.spent(timed, "pass", 1) == 2
        assert self.spent(opened(ada, turn_seconds=60), "", 0) == 2

    def test_the_log_is_read_where_the_times_of_several_differ(self, ada):
        match = move(auction(ada, "me, local Ben, local Cleo, local Dora", turn_seconds=60), "1", 0)
        match = move(match, "pass", 1)
        assert self.spent(match, "pass", 2) == 4


class TestBots:
    def test_any_of_them_may_move_first(self, ada, monkeypatch, settings):
        settings.LIMITS = settings.LIMITS | {"bot_matches": 20}
        seeds = iter(range(20))
        monkeypatch.setattr(SystemRandom, "getrandbits", lambda _self, _bits: next(seeds))
        monkeypatch.setattr(bot_turns, "PLIES_A_COMMIT", 1)
        first = []
        for _ in range(20):
            match = auction(ada, "bot random, bot random, bot random, bot random")
            bot_turns.play_bot_turns(match_id=match.id, version=0)
            first.append(Ply.objects.get(match_id=match.id, version=1).seat)
        assert set(first) == {0, 1, 2, 3}
