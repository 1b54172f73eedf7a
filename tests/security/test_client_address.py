"""Somebody lies about where a request comes from, or locks others out from behind a proxy."""

import time

import pytest
from allauth.account.adapter import get_adapter
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from axes.helpers import get_client_ip_address
from django.conf import settings as configured
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Key, User
from config.api import throttles
from config.counting import client_address
from tests.conftest import PASSWORD, client_of

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


# Somebody has a password that is not theirs: the second factor still stands in the way.

SECOND_FACTOR_TOKEN = "/api/v1/accounts/token"
PEOPLE = "/admin/accounts/user/"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def careful(ada):
    """Ada with a second factor."""
    TOTP.activate(ada, SECRET)
    RecoveryCodes.activate(ada)
    return ada


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", password=PASSWORD)


def code():
    return format_hotp_value(hotp_value(SECRET, int(time.time()) // 30))


def sign_in(api, **more):
    return api.post(SECOND_FACTOR_TOKEN, {"username": "ada", "password": PASSWORD, **more})


def at_the_site(name):
    browser = Client()
    door = browser.get(PEOPLE, follow=True).redirect_chain[-1][0]
    answer = browser.post(door, {"login": name, "password": PASSWORD}, follow=True)
    return browser, answer.request["PATH_INFO"]


def test_takes_a_key_with_the_password_alone(api, careful):
    answer = sign_in(api)
    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_required")
    assert not Key.objects.exists()


def test_guesses_the_code(api, careful):
    for guess in ("000000", "1", " ", "１２３４５６", "-" * 32):
        answer = sign_in(api, code=guess)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_credentials")
    assert not Key.objects.exists()


def test_the_owner_gets_a_key(api, careful):
    assert sign_in(api, code=code()).status_code == 201


def test_replays_a_code_that_was_seen(api, careful):
    seen = code()
    assert sign_in(api, code=seen).status_code == 201
    assert sign_in(api, code=seen).status_code == 401


def test_replays_a_recovery_code(api, careful):
    recovery = RecoveryCodes.activate(careful).generate_codes()[0]
    assert sign_in(api, code=recovery).status_code == 201
    assert sign_in(api, code=recovery).status_code == 401


def test_a_right_code_does_not_mend_a_wrong_password(api, careful):
    assert sign_in(api, password="wrong", code=code()).status_code == 401


def test_guesses_codes_without_end(api, careful):
    for number in range(configured.AXES_FAILURE_LIMIT + 1):
        answer = sign_in(api, code=f"{number:06}")
    assert (answer.status_code, answer.json()["code"]) == (429, "locked_out")
    assert sign_in(api, code=code()).status_code == 429


def test_guesses_codes_from_many_addresses(api, careful):
    for number in range(8):
        sign_in_from = {"REMOTE_ADDR": f"203.0.113.{number}"}
        api.post(
            SECOND_FACTOR_TOKEN,
            {"username": "ada", "password": PASSWORD, "code": "1"},
            **sign_in_from,
        )
    answer = sign_in(api, code=code())
    assert (answer.status_code, answer.json()["code"]) == (429, "locked_out")


def test_an_account_without_one_needs_no_code(api, ada):
    assert sign_in(api).status_code == 201
    assert sign_in(api, code="123456").status_code == 201


def test_a_code_of_a_megabyte_is_malformed(api, careful):
    assert sign_in(api, code="1" * 33).status_code == 400


def test_opens_the_admin_with_the_password_alone(root):
    TOTP.activate(root, SECRET)
    browser, page = at_the_site("root")
    assert page == reverse("mfa_authenticate")
    assert browser.get(PEOPLE).status_code == 302
    answer = browser.post(page, {"code": code()}, follow=True)
    assert (answer.status_code, answer.request["PATH_INFO"]) == (200, PEOPLE)


def test_posts_the_password_to_the_admin_itself(root):
    browser = Client()
    answer = browser.post("/admin/login/", {"username": "root", "password": PASSWORD})
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert "_auth_user_id" not in browser.session


def test_is_led_away_by_a_foreign_address(root):
    browser = client_of(root)
    assert browser.get("/admin/login/?next=https://evil.example/")["Location"] == "/admin/"


def test_staff_without_a_second_factor_set_one_up_first(root, settings):
    settings.STAFF_SECOND_FACTOR = True
    browser, page = at_the_site("root")
    assert page == reverse("account_reauthenticate")
    assert browser.get(PEOPLE).status_code == 302
    set_up = reverse("mfa_activate_totp")
    shown = browser.post(f"{page}?next={set_up}", {"password": PASSWORD}, follow=True)
    typed = format_hotp_value(hotp_value(shown.context["form"].secret, int(time.time()) // 30))
    browser.post(set_up, {"code": typed})
    assert browser.get(PEOPLE).status_code == 200
    assert browser.get("/admin/login/?next=/admin/")["Location"] == "/admin/"


def test_gives_the_second_factor_up_again(root, settings):
    settings.STAFF_SECOND_FACTOR = True
    factor = TOTP.activate(root, SECRET)
    browser = client_of(root)
    assert browser.get(PEOPLE).status_code == 200
    factor.instance.delete()
    assert browser.get(PEOPLE).status_code == 302


@pytest.mark.parametrize("who", ["ada", "guest"])
def test_a_player_asks_for_the_admin(request, who):
    browser = client_of(request.getfixturevalue(who))
    answer = browser.get("/admin/login/")
    assert answer.status_code == (302 if who == "guest" else 403)
