"""Too much of something: wrong passwords, requests, new accounts, moves."""

from datetime import timedelta

from django.conf import settings as configured
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from config.api import throttles

PASSWORD = "a long and quiet evening"
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


def test_too_many_requests_of_one_user(ada, guest, keyed, rates, time_machine):
    time_machine.move_to(WINDOW_BEGINS)
    rates(user="2/hour")
    busy, other = keyed(ada), keyed(guest)
    statuses = [busy.get("/api/v1/accounts/me").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert other.get("/api/v1/accounts/me").status_code == 200


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
