"""An answer to what a page asked before its reader signed in comes after that to the sign-in."""

import pytest
from django.conf import settings
from django.test import Client

from tests.web.browsing import Browser

pytestmark = pytest.mark.django_db

FORMS, SESSION = settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME
SIGNED_OUT = "the cookie is taken away"


def cookies_of(client):
    return {name: morsel.value for name, morsel in client.cookies.items()}


def late(cookies, path="/lobby"):
    """What the answer to a request with these cookies sets."""
    client = Client()
    client.cookies.load(cookies)
    answered = client.get(path).cookies
    return {
        name: SIGNED_OUT if morsel["max-age"] == 0 else morsel.value
        for name, morsel in answered.items()
    }


def test_the_form_of_a_new_guest_is_taken_however_late_the_page_before_is_answered():
    """The lobby asks for news while a visitor presses; the next page has a form of its own."""
    browser = Browser(client=Client(enforce_csrf_checks=True)).open("/lobby")
    before = cookies_of(browser.client)
    browser.press("Pişti", pace="blitz")
    assert cookies_of(browser.client)[FORMS] != before[FORMS]
    browser.client.cookies.load(late(before))
    browser.press("Stop waiting")
    assert browser.address == "/lobby"


def test_a_sign_in_holds_however_late_the_page_before_is_answered(ada):
    """The session before it is gone by then."""
    client = Client()
    client.force_login(ada)
    before = cookies_of(client)
    client.session.flush()
    assert SESSION not in late(before)


def test_signing_out_takes_the_session_from_the_browser(ada):
    client = Client()
    client.force_login(ada)
    client.post("/accounts/logout/")
    assert client.cookies[SESSION].value == ""


def test_a_first_page_with_a_form_brings_its_cookie_and_so_does_one_whose_cookie_is_damaged():
    assert len(late({FORMS: "damaged"})[FORMS]) == len(late({})[FORMS])
