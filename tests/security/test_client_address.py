"""Somebody lies about where a request comes from, or locks others out from behind a proxy."""

import pytest
from allauth.account.adapter import get_adapter
from axes.helpers import get_client_ip_address
from django.conf import settings as configured
from django.core.cache import caches
from django.test import RequestFactory
from rest_framework.test import APIClient

from config.api import throttles
from config.counting import client_address
from tests.conftest import PASSWORD

TOKEN, GUEST = "/api/v1/accounts/token", "/api/v1/accounts/guest"
PROXY = "10.0.0.1"


@pytest.fixture(autouse=True)
def _fresh_counts():
    caches["default"].clear()


def through_proxy(*said: str) -> APIClient:
    return APIClient(REMOTE_ADDR=PROXY, HTTP_X_FORWARDED_FOR=", ".join(said))


def guess(client, password="wrong"):
    return client.post(TOKEN, {"username": "ada", "password": password}).status_code


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, "198.51.100.7", PROXY),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "1.1.1.1, 198.51.100.7", "198.51.100.7"),
        (2, "1.1.1.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        (2, "198.51.100.7", PROXY),  # not through both: nobody vouches for the header
        (1, None, PROXY),
        (1, "", PROXY),
        (1, "1.1.1.1, no address", PROXY),
        (1, "198.51.100.7:4711", "198.51.100.7"),
        (1, "2001:db8:0:1:aaaa::7", "2001:db8:0:1::"),
        (1, "[2001:db8:0:1:bbbb::8]:4711", "2001:db8:0:1::"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
        (1, "fe80::1%eth0", "fe80::"),
    ],
)
def test_every_limit_counts_by_the_same_address(settings, proxies, header, address):
    settings.PROXIES = proxies
    said = {} if header is None else {"HTTP_X_FORWARDED_FOR": header}
    request = RequestFactory().get("/", REMOTE_ADDR=PROXY, **said)
    assert client_address(request) == address
    assert get_client_ip_address(request) == address
    assert get_adapter().get_client_ip(request) == address
    assert throttles.NewGuests().who(request) == f"@{address}"
    assert throttles.Requests().get_ident(request) == address


def test_the_header_of_another_proxy(settings):
    settings.PROXIES, settings.PROXY_HEADER = 1, "X-Real-IP"
    said = {"HTTP_X_REAL_IP": "198.51.100.7", "HTTP_X_FORWARDED_FOR": "1.1.1.1"}
    assert client_address(RequestFactory().get("/", **said)) == "198.51.100.7"


def test_locks_the_owner_out_from_behind_the_same_proxy(settings, ada):
    settings.PROXIES = 1
    guesser, owner = through_proxy("203.0.113.9"), through_proxy("198.51.100.7")
    for _ in range(configured.AXES_FAILURE_LIMIT + 1):
        guess(guesser)
    assert guess(guesser, PASSWORD) == 429
    assert guess(owner, PASSWORD) == 201


def test_invents_a_new_address_for_each_guess(settings, ada):
    settings.PROXIES = 1
    for number in range(configured.AXES_FAILURE_LIMIT + 1):
        guess(through_proxy(f"198.51.100.{number}", "203.0.113.9"))
    assert guess(through_proxy("198.51.100.77", "203.0.113.9"), PASSWORD) == 429


def test_moves_through_an_own_network(settings, ada):
    settings.PROXIES = 1
    for number in range(configured.AXES_FAILURE_LIMIT + 1):
        guess(through_proxy(f"2001:db8::{number + 1:x}"))
    assert guess(through_proxy("2001:db8::ffff"), PASSWORD) == 429
    assert guess(through_proxy("2001:db8:0:1::1"), PASSWORD) == 201


def test_shuts_registered_people_at_an_address_out_with_guests(db, ada, rates):
    rates(guests="3/hour", registrations="2/hour")
    program = APIClient()
    assert [program.post(GUEST).status_code for _ in range(4)] == [201, 201, 201, 429]
    assert guess(program, PASSWORD) == 201
    assert program.post("/api/v1/accounts/register", {}).status_code == 400
    assert program.post("/api/v1/accounts/register", {}).status_code == 400
    assert program.post("/api/v1/accounts/register", {}).status_code == 429
    assert guess(program, PASSWORD) == 201


@pytest.mark.parametrize("path", [TOKEN, GUEST, "/api/v1/accounts/register"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "HEAD"])
def test_looking_uses_nothing_up(db, ada, rates, path, method):
    rates(guests="1/hour", registrations="1/hour", wrong_passwords="1/hour")
    program = APIClient()
    assert {program.generic(method, path).status_code for _ in range(5)} <= {405, 200}
    assert program.post(GUEST).status_code == 201
    assert guess(program, PASSWORD) == 201


def test_only_failures_count_against_signing_in(db, ada, rates):
    rates(wrong_passwords="3/hour")
    program = APIClient()
    assert {guess(program, PASSWORD) for _ in range(6)} == {201}
    assert [guess(program) for _ in range(4)] == [401, 401, 401, 429]
    assert guess(program, PASSWORD) == 429


def test_tries_one_password_on_many_accounts(db, client, rates):
    rates(wrong_passwords="3/hour")
    for name in ("ann", "bob", "cid"):
        client.post("/accounts/login/", {"login": name, "password": "wrong"})
    page = client.post("/accounts/login/", {"login": "dan", "password": "wrong"})
    assert "Too many failed login attempts" in page.content.decode()


def test_becomes_a_guest_without_end_in_a_browser(db, rates):
    rates(guests="2/hour")
    clicks = [APIClient().post("/play/pisti") for _ in range(3)]
    assert [answer.status_code for answer in clicks] == [302, 302, 429]
    assert "Too many guests" in clicks[-1].content.decode()


def test_registers_without_end_in_a_browser(db, rates):
    rates(registrations="1/hour")
    page = "/accounts/signup/"
    for name in ("grace", "heidi"):
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        answer = APIClient().post(page, form, format="multipart")
    assert "Too many accounts" in answer.content.decode()
