"""New accounts over the API: guests at once, registered people, guests who register."""

import re
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from accounts import services
from accounts.models import DISPLAY_NAME_LENGTH, User
from accounts.names import (
    ANIMALS,
    FEMININE,
    MOODS,
    OTHERS,
    guest_name,
    is_generated,
    is_reserved,
    name_of,
)
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


# Guests are named in their own language; their usernames are plain.

SCRIPTS = {
    "en": r"[A-Za-z ]+",
    "tr": r"[A-Za-zÇĞİÖŞÜçğıöşü ]+",
    "ru": r"[А-ЯЁа-яё ]+",
    "cs": r"[^\W\d_ ]+ [^\W\d_]+",
}
PAIRS = [(mood, animal) for mood in MOODS for animal in ANIMALS]


@pytest.mark.parametrize("language", SCRIPTS)
def test_every_name_is_fit_for_a_table(language):
    for mood, animal in PAIRS:
        name = name_of(mood, animal, language)
        assert re.fullmatch(SCRIPTS[language], name), name
        assert len(name) <= DISPLAY_NAME_LENGTH
        assert not is_reserved(name)
        assert all(word[0].isupper() for word in name.split())


@pytest.mark.parametrize(
    ("mood", "animal", "language", "name"),
    [
        ("brave", "otter", "en", "Brave Otter"),
        ("brave", "otter", "tr", "Cesur Su Samuru"),
        ("brave", "otter", "ru", "Храбрая Выдра"),
        ("lively", "duck", "ru", "Живая Утка"),
        ("crisp", "crow", "ru", "Свежая Ворона"),
        ("brave", "wolf", "ru", "Храбрый Волк"),
        ("wise", "owl", "cs", "Moudrá Sova"),
        ("dapper", "fox", "cs", "Elegantní Liška"),
        ("wise", "wolf", "cs", "Moudrý Vlk"),
        ("brave", "otter", "de", "Brave Otter"),
    ],
)
def test_a_mood_agrees_with_its_animal(mood, animal, language, name):
    assert name_of(mood, animal, language) == name


def test_every_feminine_animal_is_one_of_the_animals():
    assert set(FEMININE) == set(OTHERS)
    assert all(names <= set(ANIMALS) for names in FEMININE.values())


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_generated_name_is_known_again(language):
    username, shown = guest_name(language)
    assert is_generated(username, shown)
    assert not is_generated(username, f"{shown} I")
    assert not is_generated("ada", shown)
    assert not is_generated("brave", "Brave")


def test_a_guest_is_named_in_the_language_of_the_page(db):
    browser = Client(HTTP_ACCEPT_LANGUAGE="ru")
    browser.post("/play/pisti")
    guest = User.objects.get()
    assert re.fullmatch(SCRIPTS["ru"], guest.display_name)
    assert re.fullmatch(r"[a-z]+-[a-z]+-\w{5}", guest.username)
    assert is_generated(guest.username, guest.display_name)


# The caller's own account, and malformed requests about it.

ME = "/api/v1/accounts/me"
BODIES = ["guest", "register", "token"]


def test_an_anonymous_caller_has_to_sign_in(api, db):
    answer = api.get(ME)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer["Content-Type"] == "application/problem+json"


def test_a_name_is_changed_and_tidied(ada, keyed):
    answer = keyed(ada).patch(ME, {"display_name": "  Ada   Lovelace "})
    assert answer.json()["display_name"] == "Ada Lovelace"
    ada.refresh_from_db()
    assert ada.display_name == "Ada Lovelace"


def test_what_is_left_out_stays(ada, keyed):
    assert keyed(ada).patch(ME, {}).json()["display_name"] == "Ada"
    assert keyed(ada).patch(ME, {"language": "en"}).json()["display_name"] == "Ada"


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": ""},
        {"display_name": "   "},
        {"display_name": "x" * 41},
        {"display_name": "Ada\u202e"},
        {"display_name": "A\u0007da"},
        {"language": "xx"},
        {"language": ""},
    ],
)
def test_what_a_profile_may_not_be_is_named(ada, keyed, change):
    answer = keyed(ada).patch(ME, change)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_account")
    assert list(answer.json()["fields"]) == list(change)
    ada.refresh_from_db()
    assert (ada.display_name, ada.language) == ("Ada", "en")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"display_name": 3}, "display_name: Expected 'str', got 'int'."),
        ({"display_name": None}, "display_name: Expected 'str', got 'null'."),
        ({"is_staff": True}, "Object contains unknown field 'is_staff'."),
        ([], "Expected 'object', got 'array'."),
    ],
)
def test_a_wrong_shape_names_field_and_type(ada, keyed, body, detail):
    answer = keyed(ada).patch(ME, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["detail"] == detail


BROKEN = [
    b"{",
    b"\xff",
    b'{"username": "\xff"}',
    b'{"username": "\\ud800"}',
    b'{"username": "a\\u0000b", "password": "x"}',
    b"[" * 60000,
    b'{"a":' * 10000 + b"1" + b"}" * 10000,
    b"null",
    b"NaN",
    b"1e999",
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
    b'{"username": 1, "password": {}}',
    b'{"surprise": 1}',
]


@pytest.mark.parametrize("call", BODIES)
def test_a_broken_body_is_malformed(api, db, call):
    for body in BROKEN:
        answer = api.generic("POST", f"/api/v1/accounts/{call}", body, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), body[:40]


@pytest.mark.parametrize("call", BODIES)
def test_a_huge_body_is_too_large(api, db, call):
    body = b'{"username": "' + b"x" * 70_000 + b'"}'
    answer = api.generic("POST", f"/api/v1/accounts/{call}", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "image/png"])
def test_another_media_type_is_unsupported(api, db, kind):
    answer = api.generic("POST", "/api/v1/accounts/guest", b"{}", kind)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert "application/json" in answer.json()["detail"]


def test_a_charset_parameter_is_fine(api, db):
    kind = "application/json; charset=utf-8"
    assert api.generic("POST", "/api/v1/accounts/guest", b"{}", kind).status_code == 201


def test_another_method_is_named(api, db):
    answer = api.put("/api/v1/accounts/guest", {})
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "POST" in answer["Allow"]


def test_an_accept_header_changes_nothing(ada, keyed):
    answer = keyed(ada).get(ME, HTTP_ACCEPT="text/html")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", ["tokens/not-a-uuid", "nothing", "nothing/"])
def test_an_unknown_address_is_a_problem(ada, keyed, path):
    answer = keyed(ada).get(f"/api/v1/accounts/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_an_unknown_address_is_one_without_a_csrf_token_too(db):
    answer = APIClient(enforce_csrf_checks=True).delete("/api/v1/accounts/tokens/not-a-uuid")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_session_writes_only_with_its_csrf_token(ada):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(ada)
    assert browser.get(ME).status_code == 200
    answer = browser.patch(ME, {"display_name": "Mallory"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert "CSRF" in answer.json()["detail"]
