"""Banks of time: charged by the statement of the move, empty at the deadline, full after a deal."""

from datetime import timedelta

import pytest
import time_machine

from accounts.audit.log import Actor
from cardroom.rules import record
from games.matches import commit, joining, leaving, loading, overdue, records, verification
from games.matches.joining import open_rematch
from games.matches.models import Match, Ply
from games.matches.refusals import BadOptions, NobodyToGiveTime, TimeIsUp
from games.matches.selectors.history import match_at
from games.matches.time_bank import Clock
from games.operations import refereeing
from tests.matches.scenes import move, now, opened, played, short

FAST = Clock(60, 5)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def after(match, number: float):
    """So many seconds after the last change."""
    return time_machine.travel(match.updated_at + seconds(number), tick=False)


def left(match) -> list[float | None]:
    return [None if one is None else one / 1000 for one in match.banks.left]


def runs(match) -> list[int]:
    return [seat for seat, end in enumerate(match.banks.until) if end is not None]


@pytest.fixture
def referee(cleo) -> Actor:
    return Actor.of(cleo, "The table froze.")


@pytest.fixture
def match(ada, ben):
    """Ada is to act against Ben; both have a minute and five seconds a move."""
    return pair(ada, ben)


def pair(ada, ben, clock=FAST, **more):
    return joining.join(match_id=opened(ada, "me, open", clock=clock, **more).id, user=ben)


def moved(match):
    """Both have made a first move at once, and have five seconds more."""
    for _ in range(2):
        with time_machine.travel(match.updated_at, tick=False):
            match = move(match)
    return match


class TestAMove:
    def test_the_first_bank_runs_from_the_deal_on(self, match):
        assert (left(match), runs(match)) == ([60, 60], [0])
        assert match.deadline_at == match.banks.until[0] == match.started_at + seconds(60)

    def test_charges_the_time_since_and_adds_the_increment(self, match):
        with after(match, 12.5):
            moved = move(match)
        assert (left(moved), runs(moved)) == ([52.5, 60], [1])
        assert moved.deadline_at == moved.updated_at + seconds(60)

    def test_what_is_answered_is_what_is_stored(self, match):
        with after(match, 3):
            assert now(move(match)).banks == now(match).banks
            assert now(match).banks.until[1] == now(match).updated_at + seconds(60)

    def test_more_than_the_bank_can_be_saved_up(self, match):
        with after(match, 1):
            assert left(move(match))[0] == 64

    def test_the_clock_is_the_one_of_its_statement(self, match, monkeypatch):
        """Judged in time, but the bank is empty at the time that would be written."""

        def late():
            traveller.move_to(match.deadline_at)
            return match.deadline_at

        match = moved(match)
        monkeypatch.setattr(commit, "now_in_milliseconds", late)
        with after(match, 62.9) as traveller, pytest.raises(TimeIsUp):
            move(match)
        assert [ply.move for ply in Ply.objects.filter(match_id=match.id, version=3)] == ["resign"]
        assert now(match).outcome.reason == "timeout"

    def test_seats_that_act_at_once_are_charged_each_for_itself(self, ada, ben):
        match = pair(ada, ben, game="shithead")
        assert runs(match) == [0, 1]
        with after(match, 10):
            match = move(match, "ready", 1)
        assert (left(match)[1], runs(match)) == (55, [0])
        with after(match, 20):
            match = move(match, "ready", 0)
        assert left(match)[0] == 35

    def test_a_move_that_brings_no_new_time_adds_none(self, ada, ben):
        """Shithead R5: nobody saves up time by swapping cards."""
        match = pair(ada, ben, game="shithead")
        swap = next(m for m in match.rules.legal_moves(match.state, 0) if m != "ready")
        with after(match, 10):
            swapped = move(match, swap, 0)
        assert swapped.banks == match.banks

    def test_a_computer_has_no_bank(self, ada):
        match = opened(ada, "me, bot greedy", clock=FAST)
        assert left(match) == [60, None]
        with after(match, 4):
            match = played(move(match), match.version + 2)
        assert (left(match), runs(match)) == ([61, None], [0])

    def test_the_record_says_nothing_of_it(self, ada, ben):
        match = played(short(ada, "pisti", clock=FAST))
        assert record.verify(record.write(records.of(match))) is None
        assert list(verification.faults(match)) == []

    def test_an_earlier_version_has_the_terms_alone(self, match):
        earlier = match_at(move(match), 0)
        assert (earlier.banks.terms, earlier.banks.left, earlier.deadline_at) == (FAST, (), None)


class TestAnEmptyBank:
    def test_loses(self, match):
        match = moved(match)
        with after(match, 65.1):
            overdue.resend_overdue()
        assert (now(match).outcome.reason, now(match).outcome.winners) == ("timeout", (1,))

    def test_not_a_moment_too_early(self, match):
        with after(match, 59.9):
            overdue.resend_overdue()
            assert now(match).status == "active"
            assert move(match).version == 1

    def test_or_the_computer_plays_on_and_the_person_comes_back(self, ada, ben):
        match = pair(ada, ben, on_timeout="bot_takes_over")
        with after(match, 61):
            overdue.resend_overdue()
            handed = now(match)
            assert handed.seats[0].stand_in
            assert (left(handed), runs(handed)) == ([0, 60], [])
            back = overdue.reclaim(match_id=match.id, user=ada)
        assert (left(back)[0], runs(back)) == (10, [0])
        assert back.deadline_at == back.banks.until[0]

    @pytest.mark.parametrize(
        "bad",
        [
            {"clock": Clock(29)},
            {"clock": Clock(3 * 3600 + 1)},
            {"clock": Clock(60, 181)},
            {"clock": Clock(60, -1)},
            {"turn_seconds": 60},
            {"on_timeout": "bot_move"},
        ],
    )
    def test_what_is_no_clock(self, ada, bad):
        with pytest.raises(BadOptions):
            opened(ada, **{"clock": FAST} | bad)


class TestActs:
    def test_time_that_is_given_stays(self, match, ben):
        with after(match, 10):
            match = overdue.give_time(match_id=match.id, user=ben)
            assert match.deadline_at == match.banks.until[0]
        with after(match, 10):
            assert left(move(match))[0] == 60 + 60 - 20 + 5

    def test_nobody_gives_time_who_is_alone_to_act(self, match, ada):
        with pytest.raises(NobodyToGiveTime):
            overdue.give_time(match_id=match.id, user=ada)

    def test_an_operator_extends_the_running_bank(self, match, referee):
        refereeing.extend_deadline(match_id=match.id, by=referee, minutes=2)
        assert (
            now(match).deadline_at == now(match).banks.until[0] == match.deadline_at + seconds(120)
        )

    def test_an_operator_takes_the_limit_and_nothing_is_charged(self, match, referee):
        refereeing.clear_deadline(match_id=match.id, by=referee)
        with after(match, 3600):
            match = move(now(match))
        assert (left(match), runs(match)) == ([60, 60], [1])

    def test_an_operator_sets_one_again(self, match, referee):
        refereeing.clear_deadline(match_id=match.id, by=referee)
        refereeing.set_deadline(match_id=match.id, by=referee, minutes=1)
        assert runs(now(match)) == [0]
        assert now(match).deadline_at == now(match).banks.until[0]

    def test_a_seat_handed_to_a_computer_stands_still(self, match, referee):
        with after(match, 20):
            refereeing.hand_to_bot(match_id=match.id, by=referee, seat=0)
        assert (left(now(match)), runs(now(match))) == ([40, 60], [])
        with after(now(match), 100):
            refereeing.give_back(match_id=match.id, by=referee, seat=0)
        assert (left(now(match)), runs(now(match))) == ([40, 60], [0])

    def test_a_roll_back_fills_every_bank(self, match, referee):
        with after(match, 20):
            match = move(match)
        refereeing.roll_back(match_id=match.id, by=referee, round=1)
        assert (left(now(match)), runs(now(match))) == ([60, 60], [0])
        undone = Ply.objects.get(match_id=match.id, version=2)
        assert abs(now(match).deadline_at - undone.at - seconds(60)) < seconds(0.001)

    def test_a_rematch_and_a_load_begin_with_full_banks(self, ada):
        match = opened(ada, "me, bot greedy", clock=FAST)
        with after(match, 20):
            match = played(move(match), 2)
            loaded = loading.load(match_id=match.id, user=ada, cards="same", version=0)
        assert (loaded.banks.terms, left(loaded)) == (FAST, [60, None])
        over = leaving.resign(match_id=match.id, caller=leaving.Caller(user=ada.id))
        again = open_rematch(match_id=over.id, user=ada)
        assert (again.banks.terms, left(again)) == (FAST, [None, 60])

    def test_an_open_match_has_the_terms(self, ada):
        match = opened(ada, "me, open", clock=FAST)
        assert (match.banks.terms, match.banks.left, match.deadline_at) == (FAST, (), None)
        assert Match.objects.get(id=match.id).turn_seconds is None
