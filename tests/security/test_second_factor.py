"""Somebody has a password that is not theirs: the second factor still stands in the way."""

import time

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings as configured
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts.models import Key, User
from tests.conftest import PASSWORD

TOKEN = "/api/v1/accounts/token"
PEOPLE = "/admin/accounts/user/"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def _fresh_counts():
    caches["default"].clear()


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
    return api.post(TOKEN, {"username": "ada", "password": PASSWORD, **more})


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
        api.post(TOKEN, {"username": "ada", "password": PASSWORD, "code": "1"}, **sign_in_from)
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
    browser = Client()
    browser.force_login(root)
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
    browser = Client()
    browser.force_login(root)
    assert browser.get(PEOPLE).status_code == 200
    factor.instance.delete()
    assert browser.get(PEOPLE).status_code == 302


@pytest.mark.parametrize("who", ["ada", "guest"])
def test_a_player_asks_for_the_admin(request, who):
    browser = Client()
    browser.force_login(request.getfixturevalue(who))
    answer = browser.get("/admin/login/")
    assert answer.status_code == (302 if who == "guest" else 403)
