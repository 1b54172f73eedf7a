"""Signing up, in and out in a browser; a guest uses the same pages and keeps the account."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.models import Key, User
from accounts.refusals import UsernameTaken
from games.matches import joining
from tests.api.calls import API
from tests.conftest import BACKEND
from tests.conftest import PASSWORD as CONFTEST_PASSWORD
from tests.matches.scenes import opened

PASSWORD = "a long and quiet evening"
SIGN_UP = {"username": "Grace", "password1": PASSWORD, "password2": PASSWORD}
SIGN_IN = {"login": "ada", "password": PASSWORD}


@pytest.fixture
def browser(db):
    return Client()


def me(browser):
    return User.objects.filter(pk=browser.session.get("_auth_user_id")).first()


@pytest.mark.parametrize("page", ["account_login", "account_signup", "account_reset_password"])
def test_the_pages_are_open(browser, page):
    assert browser.get(reverse(page)).status_code == 200


def test_sign_up_sign_out_and_sign_in_again(browser):
    browser.post(reverse("account_signup"), SIGN_UP)
    grace = me(browser)
    assert (grace.username, grace.display_name, grace.is_guest) == ("Grace", "Grace", False)
    browser.post(reverse("account_logout"))
    assert me(browser) is None
    browser.post(reverse("account_login"), {"login": "gRACE", "password": PASSWORD})
    assert me(browser) == grace


def test_an_account_keeps_the_language_in_which_it_signed_up(browser):
    russian = {"HTTP_ACCEPT_LANGUAGE": "ru"}
    browser.post(reverse("account_signup"), SIGN_UP, **russian)
    assert me(browser).language == "ru"
    assert 'lang="ru"' in browser.get(reverse("account"), **russian).content.decode()


def test_a_guest_signs_up_and_stays_the_same_person(browser, guest):
    browser.force_login(guest)
    assert guest.display_name in browser.get(reverse("account_signup")).content.decode()
    browser.post(reverse("account_signup"), {**SIGN_UP, "email": "grace@example.org"})
    assert me(browser) == guest
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest, guest.email) == ("Grace", False, "grace@example.org")
    assert browser.get(reverse("account")).status_code == 200


def test_a_guest_signs_in_as_a_registered_user(browser, ada, guest):
    browser.force_login(guest)
    assert browser.get(reverse("account_login")).status_code == 200
    browser.post(reverse("account_login"), SIGN_IN)
    assert me(browser) == ada


@pytest.mark.parametrize("page", ["account_login", "account_signup"])
def test_a_registered_user_is_redirected(browser, ada, page):
    browser.force_login(ada)
    answer = browser.get(reverse(page))
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize(
    "page", ["account_email", "account_change_password", "account_set_password", "mfa_index"]
)
def test_what_needs_a_password_sends_a_guest_to_sign_up(browser, guest, ada, page):
    browser.force_login(guest)
    answer = browser.get(reverse(page))
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_signup"))


def test_who_is_registered_may_change_the_password(browser, ada):
    browser.force_login(ada)
    assert browser.get(reverse("account_change_password")).status_code == 200


def test_a_weak_password_is_refused(browser):
    answer = browser.post(
        reverse("account_signup"), {**SIGN_UP, "password1": "12345678", "password2": "12345678"}
    )
    assert "entirely numeric" in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["ADA", "a b", "x", "adä"])
def test_a_malformed_or_taken_username_is_refused(browser, ada, name):
    answer = browser.post(reverse("account_signup"), {**SIGN_UP, "username": name})
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert list(User.objects.all()) == [ada]


def test_a_username_taken_at_the_last_moment_is_told(browser, monkeypatch):
    def too_late(**_):
        raise UsernameTaken

    monkeypatch.setattr(services, "register", too_late)
    answer = browser.post(reverse("account_signup"), SIGN_UP)
    assert "taken" in str(answer.context["form"].errors["username"])


def test_the_account_page_is_for_who_is_signed_in(browser):
    assert browser.get(reverse("account"))["Location"].startswith(reverse("account_login"))


def test_a_name_is_changed(browser, ada):
    browser.force_login(ada)
    browser.post(reverse("account_profile"), {"display_name": "Lady Ada", "language": "en"})
    assert me(browser).display_name == "Lady Ada"


def test_times_stand_in_the_time_zone_of_the_account(browser, ada):
    browser.force_login(ada)
    profile = {"display_name": "Ada", "language": "en", "time_zone": "Nowhere/Land"}
    answer = browser.post(reverse("account_profile"), profile)
    assert (answer.status_code, "no such time zone" in answer.content.decode()) == (422, True)
    assert "(UTC)</time>" in browser.get(reverse("account")).content.decode()
    browser.post(reverse("account_profile"), profile | {"time_zone": "Asia/Tokyo"})
    page = browser.get(reverse("account")).content.decode()
    assert "+09:00" in page
    assert "(Asia/Tokyo)</time>" in page
    browser.post(reverse("account_profile"), {"display_name": "Ada", "language": "en"})
    assert "(Asia/Tokyo)</time>" in browser.get(reverse("account")).content.decode()


def test_a_malformed_display_name_is_refused(browser, ada):
    browser.force_login(ada)
    profile = {"display_name": "Ada\u202e", "language": "en"}
    answer = browser.post(reverse("account_profile"), profile)
    assert answer.status_code == 422
    assert "printable" in answer.content.decode()
    assert me(browser).display_name == "Ada"


def test_a_key_is_made_shown_once_and_revoked(browser, ada, holding):
    browser.force_login(ada)
    answer = browser.post(reverse("account_make_key"), {"name": "bot"})
    secret = answer.context["new_key"].secret
    assert "no-store" in answer["Cache-Control"]
    assert secret in answer.content.decode()
    assert secret not in browser.get(reverse("account")).content.decode()
    assert holding(secret).get("/api/v1/accounts/me").status_code == 200
    browser.post(reverse("account_revoke_key", args=[Key.objects.get().pk]))
    assert holding(secret).get("/api/v1/accounts/me").status_code == 401


def test_keys_of_others_cannot_be_revoked(browser, ada, guest):
    key = services.issue_key(user=ada).key
    browser.force_login(guest)
    browser.post(reverse("account_revoke_key", args=[key.pk]))
    assert Key.objects.filter(pk=key.pk).exists()


def test_too_many_keys_are_told(browser, ada, settings):
    settings.REST_KNOX = {**settings.REST_KNOX, "TOKEN_LIMIT_PER_USER": 0}
    browser.force_login(ada)
    answer = browser.post(reverse("account_make_key"), {"name": ""})
    assert answer.status_code == 409
    assert "Revoke one first" in answer.content.decode()


def test_signing_up_says_one_line_about_passwords_and_ends_in_a_welcome(client, db):
    """Without scripts: the line stands under the field, the form is refused and sent as ever."""
    page = client.get("/accounts/signup/").content.decode()
    assert page.count("At least 8 characters") == 1
    assert "Still too short" in page, "what the script answers"
    assert "can’t be" not in page
    assert "<li>Your password" not in page
    fields = {"username": "grace", "password1": "1234567", "password2": "1234567"}
    assert client.post("/accounts/signup/", fields).status_code == 200
    good = "a long and quiet evening"
    made = client.post("/accounts/signup/", fields | {"password1": good, "password2": good})
    assert made["Location"] == "/accounts/welcome/"
    welcome = client.get("/accounts/welcome/").content.decode()
    assert "Welcome, grace" in welcome
    assert "played here as a guest" in welcome
    assert '<input type="text"' not in welcome


def test_whoever_signs_up_on_the_way_elsewhere_goes_there(client, db):
    good = "a long and quiet evening"
    fields = {"username": "grace", "password1": good, "password2": good, "next": "/lobby"}
    assert client.post("/accounts/signup/", fields)["Location"] == "/lobby"


# Additions by a keyboard or a library are no fault of a person or a program.

TYPED = 'autocapitalize="none" autocorrect="off" spellcheck="false"'
BLANKS = ("  {}", "{} ", "\t{}\n", "\xa0{}\u2003")
SESSION = "_auth_user_id"


class TestBlanksAroundAUsername:
    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_in_on_the_page(self, browser, ada, typed):
        browser.post(
            "/accounts/login/", {"login": typed.format("ada"), "password": CONFTEST_PASSWORD}
        )
        assert browser.session[SESSION] == str(ada.pk)

    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_in_by_the_api(self, api, ada, typed):
        body = {"username": typed.format("ada"), "password": CONFTEST_PASSWORD}
        assert api.post(f"{API}accounts/token", body).status_code == 201

    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_up_on_the_page_and_by_the_api(self, browser, api, typed):
        fields = {
            "username": typed.format("Grace"),
            "password1": CONFTEST_PASSWORD,
            "password2": CONFTEST_PASSWORD,
        }
        browser.post("/accounts/signup/", fields)
        body = {"username": typed.format("Nina"), "password": CONFTEST_PASSWORD}
        assert api.post(f"{API}accounts/register", body).status_code == 201
        names = User.objects.values_list("username", "display_name")
        assert {*names} == {("Grace", "Grace"), ("Nina", "Nina")}

    def test_of_somebody_who_is_invited(self, keyed, ada, ben):
        match = opened(ada, "me, open", "pisti")
        sent = keyed(ada).post(f"{API}matches/{match.id}/invite", {"seat": 1, "username": " Ben "})
        assert sent.status_code == 200
        joining.join(match_id=match.id, user=ben)

    def test_are_no_second_account_and_no_second_count_of_guesses(self, browser, api, ada):
        body = {"username": " Ada ", "password": CONFTEST_PASSWORD}
        assert api.post(f"{API}accounts/register", body).json()["code"] == "username_taken"


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/"])
def test_fields_for_usernames_are_left_as_they_are_typed(browser, page):
    text = browser.get(page).content.decode()
    (field,) = re.findall(r'<input[^>]*name="(?:login|username)"[^>]*>', text)
    assert set(TYPED.split()) <= set(field.rstrip(">").split())


@pytest.mark.parametrize("page", ["/people", "/accounts/", "/new", "/accounts/delete/"])
def test_so_are_those_that_name_others(browser, ada, page):
    browser.force_login(ada, BACKEND)
    text = browser.get(page).content.decode()
    fields = re.findall(r'<input[^>]*name="(?:username|seat-\d-name)"[^>]*>', text)
    fields = [field for field in fields if 'type="hidden"' not in field]
    assert fields
    assert all(set(TYPED.split()) <= set(field.rstrip(">").split()) for field in fields)


class TestCookies:
    def test_a_program_that_signs_in_gets_none(self, ada):
        program = Client()
        body = {"username": "ada", "password": CONFTEST_PASSWORD}
        for header in ({}, {"Accept-Language": "tr"}):
            made = program.post(f"{API}accounts/token", body, "application/json", headers=header)
            assert made.status_code == 201
            assert not made.cookies
        wrong = body | {"password": "wrong"}
        assert not program.post(f"{API}accounts/token", wrong, "application/json").cookies

    def test_nor_one_that_registers_or_opens_a_guest(self, db):
        program = Client()
        body = {"username": "Nina", "password": CONFTEST_PASSWORD}
        for call, sent in (("register", body), ("guest", {})):
            made = program.post(f"{API}accounts/{call}", sent, "application/json")
            assert made.status_code == 201
            assert not made.cookies
