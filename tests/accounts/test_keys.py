"""Keys: for a password, hashed, listed without the secret, expiring, revoked one by one."""

from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from knox.crypto import hash_token
from knox.settings import knox_settings
from rest_framework.test import APIClient

from accounts import services
from accounts.models import Key
from accounts.signing_in import key_digest
from config.api import throttles
from config.api.scopes import SCOPES

PASSWORD = "a long and quiet evening"
TOKENS = "/api/v1/accounts/tokens"


@pytest.mark.parametrize(
    "body",
    [
        {"username": "ada", "password": "wrong"},
        {"username": "nobody", "password": PASSWORD},
        {"username": "ada", "password": ""},
        {"username": "", "password": PASSWORD},
    ],
)
def test_a_wrong_password_gets_none_and_learns_nothing(api, ada, body):
    answer = api.post("/api/v1/accounts/token", body)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_credentials")
    assert answer.json()["detail"] == "No account has this username and password."
    assert not Key.objects.exists()


def test_who_was_shut_out_gets_no_key_and_uses_none(api, ada, keyed):
    program = keyed(ada)
    ada.is_active = False
    ada.save()
    answer = api.post("/api/v1/accounts/token", {"username": "ada", "password": PASSWORD})
    assert answer.status_code == 401
    assert program.get("/api/v1/accounts/me").status_code == 401


def test_a_guest_has_no_password_to_sign_in_with(api, guest):
    body = {"username": guest.username, "password": "!"}
    assert api.post("/api/v1/accounts/token", body).status_code == 401


def test_only_the_digest_is_stored(ada):
    _, secret = services.issue_key(user=ada, name="bot")
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_key::text FROM accounts_key")
        stored = "".join(row[0] for row in cursor.fetchall())
    assert secret not in stored
    assert hash_token(secret) in stored


def test_keys_are_listed_without_secret_or_digest(ada, holding):
    services.issue_key(user=ada, name="first")
    _, secret = services.issue_key(user=ada, name="second", scopes=SCOPES)
    answer = holding(secret).get(TOKENS)
    assert [(key["name"], key["is_current"]) for key in answer.json()["results"]] == [
        ("second", True),
        ("first", False),
    ]
    assert secret not in answer.content.decode()
    assert key_digest(f"Token {secret}") not in answer.content.decode()


def test_keys_of_others_are_neither_seen_nor_revoked(ada, guest, keyed):
    foreign = services.issue_key(user=ada).key
    stranger = keyed(guest)
    assert len(stranger.get(TOKENS).json()["results"]) == 1
    answer = stranger.delete(f"{TOKENS}/{foreign.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert Key.objects.filter(pk=foreign.pk).exists()


def test_a_key_ends(ada, holding, time_machine):
    _, secret = services.issue_key(user=ada)
    lifetime = knox_settings.TOKEN_TTL
    time_machine.move_to(timezone.now() + lifetime - timedelta(minutes=1))
    assert holding(secret).get("/api/v1/accounts/me").status_code == 200
    time_machine.shift(timedelta(minutes=2))
    assert holding(secret).get("/api/v1/accounts/me").json()["code"] == "bad_key"


def test_a_guests_key_does_not_end(guest, holding, time_machine):
    _, secret = services.issue_key(user=guest)
    time_machine.move_to(timezone.now() + timedelta(days=4000))
    assert holding(secret).get("/api/v1/accounts/me").status_code == 200


def test_the_last_use_is_noted_once_an_hour(ada, holding, time_machine, django_assert_num_queries):
    key, secret = services.issue_key(user=ada)
    program = holding(secret)
    with django_assert_num_queries(1):
        program.get("/api/v1/accounts/me")
    time_machine.move_to(timezone.now() + timedelta(hours=2))
    with django_assert_num_queries(2):
        program.get("/api/v1/accounts/me")
    key.refresh_from_db()
    assert timezone.now() - key.last_used_at < timedelta(minutes=1)
    with django_assert_num_queries(1):
        program.get("/api/v1/accounts/me")


def test_an_account_has_only_so_many_keys(api, ada, keyed, settings):
    settings.REST_KNOX = {**settings.REST_KNOX, "TOKEN_LIMIT_PER_USER": 2}
    for _ in range(2):
        services.issue_key(user=ada)
    answer = api.post("/api/v1/accounts/token", {"username": "ada", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_keys")


def test_expired_keys_make_room(ada, settings):
    settings.REST_KNOX = {**settings.REST_KNOX, "TOKEN_LIMIT_PER_USER": 1}
    old = services.issue_key(user=ada).key
    Key.objects.filter(pk=old.pk).update(expires_at=timezone.now())
    services.issue_key(user=ada)
    assert not Key.objects.filter(pk=old.pk).exists()


def test_lists_turn_pages(ada, holding):
    for number in range(5):
        _, secret = services.issue_key(user=ada, name=str(number), scopes=SCOPES)
    program, url, seen = holding(secret), f"{TOKENS}?limit=2", []
    while url:
        answer = program.get(url).json()
        seen += [key["name"] for key in answer["results"]]
        url = answer["next"]
    assert seen == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize(
    ("header", "holds"),
    [
        (None, False),
        ("", False),
        ("Basic abc", False),
        ("Bearer abc", True),
        ("bearer abc", True),
        ("Token", True),
        ("token abc", True),
        ("Token a b", True),
        ("Token \xff\xfe", True),
    ],
)
def test_a_header_holds_a_key_or_none(header, holds):
    assert (key_digest(header) is not None) == holds


@pytest.mark.parametrize("header", ["Token", "Token ", "Token a b", "Token \xff", "TOKEN x"])
def test_a_broken_key_is_refused_and_says_how(api, db, header):
    answer = api.get("/api/v1/accounts/me", HTTP_AUTHORIZATION=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_key")
    assert answer["WWW-Authenticate"] == "Token"


# Too much of something: wrong passwords, requests, new accounts, moves.

TOKEN = "/api/v1/accounts/token"
LIMIT = configured.AXES_FAILURE_LIMIT
WINDOW_BEGINS = 1_800_000_000  # a full hour; counts are by the window of the clock


def guess(client, name="ada", password="wrong"):
    return client.post(TOKEN, {"username": name, "password": password}, format="json")


def test_a_guesser_is_locked_out_and_the_right_password_too(api, ada):
    for number in range(LIMIT - 1):
        assert guess(api, "ada" if number % 2 else "ADA").status_code == 401
    assert guess(api).status_code == 429
    answer = guess(api, password=PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (429, "locked_out")
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) == configured.AXES_COOLOFF_TIME * 3600


def test_wrong_guesses_lock_only_their_own_address(ada):
    guesser, owner = APIClient(REMOTE_ADDR="203.0.113.9"), APIClient(REMOTE_ADDR="203.0.113.10")
    for _ in range(LIMIT + 1):
        guess(guesser)
    assert guess(guesser, password=PASSWORD).status_code == 429
    assert guess(owner, password=PASSWORD).status_code == 201


def test_the_lock_opens_by_itself(api, ada, time_machine):
    for _ in range(LIMIT):
        guess(api)
    time_machine.move_to(timezone.now() + timedelta(hours=configured.AXES_COOLOFF_TIME, minutes=1))
    assert guess(api, password=PASSWORD).status_code == 201


def test_the_right_password_forgives(api, ada):
    for _ in range(3):
        for _ in range(LIMIT - 1):
            guess(api)
        assert guess(api, password=PASSWORD).status_code == 201


def test_a_guesser_in_a_browser_gets_a_page(ada):
    browser, body = Client(), {"login": "ada", "password": "wrong"}
    for _ in range(LIMIT - 1):
        assert browser.post(reverse("account_login"), body).status_code == 200
    browser.post(reverse("account_login"), body)
    answer = browser.post(reverse("account_login"), {**body, "password": PASSWORD})
    assert answer.status_code == 429
    assert "Too many wrong passwords" in answer.content.decode()
    assert "_auth_user_id" not in browser.session


def test_api_and_page_count_together(api, ada):
    browser = Client()
    for _ in range(LIMIT):
        browser.post(reverse("account_login"), {"login": "Ada", "password": "wrong"})
    assert guess(api, password=PASSWORD).status_code == 429


def test_too_many_accounts_from_one_address(api, db, rates, time_machine):
    time_machine.move_to(WINDOW_BEGINS)
    rates(guests="3/hour")
    for _ in range(3):
        assert api.post("/api/v1/accounts/guest").status_code == 201
    answer = api.post("/api/v1/accounts/guest")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 3600
    other = APIClient(REMOTE_ADDR="203.0.113.9")
    assert other.post("/api/v1/accounts/guest").status_code == 201


def test_an_allowance_comes_back(rates, time_machine):
    rates(moves="2/min")
    time_machine.move_to(WINDOW_BEGINS, tick=False)
    spent = [throttles.spend("moves", "ada") for _ in range(3)]
    assert spent == [None, None, 60]
    time_machine.shift(60)
    assert throttles.spend("moves", "ada") is None


def test_each_has_an_allowance_of_their_own(rates):
    rates(moves="1/min")
    assert throttles.spend("moves", "ada") is None
    assert throttles.spend("moves", "bob") is None


def test_a_quick_bot_never_meets_the_limit_of_moves():
    count, seconds = throttles.rate_of("moves")
    assert count / seconds >= 100


def test_new_accounts_are_counted_for_all_processes_together():
    for counted in (throttles.NewGuests, throttles.Registrations, throttles.WrongPasswords):
        assert counted.cache == "default"
    assert throttles.Moves.cache == throttles.Requests.cache == "memory"
