"""Work that was promised and not done: recovery sends it again."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from config.models import Trouble
from config.tasks import after_commit, duties
from games.matches import announcements, bot_turns, joining, overdue
from games.matches.models import Match, Seat
from games.matches.selectors.access import get_match
from tests.matches.scenes import move, now, opened, played, resigned, short


@pytest.fixture
def announced(monkeypatch):
    notes = []
    monkeypatch.setattr(after_commit, "announce", lambda a: notes.append((a.match_id, a.version)))
    return notes


def in_seconds(match, seconds):
    return time_machine.travel(match.updated_at + timedelta(seconds=seconds), tick=False)


def test_an_owed_bot_turn_is_announced_again_after_two_seconds(ada, announced):
    match = move(opened(ada, "me, bot greedy"))
    announced.clear()
    with in_seconds(match, 1.9):
        overdue.resend_overdue()
    assert announced == []
    with in_seconds(match, 2.1):
        overdue.resend_overdue()
        overdue.resend_overdue()
    assert announced == [(match.id, 1)] * 2


def test_a_worker_that_reaches_the_broker_again_announces_all_at_once(ada, announced):
    """The one that was lost may have held the token: nobody else would be asked."""
    match = move(opened(ada, "me, bot greedy"))
    announced.clear()
    announcements.take_turns("quick", 64, stays=True)
    with in_seconds(match, 0.1):
        overdue.resend_all()
    assert announced == [(match.id, 1)]
    turn = announcements.due_turn(get_match(match.id))
    assert announcements.push_turns([turn], announcements._valkey()) == [0]


def test_nothing_is_owed_where_people_are_to_act_or_nobody(ada, announced):
    open_one = opened(ada, "me, open")
    over = resigned(opened(ada, "me, bot greedy"), 0)
    waiting = opened(ada, "me, bot greedy")
    called_off = joining.leave(match_id=opened(ada, "me, open").id, user=ada)
    announced.clear()
    with in_seconds(waiting, 3600):
        overdue.resend_overdue()
    assert announced == []
    assert [now(t).version for t in (open_one, over, waiting, called_off)] == [0, 1, 0, 0]


def test_the_start_of_a_match_may_owe_a_move(ada, announced):
    match = opened(ada, "bot greedy, me")
    with in_seconds(match, 3):
        overdue.resend_overdue()
    assert (match.id, 0) in announced


def test_a_match_that_moved_meanwhile_does_not_stop_the_others(ada, monkeypatch):
    first, second = (opened(ada, turn_seconds=10) for _ in range(2))
    late = overdue.time_out

    def resigned_meanwhile(*, match_id):
        if match_id == first.id:
            raise overdue.Refusal("It is over.")
        late(match_id=match_id)

    monkeypatch.setattr(overdue, "time_out", resigned_meanwhile)
    with in_seconds(first, 11):
        overdue.resend_overdue()
    assert (now(first).status, now(second).status) == ("active", "finished")


def test_a_match_of_bots_goes_on_from_sweep_to_sweep(ada, announced):
    match = short(ada, "pazaak", "bot random, bot random")
    assert played(match).status == "finished"


def gone(match):
    """Its computer is one of a package that dropped it."""
    Seat.objects.filter(match=match.id, kind="bot").update(bot="gone")
    return match


def test_a_match_whose_computer_is_gone_stops_no_turn_and_no_deadline(ada, announced):
    bad = gone(move(opened(ada, "me, bot greedy")))
    good = move(opened(ada, "me, bot greedy"))
    late = opened(ada, turn_seconds=10, on_timeout="resign")
    announced.clear()
    for _ in range(2):
        with in_seconds(late, 60):
            overdue.resend_overdue()
    assert (good.id, 1) in announced
    assert bad.id not in {match_id for match_id, _ in announced}
    assert now(late).is_over
    trouble = Trouble.objects.get()
    assert (trouble.duty, trouble.row, trouble.error) == ("turns", str(bad.id), "KeyError")
    assert trouble.failures == 1  # the second look waits for its pause


def test_a_match_whose_state_cannot_be_read_is_skipped_with_a_growing_pause(ada):
    bad, late = (opened(ada, turn_seconds=10, on_timeout="bot_move") for _ in range(2))
    Match.objects.filter(id=bad.id).update(state=b"{")
    with in_seconds(late, 60) as clock:
        for _ in range(3):
            overdue.enforce_deadlines()
            clock.shift(500)
        overdue.enforce_deadlines()
        assert "clocks" not in duties.due_since(timezone.now())
    assert now(late).version > 0
    assert Trouble.objects.get().failures == 4


def test_of_many_turns_one_that_cannot_be_played_stops_no_other_one(ada):
    bad, good = (move(opened(ada, "me, bot greedy")) for _ in range(2))
    taken = [announcements.Taken(match.id, match.version) for match in (gone(bad), good)]
    assert bot_turns.play_turns(taken) == 1
    assert now(good).version > good.version
    assert Trouble.objects.get(duty="turns").row == str(bad.id)
