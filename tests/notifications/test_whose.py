"""What is kept of a person here is handed out to them, leaves with them, and tells no secret."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from accounts.audit.log import Actor
from accounts.notifications import choices, delivering, endpoints
from accounts.notifications.models import Attempt, Cause, Choices, Delivery, Endpoint, Subscription
from accounts.notifications.outbox import owe
from games.operations import own_data, people

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def known(ada, ben, hook, receiver, mailed):
    mailed(ada)
    Subscription.objects.create(account=ada, endpoint="https://push.example.org/a", auth="secret a")
    owe(ada.pk, "friend", "friend:1", {"what": "asked", "person": str(ben.pk)})
    delivering.deliver()
    return ada


def test_all_of_it_is_in_the_data_of_the_person(known, hook):
    text = json.dumps(own_data.data_of(known), cls=DjangoJSONEncoder)
    assert hook.url in text
    assert '"hook"' in text
    for secret in (endpoints.secret_of(hook), hook.nonce, "secret a"):
        assert secret not in text


def test_nothing_is_left_after_an_erasure(known, ben):
    people.erase(user_id=known.pk, by=Actor.of(ben, "At their wish."))
    for model in (Attempt, Cause, Choices, Delivery, Endpoint, Subscription):
        assert not model.objects.exists()


def test_old_causes_are_forgotten_unless_somebody_waits(known, settings):
    owe(known.pk, "friend", "friend:2", {"what": "asked"})
    delivering.route()
    Cause.objects.update(created_at="2026-01-01T00:00:00Z")
    assert choices.forget_old() > 0
    assert [cause.key for cause in Cause.objects.all()] == ["friend:2"]
    settings.RETENTION = settings.RETENTION | {"notifications": 0}
    assert choices.forget_old() == 0
