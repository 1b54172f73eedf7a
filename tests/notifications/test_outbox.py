"""A cause is written with what caused it, once, and only for who wants to be told."""

import pytest
from django.db import transaction

from accounts.audit.log import Actor
from accounts.notifications.models import Cause, Choices, Endpoint
from accounts.notifications.outbox import Owed, owe, owe_all
from accounts.social import services
from games.operations import people

pytestmark = pytest.mark.django_db


@pytest.fixture
def wants():
    def choose(user, *kinds):
        return Choices.objects.create(account=user, mail=list(kinds))

    return choose


def test_nothing_is_written_for_who_has_chosen_nothing(ada):
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_is_written_once_for_a_key(ada, wants):
    wants(ada, "challenge")
    assert owe_all([Owed(ada.pk, "challenge", "challenge:1", {"game": "pisti"})]) == 1
    assert owe_all([Owed(ada.pk, "challenge", "challenge:1", {"game": "pazaak"})]) == 0
    assert Cause.objects.get().payload == {"game": "pisti"}


def test_a_kind_that_nobody_wants_is_not_written(ada, wants):
    wants(ada, "result")
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_a_program_wants_it_as_well(ada):
    Endpoint.objects.create(account=ada, url="https://example.org/", kinds=["result"], nonce="x")
    owe(ada.pk, "result", "result:1", {})
    assert Cause.objects.get().kind == "result"


def test_nothing_is_told_that_did_not_happen(ada, wants):
    wants(ada, "challenge")
    with transaction.atomic():
        owe(ada.pk, "challenge", "challenge:1", {})
        transaction.set_rollback(True)
    assert not Cause.objects.exists()


def test_a_closed_account_is_told_nothing(ada, wants):
    wants(ada, "challenge")
    ada.is_active = False
    ada.save()
    owe(ada.pk, "challenge", "challenge:1", {})
    assert not Cause.objects.exists()


def test_friends_ask_and_accept(ada, ben, wants):
    wants(ada, "friend"), wants(ben, "friend")
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ada, other=ben.pk)
    services.befriend(user=ben, other=ada.pk)
    causes = Cause.objects.order_by("id").values_list("account", "payload")
    assert list(causes) == [
        (ben.pk, {"what": "asked", "person": str(ada.pk)}),
        (ada.pk, {"what": "accepted", "person": str(ben.pk)}),
    ]


def test_operators_write_to_a_person(ada, ben, wants):
    wants(ada, "operator")
    people.message(user_id=ada.pk, by=Actor.of(ben, "A report."), text="Choose another name.")
    assert Cause.objects.get().payload == {"notice": str(ada.notices.get().pk)}
