"""New accounts over the API: guests at once, registered people, guests who register."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from accounts import services
from accounts.models import User
from accounts.refusals import UsernameTaken

PASSWORD = "a long and quiet evening"


def test_a_guest_plays_at_once(api, holding, db):
    answer = api.post("/api/v1/accounts/guest", {})
    assert answer.status_code == 201
    made = answer.json()
    assert made["user"]["is_guest"]
    assert holding(made["token"]).get("/api/v1/accounts/me").json() == made["user"]


def test_a_guest_needs_no_body(api, db):
    assert api.post("/api/v1/accounts/guest").status_code == 201


def test_guests_have_pleasant_names_that_differ(db):
    guests = [services.open_guest() for _ in range(20)]
    assert len({guest.username for guest in guests}) == 20
    assert all(" " in guest.display_name for guest in guests)
    assert not any(guest.has_usable_password() for guest in guests)


def test_a_drawn_name_that_is_taken_is_drawn_again(db, monkeypatch):
    drawn = iter([("calm-owl-22222", "Calm Owl"), ("CALM-OWL-22222", "Calm Owl"), ("b-owl-3", "B")])
    monkeypatch.setattr(services.names, "guest_name", lambda _: next(drawn))
    assert services.open_guest().username == "calm-owl-22222"
    assert services.open_guest().username == "b-owl-3"


def test_registering_gives_an_account_and_its_first_key(api, holding, db):
    body = {"username": "Grace", "password": PASSWORD, "email": "grace@example.org"}
    made = api.post("/api/v1/accounts/register", body).json()
    assert made["user"]["username"] == made["user"]["display_name"] == "Grace"
    assert not made["user"]["is_guest"]
    assert holding(made["token"]).get("/api/v1/accounts/me").json()["email"] == "grace@example.org"


def test_a_guest_who_registers_stays_the_same_person(guest, keyed):
    program = keyed(guest)
    body = {"username": "Grace", "password": PASSWORD}
    made = program.post("/api/v1/accounts/register", body).json()
    assert made["user"]["id"] == str(guest.pk)
    assert made["user"]["display_name"] == "Grace"
    assert program.get("/api/v1/accounts/me").json()["is_guest"] is False
    assert all(key.expires_at for key in guest.keys.all())


def test_a_guest_who_chose_a_name_keeps_it(guest, keyed):
    program = keyed(guest)
    program.patch("/api/v1/accounts/me", {"display_name": "Amazing Grace"})
    made = program.post("/api/v1/accounts/register", {"username": "Grace", "password": PASSWORD})
    assert made.json()["user"]["display_name"] == "Amazing Grace"


def test_a_guest_in_a_browser_registers_and_stays_signed_in(api, guest):
    api.force_login(guest)
    made = api.post("/api/v1/accounts/register", {"username": "Grace", "password": PASSWORD})
    assert made.json()["user"]["id"] == str(guest.pk)
    assert api.get("/api/v1/accounts/me").json()["username"] == "Grace"


def test_who_is_registered_does_not_register_again(ada, keyed):
    answer = keyed(ada).post(
        "/api/v1/accounts/register", {"username": "Grace", "password": PASSWORD}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "already_registered")
    assert not User.objects.filter(username="Grace").exists()


def test_a_username_is_taken_in_any_case(api, ada):
    answer = api.post("/api/v1/accounts/register", {"username": "aDA", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": "ab"}, "username"),
        ({"username": ""}, "username"),
        ({"username": "a" * 31}, "username"),
        ({"username": "ada lovelace"}, "username"),
        ({"username": "ad\na"}, "username"),
        ({"username": "adá"}, "username"),
        ({"username": "-ada"}, "username"),
        ({"password": "short"}, "password"),
        ({"password": ""}, "password"),
        ({"password": "12345678901"}, "password"),
        ({"password": "gracehopper"}, "password"),
        ({"email": "nowhere"}, "email"),
    ],
)
def test_what_an_account_may_not_be_is_named(api, db, change, field):
    body = {"username": "gracehopper", "password": PASSWORD, **change}
    answer = api.post("/api/v1/accounts/register", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_account")
    assert list(answer.json()["fields"]) == [field]
    assert not User.objects.exists()


def test_every_fault_is_told_at_once(api, db):
    answer = api.post("/api/v1/accounts/register", {"username": "x", "password": "x", "email": "x"})
    assert set(answer.json()["fields"]) == {"username", "password", "email"}


@pytest.mark.django_db(transaction=True)
def test_two_who_want_one_name_at_once_do_not_both_get_it():
    outcomes = []

    def want(name):
        try:
            services.register(username=name, password=PASSWORD)
            outcomes.append("made")
        except UsernameTaken:
            outcomes.append("taken")
        finally:
            connection.close()

    wanting = [threading.Thread(target=want, args=(name,)) for name in ("grace", "GRACE", "Grace")]
    for one in wanting:
        one.start()
    for one in wanting:
        one.join()
    assert sorted(outcomes) == ["made", "taken", "taken"]


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("guest_has_no_password", {"password": "argon2$something"}),
        ("guest_has_no_rights", {"is_staff": True}),
        ("username_is_plain", {"username": "no spaces"}),
        ("display_name_is_not_empty", {"display_name": ""}),
    ],
)
def test_the_database_says_no(guest, fact, change):
    with pytest.raises(IntegrityError, match=fact), transaction.atomic():
        User.objects.filter(pk=guest.pk).update(**change)
