"""Somebody is awaited for long in a match without a clock: nudged, claimed, called off."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.audit.log import Actor
from cardroom.rules import record
from config.tasks import duties
from games.idle import ending
from games.idle.ending import NotAbsent
from games.idle.models import Nudge
from games.live.page_stream import Query, read_facts
from games.matches import joining, records
from games.matches.models import Match
from games.matches.refusals import MatchNotActive, NoSuchMatch, NotYourSeat
from games.matches.time_bank import Clock
from games.operations import finding, own_data, people
from tests.matches.scenes import move, now, opened, pair, played, resigned

pytestmark = pytest.mark.django_db


def later(match, **time):
    return time_machine.travel(match.updated_at + timedelta(**time), tick=False)


def news(match, user) -> list[str]:
    (answer,) = read_facts([Query(user.pk, frozenset({match.id}), timezone.now())])
    return [each.type for each in answer[match.id].news()]


@pytest.fixture
def match(ada, ben):
    """Ada is to act."""
    return pair(ada, ben)


class TestANudge:
    def test_after_a_day_and_once_a_turn(self, match, ada):
        with later(match, hours=23):
            assert ending.nudge_all() == 0
        with later(match, hours=25):
            assert ending.nudge_all() == 1
            duties.work("nudges")
            assert [(n.match_id, n.version, n.user_id) for n in Nudge.objects.all()] == [
                (match.id, 0, ada.pk)
            ]

    def test_is_no_change_of_the_match(self, match):
        with later(match, hours=25):
            ending.nudge_all()
        assert now(match) == match

    def test_is_on_the_stream_of_the_one_who_is_awaited(self, match, ada, ben):
        with later(match, hours=25):
            ending.nudge_all()
            assert "nudge" in news(match, ada)
            assert "nudge" not in news(match, ben)
            assert "nudge" not in news(move(match), ada)

    def test_comes_again_with_the_next_turn(self, match, ben):
        with later(match, hours=25):
            ending.nudge_all()
            moved = move(match)
        with later(moved, hours=25):
            assert ending.nudge_all() == 1
            assert "nudge" in news(match, ben)

    def test_everybody_who_is_awaited(self, ada, ben):
        with later(match := pair(ada, ben, game="shithead"), hours=25):
            assert ending.nudge_all() == 2
            assert ending.nudge_all() == 0
        assert set(match.to_act) == {0, 1}

    @pytest.mark.parametrize("limit", [{"turn_seconds": 7 * 86400}, {"clock": Clock(3600)}])
    def test_not_against_a_clock(self, ada, ben, limit):
        match = pair(ada, ben, **limit)
        Match.objects.filter(id=match.id).update(updated_at=timezone.now() - timedelta(days=5))
        assert ending.nudge_all() == 0
        with pytest.raises(NotAbsent):
            ending.claim(match_id=match.id, user=ben)

    def test_old_ones_are_forgotten(self, match):
        with later(match, hours=25):
            ending.nudge_all()
        with later(match, days=40):
            assert ending.forget_nudges() == 0
            resigned(match, 0)
            assert ending.forget_nudges() == 1


class TestAClaim:
    def test_the_absent_lose_by_time(self, match, ben):
        with later(match, days=3):
            after = ending.claim(match_id=match.id, user=ben)
        assert (after.outcome.reason, after.outcome.winners) == ("timeout", (1,))
        assert record.verify(record.write(records.of(now(match)))) is None

    def test_again_it_is_as_it_ended(self, match, ben):
        with later(match, days=3):
            ending.claim(match_id=match.id, user=ben)
            ended = now(match)
            assert ending.claim(match_id=match.id, user=ben) == ended == now(match)
            with pytest.raises(MatchNotActive):
                ending.call_off(match_id=match.id, user=ben)

    def test_not_before_three_days(self, match, ben):
        with later(match, days=2, hours=23), pytest.raises(NotAbsent):
            ending.claim(match_id=match.id, user=ben)

    def test_not_by_who_is_awaited_nor_by_others(self, match, ada, cleo):
        with later(match, days=4):
            with pytest.raises(NotAbsent):
                ending.claim(match_id=match.id, user=ada)
            with pytest.raises(NotYourSeat):
                ending.claim(match_id=match.id, user=cleo)

    def test_a_stranger_learns_of_no_private_match(self, ada, ben, cleo):
        match = opened(ada, "me, user ben", visibility="private")
        match = joining.join(match_id=match.id, user=ben)
        with later(match, days=4):
            for end in (ending.claim, ending.call_off):
                with pytest.raises(NoSuchMatch):
                    end(match_id=match.id, user=cleo)

    def test_who_came_back_has_moved(self, match, ben):
        with later(match, days=4):
            move(match)
            with pytest.raises(NotAbsent):
                ending.claim(match_id=match.id, user=ben)

    def test_of_more_a_computer_plays_the_seat_on(self, ada, ben, cleo):
        match = opened(ada, "me, open, open", "shithead", options={"exchange": False, "players": 3})
        for person in (ben, cleo):
            match = joining.join(match_id=match.id, user=person)
        absent = match.to_act[0]
        other = next(s.user_id for s in match.seats if s.index != absent)
        with later(match, days=4):
            after = ending.claim(match_id=match.id, user={u.pk: u for u in (ada, ben, cleo)}[other])
            assert (after.status, after.seats[absent].timed_out) == ("active", True)
            assert after.awaits_bot

    def test_nobody_waits_alone(self, ada):
        match = opened(ada, "me, local Twin")
        with later(match, days=4), pytest.raises(NotAbsent):
            ending.claim(match_id=match.id, user=ada)


class TestCallingOff:
    def test_nobody_wins(self, match, ben):
        with later(match, days=3):
            after = ending.call_off(match_id=match.id, user=ben)
            assert (after.status, after.outcome.winners) == ("aborted", ())
            assert ending.call_off(match_id=match.id, user=ben) == after

    def test_not_while_somebody_plays(self, match, ben):
        with pytest.raises(NotAbsent):
            ending.call_off(match_id=match.id, user=ben)


def test_operators_see_them(match, ada):
    with later(match, days=3):
        assert list(finding.with_problem(Match.objects.all(), "idle")) == [
            Match.objects.get(id=match.id)
        ]
        sentences = [one.sentence for one in finding.troubles_of(now(match), timezone.now())]
    assert any(f"{ada.display_name} may be counted as gone" in one for one in sentences)
    with later(match, days=2):
        assert not finding.with_problem(Match.objects.all(), "idle").exists()


def test_computers_are_never_absent(ada):
    match = opened(ada, "me, bot greedy")
    with later(match, days=5):
        assert ending.nudge_all() == 1  # Ada is to act
        match = played(match, 2)


def test_a_person_takes_their_nudges_along_and_they_go_with_the_account(match, ada, cleo):
    with later(match, hours=25):
        ending.nudge_all()
    assert [one["match_id"] for one in own_data.data_of(ada)["nudges"]] == [match.id]
    assert own_data.data_of(cleo)["nudges"] == []
    people.erase(user_id=ada.pk, by=Actor.of(cleo, "Asked for it."))
    assert not Nudge.objects.exists()
