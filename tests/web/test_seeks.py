"""Playing somebody by forms alone: a visitor waits, is paired, gives up; nothing needs a script."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.lobby import seeking
from games.lobby.models import Seek
from games.matches.models import Match
from tests.lobby.seekers import guests, now, waits
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def looked():
    cache.set(seeking.LOOKED, timezone.now().timestamp())


def test_a_visitor_presses_once_and_waits():
    browser = Browser().open("/").press("Play Pişti with somebody")
    seek = Seek.objects.get()
    assert browser.address == f"/seeks/{seek.id}"
    assert (seek.game, seek.pace, seek.rated, seek.account.is_guest) == (
        "pisti",
        "normal",
        True,
        True,
    )
    assert "Looking for somebody" in browser.text
    assert "1 person waits for this game at this pace." in browser.text
    assert 'http-equiv="refresh"' in browser.page


def test_the_page_leads_to_the_match_as_soon_as_it_is_there():
    browser = Browser().open("/lobby").press("Pişti", pace="blitz")
    (ben,) = guests(1)
    waits(ben, "pisti", "blitz")
    seeking.pair_all()
    match = Match.objects.get()
    asked = browser.client.get(browser.address, headers={"HX-Request": "true"})
    assert asked["HX-Redirect"] == f"/matches/{match.id}"
    assert browser.open(browser.address).address == f"/matches/{match.id}"


def test_the_lobby_says_how_many_wait_and_what_one_waits_for(ada):
    waits(ada, "pisti", "blitz")
    page = signed_in(ada).open("/lobby")
    assert "1 waits" in page.text
    assert "You are waiting for somebody" in page.text
    assert f"/seeks/{Seek.objects.get().id}" in page.page
    assert "You are waiting" not in Browser().open("/lobby").text


def test_what_the_form_of_the_lobby_asks_for(ada):
    browser = signed_in(ada).open("/lobby")
    chosen = {"pace": "slow_3", "seats": "4", "computers_after": "60", "unrated": "on"}
    browser.press("Shithead", **chosen)
    seek = Seek.objects.get()
    assert (seek.pace, seek.seats, seek.computers_after, seek.rated) == ("slow_3", 4, 60, False)
    browser.open("/lobby").press("Pişti", pace="x", seats="999", computers_after="-1")
    seek = Seek.objects.get(game="pisti")
    assert (seek.pace, seek.seats, seek.computers_after) == ("normal", 2, None)


def test_giving_up(ada):
    browser = signed_in(ada).open("/lobby").press("Pişti").press("Stop waiting")
    assert browser.address == "/lobby"
    seek = Seek.objects.get()
    assert seek.ending == "withdrawn"
    assert "You stopped waiting." in browser.open(f"/seeks/{seek.id}").text
    assert browser.press("Look again").address == f"/seeks/{Seek.objects.first().id}"
    assert Seek.objects.count() == 2


def test_giving_up_too_late_leads_to_the_match(ada, ben):
    browser = signed_in(ada).open("/lobby").press("Pişti")
    waits(ben)
    seeking.pair_all()
    assert browser.press("Stop waiting").address == f"/matches/{Match.objects.get().id}"


def test_a_computer_meanwhile_is_kept(ada, ben):
    browser = signed_in(ada).open("/lobby").press("Pişti")
    seek = Seek.objects.get()
    browser.press("Play a computer meanwhile")
    meanwhile = Match.objects.get()
    assert now(seek).status == "waiting"
    waits(ben)
    seeking.pair_all()
    assert browser.open(f"/seeks/{seek.id}").address == f"/matches/{now(seek).match_id}"
    meanwhile.refresh_from_db()
    assert meanwhile.status == "active"


def test_a_refusal_is_said_in_words(ada, settings):
    settings.LIMITS = settings.LIMITS | {"active_matches": 0}
    browser = signed_in(ada).open("/lobby").press("Pişti")
    assert browser.status == 409
    assert "You have as many running matches as one account may have." in browser.text


def test_too_many_players_for_a_game_are_refused(ada):
    browser = signed_in(ada).open("/lobby").press("Pazaak", seats="3")
    assert browser.status == 422
    assert "This game is not played by as many." in browser.text


def test_a_seek_is_its_accounts_own(ada, ben):
    seek = waits(ada)
    for client in (Client(), signed_in(ben).client):
        assert client.get(f"/seeks/{seek.id}").status_code == 404
        assert client.post(f"/seeks/{seek.id}/stop").status_code in (403, 404)
    assert now(seek).status == "waiting"
    assert User.objects.count() == 2
