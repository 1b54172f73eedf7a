"""Nobody answers for a bot account whose owner may not play: it rests as long as its owner."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services as keys
from accounts.audit.log import Actor
from accounts.audit.models import Suspension
from accounts.models import Key, User
from accounts.notifications import delivering, endpoints
from accounts.notifications.models import Delivery
from accounts.notifications.outbox import owe
from games.bot_accounts import services
from games.bot_accounts.services import Manners
from games.lobby import challenges
from games.lobby.challenges import NewChallenge, challenge_of
from games.matches import joining, planned
from games.matches.plans import PlanLine
from games.operations import own_data, people
from tests.matches.scenes import now, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(cleo):
    return Actor.of(cleo, "Three reports of insults.")


@pytest.fixture
def robo(ada):
    account = keys.register(username="robo", password="a long and quiet evening")
    services.ask_for_bot(account=account, owner="ada", manners=Manners(at_once=5))
    services.confirm_bot(owner=ada, username="robo")
    account.refresh_from_db()
    return account


@pytest.fixture
def busy(robo, ben):
    """A match that it plays, and a challenge of it that waits."""
    match = joining.join(match_id=opened(ben, "me, open", rated=False).id, user=robo)
    waits = challenges.send_challenge(
        account=robo, terms=NewChallenge(game="pisti", username="Ben")
    )
    return match, waits


def suspend(person, by, **more):
    given = {"until": None, "resigns": False} | more
    return people.suspend(user_id=person.pk, by=by, **given)


def rests(robo, ben, busy):
    match, waits = busy
    robo.refresh_from_db()
    assert not robo.is_active
    assert services.bot_accounts(None) == []
    assert [seat.stand_in for seat in now(match).seats if seat.user_id == robo.pk] != [""]
    assert challenge_of(ben.pk, waits).status == "withdrawn"


def test_a_suspended_owner_takes_it_along_and_back(ada, ben, by, robo, busy, holding):
    key = keys.issue_key(user=robo).secret
    assert holding(key).get("/api/v1/accounts/me").status_code == 200
    suspend(ada, by, until=timezone.now() + timedelta(days=1))
    rests(robo, ben, busy)
    assert holding(key).get("/api/v1/accounts/me").status_code == 403
    Suspension.objects.update(until=timezone.now() - timedelta(seconds=1))
    people.lift_what_has_ended()
    robo.refresh_from_db()
    assert robo.is_active
    assert not Suspension.objects.filter(lifted_at=None).exists()
    assert [seat.stand_in for seat in now(busy[0]).seats] == ["", ""]
    assert holding(key).get("/api/v1/accounts/me").status_code == 200


def test_an_operator_who_lifts_the_owner_lifts_it(ada, by, robo):
    suspend(ada, by)
    people.lift(user_id=ada.pk, by=by)
    assert User.objects.get(pk=robo.pk).is_active


def test_its_own_suspension_stays_with_the_owners_lifted(ada, by, robo):
    suspend(robo, by)
    suspend(ada, by)
    people.lift(user_id=ada.pk, by=by)
    assert not User.objects.get(pk=robo.pk).is_active


def test_what_a_dead_process_missed_is_made_up(ada, ben, by, robo, busy):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert people.close_orphans() == 1
    rests(robo, ben, busy)
    assert people.close_orphans() == 0


def test_of_an_erased_owner_it_rests_for_good(ada, ben, by, robo, busy):
    keys.issue_key(user=robo)
    people.erase(user_id=ada.pk, by=by)
    rests(robo, ben, busy)
    assert not Key.objects.filter(user=robo).exists()
    assert Suspension.objects.get(user=robo, lifted_at=None).until is None


@pytest.mark.django_db(transaction=True)
def test_its_webhooks_are_not_called(ada, by, robo, settings):
    settings.OUTWARD = {"private": True, "http": True, "ports": [], "refused": []}
    endpoints.create(user=robo, url="http://127.0.0.1:9/", kinds=["result"])
    owe(robo.pk, "result", "result:1", {})
    suspend(ada, by)
    delivering.deliver()
    assert Delivery.objects.get().why == "closed"
    owe(robo.pk, "result", "result:2", {})
    assert delivering.route() == 0


def test_the_data_of_a_person_has_their_plans_and_nobody_elses(ada, ben):
    match = joining.join(match_id=opened(ada, "me, open").id, user=ben)
    hand = list(match.rules.view(match.state, 1).hand)
    planned.put(match_id=match.id, user=ben, steps=[[PlanLine(hand[0])]])
    (plan,) = own_data.data_of(ben)["plans"]
    assert (plan["match_id"], plan["seat"]) == (match.id, 1)
    assert hand[0] in str(plan["steps"])
    assert own_data.data_of(ada)["plans"] == []
