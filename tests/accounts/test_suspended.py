"""Who is suspended reads why and until when, at every door; who is not the person reads nothing."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import services
from accounts.audit.log import Actor
from config.api.scopes import SCOPES
from games.operations import people
from tests.api.roads import Roads
from tests.matches.scenes import opened

PASSWORD = "a long and quiet evening"
WHY = "Three reports of insults."
SIGN_IN = {"login": "ada", "password": PASSWORD}


def suspend(user, days=3):
    until = days and timezone.now() + timedelta(days=days)
    people.suspend(user_id=user.pk, by=Actor(None, "referee", WHY), until=until, resigns=False)


def says_why(answer):
    told = answer.json()
    assert (answer.status_code, told["code"], told["reason"]) == (403, "suspended", WHY)
    assert told["until"] is not None
    assert f"{told['until'][:10]} " in told["detail"]
    assert WHY in told["detail"]
    return told


@pytest.fixture
def match(ada):
    return opened(ada)


@pytest.mark.parametrize(
    "path",
    ["accounts/me", "matches", "matches/{id}", "matches/{id}/stream", "stream", "exports", "games"],
)
def test_a_program_with_its_key(first, ada, match, path):
    suspend(ada)
    says_why(first.get(f"/api/v1/{path.format(id=match.id)}"))


@pytest.mark.parametrize("action", ["moves", "resign", "join", "rematch", "load"])
def test_a_program_that_acts(first, ada, match, action):
    suspend(ada)
    body = {"move": "7H", "version": 0} if action == "moves" else {}
    says_why(first.post(f"/api/v1/matches/{match.id}/{action}", body))


@pytest.mark.django_db(transaction=True)
def test_the_express_door(ada, match):
    roads, secret = Roads(), services.issue_key(user=ada, scopes=SCOPES).secret
    here = secret, "GET", f"matches/{match.id}"
    assert roads.express(*here).status == 200
    suspend(ada)
    move = {"move": match.rules.legal_moves(match.state, match.to_act[0])[0], "version": 0}
    for call in (here, (secret, "POST", f"matches/{match.id}/moves", move)):
        heard = roads.express(*call)
        assert (heard.status, heard.json()["code"], heard.json()["reason"]) == (
            403,
            "suspended",
            WHY,
        )
    roads.close()


def test_for_good_there_is_no_end(first, ada):
    suspend(ada, days=None)
    told = first.get("/api/v1/accounts/me").json()
    assert (told["code"], told["until"]) == ("suspended", None)
    assert "for good" in told["detail"]


def test_a_key_that_opens_nothing_says_no_more_than_before(first, ada, holding):
    unknown = holding("0" * 64).get("/api/v1/accounts/me")
    assert (unknown.status_code, unknown.json()["code"]) == (401, "bad_key")
    suspend(ada)
    ada.keys.update(expires_at="2001-01-01T00:00Z")
    assert first.get("/api/v1/accounts/me").json()["code"] == "bad_key"


def test_signing_in_by_program(api, ada):
    suspend(ada)
    body = {"username": "ada", "password": PASSWORD}
    says_why(api.post("/api/v1/accounts/token", body))
    wrong = api.post("/api/v1/accounts/token", body | {"password": "wrong"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_credentials")
    assert not ada.keys.exists()


def test_signing_in_on_the_page(ada):
    suspend(ada)
    answer = Client().post(reverse("account_login"), SIGN_IN)
    assert answer.status_code == 403
    assert WHY in answer.content.decode()
    wrong = Client().post(reverse("account_login"), SIGN_IN | {"password": "wrong"})
    assert WHY not in wrong.content.decode()


@pytest.mark.parametrize("page", ["/", "/lobby", "/new", "/accounts/", "/decks/", "/admin/"])
def test_a_browser_that_is_signed_in(ada, page):
    browser = Client()
    browser.post(reverse("account_login"), SIGN_IN)
    suspend(ada)
    answer = browser.get(page)
    assert answer.status_code == 403
    assert WHY in answer.content.decode()
    assert "UTC" in answer.content.decode()


def test_the_table_of_a_browser_that_is_signed_in(ada, match):
    browser = Client()
    browser.post(reverse("account_login"), SIGN_IN)
    suspend(ada)
    part = browser.get(f"/matches/{match.id}/news", headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Refresh"]) == (403, "true")
    played = browser.post(f"/matches/{match.id}/move", {"move": "7H", "version": "0"})
    assert played.status_code == 403


def test_the_api_in_a_browser_that_is_signed_in(ada):
    browser = APIClient()
    browser.post(reverse("account_login"), SIGN_IN, format="multipart")
    assert browser.get("/api/v1/accounts/me").status_code == 200
    suspend(ada)
    says_why(browser.get("/api/v1/accounts/me"))
    says_why(browser.get("/api/v1/stream"))


def test_the_browser_signs_out_and_is_a_visitors_again(ada):
    browser = Client()
    browser.post(reverse("account_login"), SIGN_IN)
    suspend(ada)
    turkish = browser.post(reverse("set_language"), {"language": "tr"})
    assert turkish.status_code == 302
    assert browser.post(reverse("account_logout"))["Location"] == "/"
    assert browser.get("/lobby").status_code == 200


def test_who_comes_back_is_signed_in_still(ada, first):
    browser = Client()
    browser.post(reverse("account_login"), SIGN_IN)
    suspend(ada)
    people.lift(user_id=ada.pk, by=Actor(None, "referee", "It was a mistake."))
    assert browser.get("/accounts/").status_code == 200
    assert first.get("/api/v1/accounts/me").status_code == 200
