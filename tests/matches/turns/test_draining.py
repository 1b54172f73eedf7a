"""Due bot turns are taken fairly: by class, an account's after the other's, paced where alone."""

from datetime import timedelta
from threading import get_ident
from uuid import uuid4

import pytest
import redis
import time_machine
from celery import current_app
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from config.tasks import after_commit
from games.matches import announcements, bot_turns, overdue, verification
from games.matches.announcements import announce
from games.matches.leaving import resign
from games.matches.selectors.access import Caller
from games.matches.selectors.log import log_entries
from games.tasks import drain
from tests.matches.scenes import move, now, opened, played


@pytest.fixture
def valkey(settings, monkeypatch):
    """Turns that no announcer of an earlier scene and no other process knows."""
    place, _, number = settings.VALKEY_URL.partition("?db=")
    settings.VALKEY_URL = f"{place}?db={(int(number or 0) + 100) % 200}"
    monkeypatch.setattr(announcements, "NAME", f"turns-{uuid4()}")
    return redis.Redis.from_url(settings.VALKEY_URL)


@pytest.fixture(autouse=True)
def sent(monkeypatch, valkey):
    """Announcements are sent at once, and the tasks that they ask for are written down."""
    monkeypatch.setattr(
        after_commit, "announce", lambda *several: [one.send(valkey) for one in several]
    )
    monkeypatch.setitem(bot_turns.STAYS, "quick", 0.01)
    tasks, here = [], get_ident()

    def write_down(_name, args, *, queue, countdown, **_):
        if get_ident() == here:  # not the announcer of an earlier scene
            tasks.append((*args, queue, countdown))

    monkeypatch.setattr(current_app, "send_task", write_down)
    return tasks


def waiting(creator, bot="greedy", game="pisti"):
    """A match in which a person has moved and waits for the bot."""
    match = opened(creator, f"me, bot {bot}", game)
    while not match.awaits_bot:
        match = move(match)
    announce(match)
    return match


def taken(turn_class):
    turn = announcements.take_turn(turn_class)
    return turn and turn.match_id


class TestClasses:
    def test_a_person_waits_for_a_quick_bot(self, ada):
        match = waiting(ada)
        assert announcements.turn_class_of(match) == "quick"
        assert announcements.take_turn("quick") == (match.id, 1)

    def test_or_for_one_that_says_that_it_is_slow(self, ada, sent):
        match = waiting(ada, "searcher", "shithead")
        assert announcements.turn_class_of(match) == "slow"
        assert [taken("quick"), taken("slow")] == [None, match.id]
        assert sent == [("slow", "slow", None)]

    def test_nobody_waits_where_only_bots_sit(self, ada):
        assert announcements.turn_class_of(opened(ada, "bot greedy, bot random")) == "alone"

    def test_nor_where_the_last_person_resigned(self, ada):
        match = opened(ada, "me, bot lowest, bot lowest", "shithead", options={"players": 3})
        left = resign(match_id=match.id, caller=Caller(user=ada.id))
        assert left.status == "active"
        assert announcements.turn_class_of(left) == "alone"

    def test_a_quick_run_leaves_a_slow_bot_to_its_own_workers(self, ada):
        options = {"players": 3, "games": 1, "exchange": False}
        match = opened(ada, "me, bot lowest, bot searcher", "shithead", options=options)
        while match.to_act != [1]:
            match = played(match, match.version + 1) if match.awaits_bot else move(match)
        assert announcements.turn_class_of(match) == "quick"
        assert bot_turns.play_bot_turns(match_id=match.id, version=match.version)
        assert {entry.seat for entry in log_entries(now(match), after=match.version)} == {1}


class TestFairness:
    def test_accounts_take_turns_whatever_they_owe(self, ada, ben):
        flood = {waiting(ada).id for _ in range(6)}
        other = [waiting(ben).id for _ in range(2)]
        order = [taken("quick") for _ in range(8)]
        assert [match in flood for match in order[:4]] == [True, False, True, False]
        assert order[1:4:2] == other  # in the order they came
        assert set(order) == flood | set(other)
        assert taken("quick") is None

    def test_a_turn_waits_once_however_often_it_is_announced(self, ada):
        match = waiting(ada)
        for _ in range(5):
            announce(match)
        assert [taken("quick"), taken("quick")] == [match.id, None]

    def test_one_task_is_on_its_way_not_one_a_match(self, ada, sent):
        for _ in range(5):
            waiting(ada)
        assert sent == [("quick", "interactive", None)]
        announcements.release_task("quick")
        waiting(ada)
        assert len(sent) == 2


class TestATask:
    def test_plays_until_nothing_is_due(self, ada, ben, sent):
        matches = [waiting(creator) for creator in (ada, ben, ada)]
        drain("quick")
        assert {now(match).version for match in matches} == {2}
        assert len(sent) == 1

    def test_asks_for_another_when_its_seconds_are_up(self, ada, sent, monkeypatch):
        matches = [waiting(ada) for _ in range(3)]
        monkeypatch.setitem(bot_turns.SECONDS, "quick", 0)
        assert bot_turns.drain("quick") == 0
        assert sent[1:] == [("quick", "interactive", None)]
        monkeypatch.setitem(bot_turns.SECONDS, "quick", 60)
        assert bot_turns.drain("quick") == 3
        assert {now(match).version for match in matches} == {2}

    def test_a_match_that_fails_does_not_stop_the_others(self, ada, monkeypatch):
        broken, whole = waiting(ada), waiting(ada)
        run = bot_turns._run

        def fail(match):
            if match.id == broken.id:
                raise ZeroDivisionError
            return run(match)

        monkeypatch.setattr(bot_turns, "_run", fail)
        assert bot_turns.drain("quick") == 2
        assert now(whole).version == 2

    def test_without_a_database_it_ends_and_nothing_is_lost(self, ada, monkeypatch):
        matches = [waiting(ada) for _ in range(2)]

        def away(*_):
            raise OperationalError

        with monkeypatch.context() as patch:
            patch.setattr(bot_turns, "play_turns", away)
            with pytest.raises(OperationalError):
                bot_turns.drain("quick")
        with time_machine.travel(matches[1].updated_at + timedelta(seconds=3), tick=False):
            overdue.resend_overdue()
        assert bot_turns.drain("quick") == 2
        assert {now(match).version for match in matches} == {2}

    def test_a_lost_connection_costs_one_more_try(self, ada, monkeypatch):
        match, play, lost = waiting(ada), bot_turns.play_turns, [OperationalError()]

        def lose(turns):
            if lost:
                play(turns)
                raise lost.pop()  # after it was written
            return play(turns)

        monkeypatch.setattr(bot_turns, "play_turns", lose)
        assert bot_turns.drain("quick") == 1
        assert now(match).version == 2

    def test_valkey_lost_everything_and_the_rows_ring_again(self, ada, valkey):
        match = waiting(ada)
        valkey.delete(*valkey.keys(f"{announcements.NAME}*"))
        assert bot_turns.drain("quick") == 0
        with time_machine.travel(match.updated_at + timedelta(seconds=3), tick=False):
            overdue.resend_overdue()
        assert bot_turns.drain("quick") == 1


class TestManyAtOnce:
    def test_one_read_and_one_write(self, ada, ben):
        matches = [waiting(creator) for creator in (ada, ben) * 4]
        with CaptureQueriesContext(connection) as seen:
            assert bot_turns.drain("quick") == 8
        assert [query["sql"].split()[0] for query in seen.captured_queries] == ["SELECT", "WITH"]
        assert {now(match).version for match in matches} == {2}
        assert [fault for match in matches for fault in verification.faults(now(match))] == []

    def test_a_turn_that_comes_while_a_task_stays_asks_for_no_other(self, ada, sent):
        waiting(ada)
        announcements.take_turns("quick", 64, stays=True)
        later = waiting(ada)
        assert len(sent) == 1
        assert announcements.wait_for_turn("quick", 1)
        assert taken("quick") == later.id

    def test_more_than_one_batch_asks_for_help(self, ada, ben, sent, monkeypatch):
        monkeypatch.setitem(bot_turns.AT_ONCE, "quick", 2)
        for creator in (ada, ben) * 3:
            waiting(creator)
        assert bot_turns.drain("quick") == 6
        assert len(sent) == 2


class TestACostlyBot:
    def test_answers_no_sooner_than_others_of_its_kind(self, ada, monkeypatch):
        """Whether it had to think tells what it holds."""
        slept, steady = [], timedelta(minutes=1)  # no machine is busy for so long
        monkeypatch.setattr(bot_turns, "sleep", slept.append)
        monkeypatch.setattr(bot_turns, "SLOW_ANSWER", steady)
        for _ in range(2):
            waiting(ada, "searcher", "shithead")
        assert bot_turns.drain("slow") == len(slept) >= 2
        assert all(0 < seconds <= steady.total_seconds() for seconds in slept)

    def test_plays_one_ply_a_commit(self, ada):
        options = {"players": 3, "games": 1, "exchange": False}
        match = opened(ada, "me, bot searcher, bot searcher", "shithead", options=options)
        while announcements.turn_class_of(match) != "slow":
            match = played(match, match.version + 1) if match.awaits_bot else move(match)
        assert bot_turns.play_bot_turns(match_id=match.id, version=match.version)
        assert now(match).version == match.version + 1


class TestAMatchWithoutAPerson:
    def test_moves_at_most_once_a_second(self, ada, sent):
        match = opened(ada, "bot greedy, bot random")
        with time_machine.travel(match.created_at, tick=False):
            announce(match)
        assert sent == [("alone", "alone", pytest.approx(1, abs=0.2))]
        assert bot_turns.drain("alone") == 0
        for seconds in (1.1, 2.2):
            with time_machine.travel(match.created_at + timedelta(seconds=seconds), tick=False):
                assert bot_turns.drain("alone") == 1
                assert bot_turns.drain("alone") == 0

    def test_a_task_comes_when_the_first_is_due(self, ada, sent):
        announce(opened(ada, "bot greedy, bot random"))
        bot_turns.drain("alone")
        assert sent[1:] == [("alone", "alone", pytest.approx(1, abs=0.3))]
        assert announcements.reserve_next_task("alone") is None  # one is on its way
