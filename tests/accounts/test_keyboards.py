"""What a keyboard and a library add is no fault of a person or a program."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.matches import joining
from tests.api.calls import API
from tests.conftest import PASSWORD
from tests.matches.scenes import opened

TYPED = 'autocapitalize="none" autocorrect="off" spellcheck="false"'
BLANKS = ("  {}", "{} ", "\t{}\n", "\xa0{}\u2003")
SESSION = "_auth_user_id"


@pytest.fixture
def browser(db):
    return Client()


class TestBlanksAroundAUsername:
    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_in_on_the_page(self, browser, ada, typed):
        browser.post("/accounts/login/", {"login": typed.format("ada"), "password": PASSWORD})
        assert browser.session[SESSION] == str(ada.pk)

    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_in_by_the_api(self, api, ada, typed):
        body = {"username": typed.format("ada"), "password": PASSWORD}
        assert api.post(f"{API}accounts/token", body).status_code == 201

    @pytest.mark.parametrize("typed", BLANKS)
    def test_sign_up_on_the_page_and_by_the_api(self, browser, api, typed):
        fields = {"username": typed.format("Grace"), "password1": PASSWORD, "password2": PASSWORD}
        browser.post("/accounts/signup/", fields)
        body = {"username": typed.format("Nina"), "password": PASSWORD}
        assert api.post(f"{API}accounts/register", body).status_code == 201
        names = User.objects.values_list("username", "display_name")
        assert {*names} == {("Grace", "Grace"), ("Nina", "Nina")}

    def test_of_somebody_who_is_invited(self, keyed, ada, ben):
        match = opened(ada, "me, open", "pisti")
        sent = keyed(ada).post(f"{API}matches/{match.id}/invite", {"seat": 1, "username": " Ben "})
        assert sent.status_code == 200
        joining.join(match_id=match.id, user=ben)

    def test_are_no_second_account_and_no_second_count_of_guesses(self, browser, api, ada):
        body = {"username": " Ada ", "password": PASSWORD}
        assert api.post(f"{API}accounts/register", body).json()["code"] == "username_taken"


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/"])
def test_fields_for_usernames_are_left_as_they_are_typed(browser, page):
    text = browser.get(page).content.decode()
    (field,) = re.findall(r'<input[^>]*name="(?:login|username)"[^>]*>', text)
    assert set(TYPED.split()) <= set(field.rstrip(">").split())


@pytest.mark.parametrize("page", ["/people", "/accounts/", "/new", "/accounts/delete/"])
def test_so_are_those_that_name_others(browser, ada, page):
    browser.force_login(ada, "allauth.account.auth_backends.AuthenticationBackend")
    text = browser.get(page).content.decode()
    fields = re.findall(r'<input[^>]*name="(?:username|seat-\d-name)"[^>]*>', text)
    fields = [field for field in fields if 'type="hidden"' not in field]
    assert fields
    assert all(set(TYPED.split()) <= set(field.rstrip(">").split()) for field in fields)


class TestCookies:
    def test_a_program_that_signs_in_gets_none(self, ada):
        program = Client()
        body = {"username": "ada", "password": PASSWORD}
        for header in ({}, {"Accept-Language": "tr"}):
            made = program.post(f"{API}accounts/token", body, "application/json", headers=header)
            assert made.status_code == 201
            assert not made.cookies
        wrong = body | {"password": "wrong"}
        assert not program.post(f"{API}accounts/token", wrong, "application/json").cookies

    def test_nor_one_that_registers_or_opens_a_guest(self, db):
        program = Client()
        body = {"username": "Nina", "password": PASSWORD}
        for call, sent in (("register", body), ("guest", {})):
            made = program.post(f"{API}accounts/{call}", sent, "application/json")
            assert made.status_code == 201
            assert not made.cookies
