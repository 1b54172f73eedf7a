"""Somebody is suspended, or erased, at the moment at which they take a seat: nobody waits for them.

`make races` tries each more often; nothing is printed unless somebody is left behind.
"""

import os
from collections.abc import Callable
from datetime import timedelta
from random import Random
from time import sleep

import pytest
from django.db.models import Q
from django.utils import timezone

from accounts import services
from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.locking import Suspended
from accounts.models import User
from config.refusals import NotSignedIn, Refusal
from games.matches import joining, leaving, loading, overdue
from games.matches.models import Match, Notice, Seat
from games.matches.refusals import NoMoreInvitations
from games.operations import people, refereeing
from tests.matches.scenes import now, opened, played, resigned
from tests.security.test_presses import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = -(-int(os.environ.get("RACES", "4")) // 5)
BY = Actor(None, "a referee", "Three reports of insults.")

Call = Callable[[], object]


def someone() -> User:
    return services.open_guest()


def joined(ada: User, ben: User, **more: object):
    return joining.join(match_id=opened(ada, "me, open", **more).id, user=ben)


def joins_as_the_second(ada: User, ben: User) -> Call:
    match = opened(ben, "me, open")
    return lambda: joining.join(match_id=match.id, user=ada)


def joins_as_one_of_three(ada: User, ben: User) -> Call:
    match = opened(ben, "me, open, open", options={"players": 3})
    return lambda: joining.join(match_id=match.id, user=ada)


def is_joined(ada: User, ben: User) -> Call:
    match = opened(ada, "me, open")
    return lambda: joining.join(match_id=match.id, user=ben)


def accepts_an_invitation(ada: User, ben: User) -> Call:
    match = opened(ben, f"me, user {ada.username}")
    return lambda: joining.join(match_id=match.id, user=ada)


def opens_against_a_bot(ada: User, ben: User) -> Call:
    return lambda: opened(ada, "me, bot greedy")


def seeks_anybody(ada: User, ben: User) -> Call:
    return lambda: opened(ada, "me, open", visibility="public")


def is_invited(ada: User, ben: User) -> Call:
    return lambda: opened(ben, f"me, user {ada.username}")


def loads(ada: User, ben: User) -> Call:
    match = played(opened(ada, "me, bot random"), 6)
    return lambda: loading.load(match_id=match.id, user=ada, cards="same", version=4)


def wants_a_rematch(ada: User, ben: User) -> Call:
    match = resigned(joined(ada, ben), 0)
    return lambda: joining.open_rematch(match_id=match.id, user=ada)


def is_wanted_for_a_rematch(ada: User, ben: User) -> Call:
    match = resigned(joined(ada, ben), 0)
    return lambda: joining.open_rematch(match_id=match.id, user=ben)


def _late(ada: User, ben: User):
    match = joined(ada, ben, turn_seconds=60, on_timeout="bot_takes_over")
    Match.objects.filter(id=match.id).update(deadline_at=timezone.now() - timedelta(hours=1))
    return match


def is_handed_over_by_the_clock(ada: User, ben: User) -> Call:
    match = _late(ada, ben)
    return lambda: leaving.hand_over_late(match.id)


def takes_the_seat_back(ada: User, ben: User) -> Call:
    match = _late(ada, ben)
    seats = list(Seat.objects.filter(match=match.id).order_by("index"))
    leaving.hand_over(Match.objects.get(id=match.id), seats, 0, "random", by_clock=True)
    return lambda: overdue.reclaim(match_id=match.id, user=ada)


def is_given_the_seat_back(ada: User, ben: User) -> Call:
    match = joined(ada, ben)
    refereeing.hand_to_bot(match_id=match.id, by=BY, seat=0)
    return lambda: refereeing.give_back(match_id=match.id, by=BY, seat=0)


RACES = [
    *(joins_as_the_second, joins_as_one_of_three, is_joined, accepts_an_invitation),
    *(opens_against_a_bot, seeks_anybody, is_invited, loads, wants_a_rematch),
    *(is_wanted_for_a_rematch, is_handed_over_by_the_clock),
    *(takes_the_seat_back, is_given_the_seat_back),
]


def suspends(ada: User) -> object:
    return people.suspend(user_id=ada.pk, by=BY, until=None, resigns=False)


def erases(ada: User) -> object:
    return people.erase(user_id=ada.pk, by=BY)


def waited_for(ada: User) -> list[str]:
    """Where somebody waits for a person who may not play."""
    plays = Q(user=ada, match__status="active", resigned_at=None, stand_in="")
    sits = Q(user=ada, match__status="open", resigned_at=None)
    sits |= Q(invited=ada, declined="", match__status="open")
    seats = [f"{seat.match.status} {seat}" for seat in Seat.objects.filter(plays | sits)]
    return seats + [str(each) for each in Match.objects.filter(creator=ada, status="open")]


@pytest.mark.parametrize("closes", [suspends, erases])
@pytest.mark.parametrize("race", RACES)
def test_nobody_waits_for_who_may_not_play(race, closes):
    left_behind, chance = [], Random(race.__name__)
    for _ in range(ROUNDS):
        ada, ben = someone(), someone()
        call, before, after = race(ada, ben), chance.random() / 200, chance.random() / 200

        def late(act: Call, seconds: float) -> Call:
            return lambda: (sleep(seconds), act())[1]

        took, closed = at_once(late(call, before), late(lambda ada=ada: closes(ada), after))
        assert not isinstance(closed, Exception), closed
        assert took is None or not isinstance(took, Exception) or isinstance(took, Refusal), took
        left_behind.append(waited_for(ada))
        assert User.objects.get(pk=ada.pk).is_active is False
    assert not any(left_behind), f"{sum(map(bool, left_behind))} of {ROUNDS}: {left_behind}"


def test_who_is_suspended_takes_no_seat():
    """Whoever still holds the account as it was before reads why."""
    ada, ben = someone(), someone()
    opened_before, invited = opened(ben, "me, open"), f"me, user {ada.username}"
    over = resigned(joined(ada, ben), 0)
    suspends(ada)
    for call in (
        lambda: joining.join(match_id=opened_before.id, user=ada),
        lambda: opened(ada, "me, bot greedy"),
        lambda: joining.open_rematch(match_id=over.id, user=ada),
    ):
        with pytest.raises(Suspended, match=BY.reason):
            call()
    with pytest.raises(NoMoreInvitations):
        joining.open_rematch(match_id=over.id, user=ben)
    with pytest.raises(Refusal):
        opened(ben, invited)
    erases(ada)
    with pytest.raises(NotSignedIn):
        joining.join(match_id=opened_before.id, user=ada)


def test_seats_that_were_left_behind_are_found_by_the_beat():
    """As a process leaves them that ends between closing the account and leaving its matches."""
    ada, ben = someone(), someone()
    against, alone, invited = joined(ada, ben), opened(ada, "me, open"), opened(ben, "me, open")
    Seat.objects.filter(match=invited.id, index=1).update(invited=ada)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert len(waited_for(ada)) == 4
    assert people.mend() == 3
    assert waited_for(ada) == []
    assert now(against).outcome.winners == (1,)
    assert now(alone).status == "aborted"
    assert now(invited).seats[1].declined == "generic"  # kept until its host decides
    assert people.mend() == 0


def test_who_comes_back_finds_the_seat_that_the_beat_has_handed_over():
    ada, ben = someone(), someone()
    people.suspend(user_id=ada.pk, by=BY, until=timezone.now() + timedelta(days=1), resigns=False)
    User.objects.filter(pk=ada.pk).update(is_active=True)
    match = joined(ada, ben)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    people.mend()
    assert now(match).seats[0].stand_in
    people.lift(user_id=ada.pk, by=BY)
    assert now(match).seats[0].stand_in == ""


@pytest.mark.parametrize("closes", [suspends, erases])
def test_a_roll_back_makes_nobody_wait_for_who_is_gone(closes):
    """The resignation is undone with the round; a bot plays on, until a suspension is lifted."""
    ada, ben = someone(), someone()
    match = opened(ada, "me, open, local Twin", options={"players": 3})
    joining.join(match_id=match.id, user=ben)
    handing = {"user_id": ben.pk, "by": BY}
    if closes is suspends:
        people.suspend(**handing, until=None, resigns=True)
    else:
        people.erase(**handing)
    assert now(match).seats[1].resigned_at == 1
    refereeing.roll_back(match_id=match.id, by=BY, round=1)
    seat = now(match).seats[1]
    assert (seat.resigned_at, bool(seat.stand_in)) == (None, True)
    assert waited_for(ben) == []
    assert f"The computer plays for {seat.name}" in Notice.objects.latest("at").text
    if closes is suspends:
        people.lift(**handing)
        assert now(match).seats[1].stand_in == ""


def test_all_seats_at_a_device_are_left_though_a_bot_plays_one_of_them():
    ada, ben = someone(), someone()
    match = joining.join(
        match_id=opened(ada, "me, local Twin, open", options={"players": 3}).id, user=ben
    )
    refereeing.hand_to_bot(match_id=match.id, by=BY, seat=0)
    suspends(ada)
    assert [bool(seat.stand_in) for seat in now(match).seats] == [True, True, False]


def test_an_erasure_that_had_begun_is_finished(monkeypatch):
    """As a process leaves it that ends right after closing the account."""
    ada, ben = someone(), someone()
    match = joined(ada, ben)
    with monkeypatch.context() as patch:
        patch.setattr(people, "leave_all", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            erases(ada)
    people.finish_erasures()  # it may be at work still
    assert User.objects.get(pk=ada.pk).username == ada.username
    User.objects.filter(pk=ada.pk).update(erasing_since=timezone.now() - timedelta(minutes=2))
    for _ in range(2):
        people.finish_erasures()
    assert User.objects.get(pk=ada.pk).username.startswith("deleted-")
    assert now(match).outcome.winners == (1,)
    assert now(match).seats[0].name == people.ERASED_NAME
    assert Entry.objects.filter(action="erase", subject_id=str(ada.pk)).count() == 1


def test_an_erased_account_does_not_come_back_when_its_suspension_ends():
    ada = someone()
    people.suspend(user_id=ada.pk, by=BY, until=timezone.now() + timedelta(days=1), resigns=False)
    erases(ada)
    ada.suspensions.update(until=timezone.now() - timedelta(days=1))
    people.lift_what_has_ended()
    assert User.objects.get(pk=ada.pk).is_active is False
