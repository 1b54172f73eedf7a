"""Phrases and news of friends in the streams: what a reader gets, and what nobody does."""

import time

import pytest
from django.test import Client

from accounts.social import selectors, services
from games.phrases import speaking
from tests.api.calls import new_match, post
from tests.live.conftest import LINES
from tests.live.listening import Heard
from tests.patience import WAITING
from tests.web.browsing import signed_in

pytestmark = WAITING


@pytest.fixture
def match(transactional_db, first, second):
    match = new_match(first, "me, open", visibility="public")
    post(second, f"matches/{match['id']}/join")
    return match["id"]


@pytest.fixture
def follow(listen, match):
    def begin(program, query="?phrases=true"):
        heard = listen(program, f"matches/{match}/stream{query}", Accept=LINES)
        heard.next("match")
        return heard

    return begin


def test_what_is_said_is_streamed_to_those_who_want_it(follow, match, second, ada):
    heard, quiet = follow(second), follow(second, "")
    speaking.speak(match_id=match, user=ada, phrase="what_a_pile")
    said = heard.next()
    assert said | {"at": ""} == {
        "type": "said",
        "seat": 0,
        "phrase": "what_a_pile",
        "text": "What a pile!",
        "picture": "",
        "at": "",
    }
    speaking.speak(match_id=match, user=ada, phrase="coffee")
    assert heard.next()["picture"] == "☕"
    post(second, f"matches/{match}/resign")
    assert [message["type"] for message in quiet] == ["match", "end"]


def test_a_page_shows_it_and_who_muted_does_not(match, ada, ben, cleo):
    at_ben, at_cleo, at_anybody = (
        Heard(client.get(f"/stream?match={match}"))
        for client in (signed_in(ben).client, signed_in(cleo).client, Client())
    )
    for heard in (at_ben, at_cleo, at_anybody):
        heard.next("table")
    speaking.mute(match_id=match, user=ben, seat=0)
    services.block(owner=cleo, blocked=ada.pk)
    speaking.speak(match_id=match, user=ada, phrase="hello")
    speaking.speak(match_id=match, user=ben, phrase="oops")
    assert at_anybody.next("said")["phrase"] == "hello"
    for heard in (at_ben, at_cleo, at_anybody):
        assert heard.next("said")["phrase"] == "oops"
        heard.close()


def test_without_an_announcement_it_is_found(follow, match, second, ada, monkeypatch):
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS_WITHOUT_VALKEY", 0.05)
    heard = follow(second)
    monkeypatch.setattr(speaking, "announce_saying", lambda _: None)
    speaking.speak(match_id=match, user=ada, phrase="hello")
    assert heard.next("said")["phrase"] == "hello"


def test_the_stream_of_an_account_says_who_asks_and_who_accepted(
    listen, transactional_db, first, second, ada, ben
):
    at_ada, at_ben = (listen(each, "stream", Accept=LINES) for each in (first, second))
    at_ada.next("hello"), at_ben.next("hello")
    services.befriend(user=ada, other=ben.pk)
    news = at_ben.next("friend_request")
    assert (news["username"], news["display_name"]) == ("Ada", "Ada")
    services.befriend(user=ben, other=ada.pk)
    accepted = at_ada.next("friend_accepted")
    assert accepted["username"] == "Ben"
    resumed = listen(first, f"stream?after={accepted['id']}", Accept=LINES)
    resumed.next("hello")
    services.end_friendship(user=ben.pk, other=ada.pk)
    services.befriend(user=ben, other=ada.pk)
    assert resumed.next()["type"] == "friend_request"  # what was sent is not sent again
    for heard in (at_ada, at_ben, resumed):
        heard.close()


def test_who_resumes_gets_what_was_missed(listen, transactional_db, second, ada, ben):
    heard = listen(second, "stream", Accept=LINES)
    name = heard.next("hello")["id"]
    heard.close()
    services.befriend(user=ada, other=ben.pk)
    again = listen(second, f"stream?after={name}", Accept=LINES)
    again.next("hello")
    assert again.next()["type"] == "friend_request"


def test_who_listens_is_online(listen, transactional_db, second, ben, monkeypatch):
    monkeypatch.setattr("games.live.hub.CHECK_SECONDS", 0.0)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    assert selectors.online([ben.pk]) == set()
    heard = listen(second, "stream", Accept=LINES)
    heard.next("hello")
    for _ in range(100):
        if selectors.online([ben.pk]):
            break
        time.sleep(0.02)
    assert selectors.online([ben.pk]) == {ben.pk}


def test_a_page_hears_of_a_request(transactional_db, ada, ben):
    heard = Heard(signed_in(ben).client.get("/stream"))
    heard.next("waiting")
    services.befriend(user=ada, other=ben.pk)
    assert heard.next("friends") == {"type": "friends", "news": "friend_request"}
    heard.close()
