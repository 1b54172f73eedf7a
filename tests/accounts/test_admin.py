"""Operators find people and revoke their keys; no digest and no hash is ever shown."""

from importlib import import_module

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.audit.models import Suspension
from accounts.models import Key, User
from tests.conftest import client_of


@pytest.fixture
def operator(db):
    return client_of(User.objects.create_superuser("root", password="a long and quiet evening"))


def test_people_are_listed_and_found(operator, ada, guest):
    services.issue_key(user=ada)
    listed = operator.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert "Ada" in listed
    assert guest.username in listed
    found = operator.get(reverse("admin:accounts_user_changelist"), {"q": "ada"}).content.decode()
    assert guest.username not in found


def test_a_person_is_shown_without_secrets(operator, ada):
    key, secret = services.issue_key(user=ada, name="bot")
    for page in (
        reverse("admin:accounts_user_change", args=[ada.pk]),
        reverse("admin:accounts_key_changelist"),
        reverse("admin:accounts_key_change", args=[key.pk]),
    ):
        shown = operator.get(page).content.decode()
        assert "bot" in shown
        assert key.digest not in shown
        assert secret not in shown
        assert ada.password not in shown


def test_a_name_is_changed(operator, ada):
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    operator.post(
        page,
        {
            "username": "Ada",
            "display_name": "Lady Ada",
            "language": "en",
            "is_active": "on",
            "keys-TOTAL_FORMS": 0,
            "keys-INITIAL_FORMS": 0,
        },
    )
    ada.refresh_from_db()
    assert ada.display_name == "Lady Ada"


def test_an_operator_makes_a_person(operator):
    password = "another long evening"
    operator.post(
        reverse("admin:accounts_user_add"),
        {
            "username": "Grace",
            "password1": password,
            "password2": password,
            "usable_password": "true",
            "keys-TOTAL_FORMS": 0,
            "keys-INITIAL_FORMS": 0,
        },
    )
    assert User.objects.get(username="Grace").display_name == "Grace"


def test_all_keys_of_a_user_are_revoked_at_once(operator, ada, guest):
    kept = services.issue_key(user=guest).key
    for _ in range(3):
        services.issue_key(user=ada)
    operator.post(
        reverse("admin:accounts_user_changelist"),
        {"action": "revoke_keys", "_selected_action": [str(ada.pk)]},
    )
    assert list(Key.objects.all()) == [kept]


def test_an_operator_makes_no_key_for_a_user(operator):
    assert operator.get(reverse("admin:accounts_key_add")).status_code == 403


def test_suspending_is_the_one_way_to_stop_a_person(operator, ada):
    """The form has no switch for it: neither to stop somebody nor to let a suspended one in."""
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    form = {"username": "Ada", "display_name": "Ada", "language": "en"}
    form |= {"keys-TOTAL_FORMS": 0, "keys-INITIAL_FORMS": 0}
    assert 'name="is_active"' not in operator.get(page).content.decode()
    operator.post(page, form)
    ada.refresh_from_db()
    assert ada.is_active
    Suspension.objects.create(user=ada, reason="Insults.", by="referee")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    operator.post(page, form | {"is_active": "on"})
    ada.refresh_from_db()
    assert not ada.is_active
    for shown in (page, reverse("admin:accounts_user_changelist"), person_page(ada)):
        assert "suspended for good" in operator.get(shown).content.decode()


@pytest.mark.parametrize(
    ("username", "standing"),
    [("deleted-abcdefghij", "erased"), ("imported-0123", "imported"), ("Eve", "closed")],
)
def test_an_account_that_is_not_active_says_why(operator, username, standing):
    user = User.objects.create_user(username, is_active=False)
    page = reverse("admin:accounts_user_change", args=[user.pk])
    assert standing in operator.get(page).content.decode()
    assert standing in operator.get(person_page(user)).content.decode()


def test_an_account_that_was_closed_in_the_form_is_suspended_and_can_come_back(operator, ada):
    """The effect of the migration on accounts whose "Active" was unticked."""
    User.objects.filter(pk=ada.pk).update(is_active=False)
    erased = User.objects.create_user("deleted-abcdefghij", is_active=False)
    migration = import_module("accounts.audit.migrations.0004_names_leave_and_closed_accounts")
    for _ in range(2):
        connection.cursor().execute(migration.SUSPENDED)
    assert Suspension.objects.get().user == ada
    assert not erased.suspensions.exists()
    lift = reverse("admin:operations_person_act", args=[ada.pk, "lift"])
    operator.post(lift, {"reason": "It was long ago."})
    ada.refresh_from_db()
    assert ada.is_active


def person_page(user):
    return reverse("admin:operations_person_change", args=[user.pk])


def test_players_do_not_come_in(ada):
    browser = client_of(ada)
    assert browser.get(reverse("admin:accounts_user_changelist")).status_code == 302


def test_a_superuser_signs_in_at_the_site_and_comes_back(db):
    password = "a long and quiet evening"
    User.objects.create_superuser("root", password=password)
    browser = Client()
    people = reverse("admin:accounts_user_changelist")
    door = browser.get(people, follow=True).redirect_chain[-1][0]
    assert door.startswith(reverse("account_login"))
    answer = browser.post(door, {"login": "ROOT", "password": password}, follow=True)
    assert answer.request["PATH_INFO"] == people
    assert answer.status_code == 200


def test_an_operator_does_not_give_a_guest_a_password(operator, guest):
    page = operator.get(reverse("admin:auth_user_password_change", args=[guest.pk]))
    assert page.status_code == 403


def test_an_operator_does_not_give_a_guest_rights(operator, guest):
    operator.post(
        reverse("admin:accounts_user_change", args=[guest.pk]),
        {
            "username": guest.username,
            "display_name": "Somebody",
            "language": "en",
            "is_active": "on",
            "is_staff": "on",
            "keys-TOTAL_FORMS": 0,
            "keys-INITIAL_FORMS": 0,
        },
    )
    guest.refresh_from_db()
    assert (guest.display_name, guest.is_staff) == ("Somebody", False)


def test_only_staff_are_led_to_the_admin(operator, ada):
    for browser, links in ((operator, 2), (client_of(ada), 0)):
        shown = browser.get(reverse("account")).content.decode()
        assert shown.count(f'href="{reverse("admin:index")}"') == links
