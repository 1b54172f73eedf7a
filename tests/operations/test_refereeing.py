"""An operator repairs, decides and ends matches; each act has a reason, an entry and a notice."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.audit.log import Actor, ReasonMissing
from accounts.audit.models import Entry
from cardroom.rules import record
from games.matches import joining, overdue, records, verification
from games.matches.commit import deadlines
from games.matches.models import Match, Notice, Seat
from games.matches.refusals import MatchNotActive, SeatHandedOver
from games.operations import refereeing
from games.operations.refereeing import CannotReferee
from tests.matches.scenes import move, now, opened, played

pytestmark = pytest.mark.django_db

WHY = "Ben wrote that he is in hospital."


@pytest.fixture
def referee(cleo) -> Actor:
    return Actor.of(cleo, WHY)


@pytest.fixture
def match(ada, ben):
    """Ada is to act against Ben."""
    match = opened(ada, "me, user Ben", turn_seconds=600)
    return joining.join(match_id=match.id, user=ben)


def told(match) -> list[str]:
    return [notice.text for notice in Notice.objects.filter(match_id=match.id)]


def test_a_cleared_limit_stays_cleared_when_the_other_seat_changes_hands(match, referee):
    """Also when the usual time is long over by then."""
    refereeing.clear_deadline(match_id=match.id, by=referee)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        for act in (refereeing.hand_to_bot, refereeing.give_back):
            act(match_id=match.id, by=referee, seat=1)
            overdue.resend_overdue()
            assert (now(match).deadline_at, now(match).outcome) == (None, None)
        assert move(now(match)).deadline_at is not None


def test_a_bot_stands_in_and_the_person_comes_back(match, referee):
    refereeing.hand_to_bot(match_id=match.id, by=referee, seat=0, bot="greedy")
    handed = now(match)
    assert (handed.awaits_bot, handed.rated, handed.deadline_at) == (True, False, None)
    with pytest.raises(SeatHandedOver):
        move(handed, seat=0)
    refereeing.play_bot_turn(match_id=match.id, by=referee)
    assert now(match).to_act == [1]
    refereeing.give_back(match_id=match.id, by=referee, seat=0)
    after = played(move(now(match), seat=1))
    assert not list(verification.faults(after))
    assert record.verify(records.of(after)) is None
    assert len(told(match)) == 3
    entries = Entry.objects.filter(subject_id=str(match.id))
    assert {entry.reason for entry in entries} == {WHY}
    assert [entry.action for entry in entries] == ["give_back", "pay_bot_turn", "hand_to_bot"]


def test_a_seat_handed_over_while_a_move_was_judged_is_scheduled(match, referee):
    Seat.objects.filter(match_id=match.id, index=0).update(stand_in="greedy")
    overdue.resend_overdue()
    assert Match.objects.get(id=match.id).bot_due_at is not None


def test_what_cannot_be_handed_over(match, referee):
    for seat, bot in ((7, "greedy"), (0, "nobody")):
        with pytest.raises(CannotReferee):
            refereeing.hand_to_bot(match_id=match.id, by=referee, seat=seat, bot=bot)
    with pytest.raises(CannotReferee):
        refereeing.give_back(match_id=match.id, by=referee, seat=0)
    assert told(match) == []


def test_more_time_and_no_limit(match, referee):
    before = now(match).deadline_at
    refereeing.extend_deadline(match_id=match.id, by=referee, minutes=60)
    assert now(match).deadline_at == before + timedelta(minutes=60)
    refereeing.clear_deadline(match_id=match.id, by=referee)
    assert now(match).deadline_at is None
    after = move(now(match))
    assert after.deadline_at is not None


def test_nobody_is_given_less_time(ada, ben, referee):
    """Three days are three days and an hour, not an hour."""
    match = joining.join(match_id=opened(ada, "me, user Ben", turn_seconds=3 * 86400).id, user=ben)
    before = match.deadline_at
    said = refereeing.extend_deadline(match_id=match.id, by=referee, minutes=60)
    assert now(match).deadline_at == before + timedelta(hours=1)
    assert refereeing.moment(before) in said
    assert refereeing.moment(before + timedelta(hours=1)) in told(match)[0]
    with pytest.raises(CannotReferee, match="less time"):
        refereeing.set_deadline(match_id=match.id, by=referee, minutes=60)
    for minutes in (0, -60, 10**6):
        with pytest.raises(CannotReferee):
            refereeing.extend_deadline(match_id=match.id, by=referee, minutes=minutes)
    assert now(match).deadline_at == before + timedelta(hours=1)


def test_time_is_added_for_each_seat(ada, ben, referee, time_machine):
    """Both seats of Shithead's exchange are to act; each keeps its own time, and more."""
    match = opened(ada, "me, user Ben", "shithead", options={"players": 2}, turn_seconds=600)
    match = joining.join(match_id=match.id, user=ben)
    assert len(match.people_to_act) == 2
    before = deadlines(match)
    refereeing.extend_deadline(match_id=match.id, by=referee, minutes=5)
    after = deadlines(now(match))
    assert after == {seat: until + timedelta(minutes=5) for seat, until in before.items()}


def test_a_deadline_that_has_passed_counts_from_now_on(match, referee, time_machine):
    later = match.deadline_at + timedelta(hours=2)
    time_machine.move_to(later, tick=False)
    refereeing.extend_deadline(match_id=match.id, by=referee, minutes=10)
    assert now(match).deadline_at == later + timedelta(minutes=10)


def test_a_move_without_a_deadline_is_given_one(ada, ben, referee):
    match = joining.join(match_id=opened(ada, "me, user Ben").id, user=ben)
    with pytest.raises(CannotReferee, match="no deadline"):
        refereeing.extend_deadline(match_id=match.id, by=referee, minutes=5)
    with pytest.raises(CannotReferee, match="no deadline"):
        refereeing.clear_deadline(match_id=match.id, by=referee)
    refereeing.set_deadline(match_id=match.id, by=referee, minutes=60)
    assert now(match).deadline_at > timezone.now() + timedelta(minutes=59)


def test_a_decided_match_can_be_verified_by_anybody(match, referee):
    refereeing.adjudicate(match_id=match.id, by=referee, winner=1)
    over = now(match)
    assert (over.status, over.outcome.winners) == ("finished", (1,))
    assert record.verify(records.of(over)) is None


@pytest.mark.parametrize("seats", ["bot greedy, bot random", "me, open"])
def test_any_match_can_be_called_off(ada, referee, seats):
    match = opened(ada, seats)
    refereeing.abort(match_id=match.id, by=referee)
    assert now(match).status == "aborted"
    with pytest.raises(MatchNotActive):
        refereeing.abort(match_id=match.id, by=referee)


def test_closed_to_spectators(match, referee, cleo):
    refereeing.close_to_spectators(match_id=match.id, by=referee)
    assert not now(match).is_visible_to(cleo.id)


def test_a_reason_is_required(cleo):
    with pytest.raises(ReasonMissing):
        Actor.of(cleo, "  ")


def test_the_players_read_it_at_the_table_and_in_the_api(match, referee, first, client):
    refereeing.send_notice(match_id=match.id, by=referee, text="We restart at nine.")
    assert "We restart at nine." in client.get(f"/matches/{match.id}").content.decode()
    notices = first.get(f"/api/v1/matches/{match.id}/notices").json()
    assert [notice["text"] for notice in notices] == ["We restart at nine."]
