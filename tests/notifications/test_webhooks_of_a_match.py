"""A webhook of one match: what happens in it, as its account sees it at the table, and no more."""

import json

import pytest

from accounts.models import User
from accounts.notifications import delivering, endpoints
from accounts.notifications.models import Cause, Delivery
from accounts.notifications.refusals import BadChoices, NoSuchTopic, TopicIsOver
from games import causes
from games.matches import joining
from games.matches.models import Match
from tests.conftest import BACKEND
from tests.matches.scenes import move, opened, pair, resigned

pytestmark = pytest.mark.django_db(transaction=True)


def watch(user, match, receiver):
    return endpoints.create(user=user, url=receiver.url, match=match.id)


def told(receiver):
    """The data of the calls since the last look."""
    causes.derive()
    before = len(receiver.calls)
    delivering.deliver()
    return [body["data"] for body in receiver.bodies[before:]]


def test_is_told_what_happened_since_and_once(ada, ben, cleo, receiver):
    match = pair(ada, ben)
    watch(cleo, match, receiver)
    assert told(receiver) == []
    match = move(match)
    (data,) = told(receiver)
    assert data["match"] == str(match.id)
    assert (data["after"], data["version"], data["status"]) == (0, 1, "active")
    assert {event["version"] for event in data["events"]} == {1}
    assert told(receiver) == []
    move(move(match))
    (data,) = told(receiver)
    assert (data["after"], data["version"]) == (1, 3)


def test_tells_what_the_events_of_the_api_tell(ada, ben, cleo, receiver, api):
    """Each account its own view: the hands of others are in no call."""
    match = pair(ada, ben)
    for user in (ada, ben, cleo):
        watch(user, match, receiver)
    for _ in range(8):
        match = move(match)
    told(receiver)
    for user in (ada, ben, cleo):
        (data,) = [body["data"] for body in receiver.bodies if body["account"] == user.username]
        api.force_authenticate(user)
        answer = api.get(f"/api/v1/matches/{match.id}/events?after=0&limit=100").json()
        assert data["events"] == answer["events"]


def test_a_beginning_and_an_end_are_told(ada, ben, receiver):
    match = opened(ada, "me, open")
    watch(ada, match, receiver)
    match = joining.join(match_id=match.id, user=ben)
    (data,) = told(receiver)
    assert (data["after"], data["status"]) == (-1, "active")
    resigned(match, 0)
    assert told(receiver)[-1]["status"] == "finished"
    assert told(receiver) == []


def test_with_a_delay_it_is_told_later(ada, ben, cleo, receiver):
    match = pair(ada, ben, watch_delay=3)
    watch(cleo, match, receiver)
    for _ in range(3):
        match = move(match)
    assert told(receiver) == []
    match = move(match)
    (data,) = told(receiver)
    assert (data["after"], data["version"]) == (0, 1)
    assert {event["version"] for event in data["events"]} == {1}


def test_a_player_of_a_delayed_match_is_told_at_once(ada, ben, receiver):
    match = pair(ada, ben, watch_delay=3)
    watch(ben, match, receiver)
    move(match)
    assert [data["version"] for data in told(receiver)] == [1]


def test_what_one_may_not_see_any_more_is_not_told(ada, ben, cleo, receiver):
    """Not what waits to be sent, nor what happens afterwards."""
    match = pair(ada, ben)
    watch(cleo, match, receiver)
    match = move(match)
    causes.derive()
    Match.objects.filter(id=match.id).update(visibility="private")
    delivering.deliver()
    assert receiver.calls == []
    assert Delivery.objects.get().why == "over"
    move(match)
    assert told(receiver) == []
    assert Cause.objects.count() == 1


def test_who_is_suspended_is_told_nothing(ada, ben, cleo, receiver):
    match = pair(ada, ben)
    watch(cleo, match, receiver)
    match = move(match)
    causes.derive()
    User.objects.filter(pk=cleo.pk).update(is_active=False)
    move(match)
    assert told(receiver) == []
    assert receiver.calls == []


def test_is_for_a_match_that_one_may_see(ada, ben, cleo, inside):
    kept = opened(ada, "me, user Ben", visibility="private")
    match = joining.join(match_id=kept.id, user=ben)
    with pytest.raises(NoSuchTopic):
        endpoints.create(user=cleo, url="https://example.org", match=match.id)
    with pytest.raises(NoSuchTopic):
        endpoints.create(user=cleo, url="https://example.org", match=cleo.pk)
    resigned(match, 0)
    with pytest.raises(TopicIsOver):
        endpoints.create(user=ada, url="https://example.org", match=match.id)


def test_is_told_of_nothing_else_and_other_webhooks_not_of_the_match(ada, ben, hook, receiver):
    match = pair(ada, ben)
    own = watch(ada, match, receiver)
    move(match)
    told(receiver)
    resigned(match, 0)
    told(receiver)
    by_hook = {(one.endpoint_id, one.cause.kind) for one in Delivery.objects.all()}
    assert by_hook == {(own.pk, "match"), (hook.pk, "result")}


def test_is_told_of_news_too_if_its_owner_wants(ada, ben, receiver):
    match = pair(ada, ben)
    own = endpoints.create(user=ada, url=receiver.url, match=match.id, kinds=["friend"])
    endpoints.change(account=ada.pk, endpoint_id=own.pk, kinds=["result"])
    causes.derive()
    resigned(match, 0)
    told(receiver)
    assert {body["type"] for body in receiver.bodies} == {"match", "result"}


def test_is_told_something(ada, inside):
    with pytest.raises(BadChoices):
        endpoints.create(user=ada, url="https://example.org")


def test_a_cause_holds_no_event(ada, ben, receiver):
    match = pair(ada, ben)
    watch(ada, match, receiver)
    move(match)
    causes.derive()
    assert "events" not in json.dumps(Cause.objects.get().payload)


def test_many_versions_are_told_in_parts(ada, ben, receiver, monkeypatch):
    monkeypatch.setattr("games.causes.MOST_VERSIONS", 2)
    match = pair(ada, ben)
    watch(ada, match, receiver)
    for _ in range(3):
        match = move(match)
    parts = [*told(receiver), *told(receiver), *told(receiver)]
    assert [(data["after"], data["version"]) for data in parts] == [(0, 2), (2, 3)]


def test_the_form_takes_the_address_of_the_page(client, ada, ben, inside):
    match = pair(ada, ben)
    client.force_login(ada, BACKEND)
    here = "/accounts/notifications/webhooks/"
    new = {"url": "https://example.org/", "match": f"https://cards.example/matches/{match.id}"}
    answer = client.post(here, new)
    assert answer.status_code == 201
    assert f"/matches/{match.id}" in answer.content.decode()
    for wrong in ({"match": "my match"}, {"match": ""}):
        assert client.post(here, new | wrong).status_code == 422
