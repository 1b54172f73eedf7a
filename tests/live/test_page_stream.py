"""The stream of a page: versions and names of matches, and nothing else."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.social.selectors import note_presence, state_of_list
from accounts.social.services import befriend, set_privacy
from tests.api.calls import move, new_match, post, read
from tests.competitions.held import begun, held
from tests.patience import WAITING
from tests.web.browsing import signed_in

pytestmark = WAITING


def test_a_page_hears_that_its_match_moved(hear, transactional_db, first, ada):
    match = new_match(first)
    heard = hear(signed_in(ada).client, f"match={match['id']}")
    assert heard.next("table")["version"] == 0
    move(first, match)
    told = heard.next("table")
    assert set(told) == {"type", "version", "changed"}
    assert told["version"] == 1


def test_navigation_hears_what_waits(hear, transactional_db, first, second, ben):
    heard = hear(signed_in(ben).client)
    assert heard.next("waiting") == {"type": "waiting"}
    match = new_match(first, "me, user Ben")
    assert heard.next("waiting")["invited"] == [match["id"]]
    post(second, f"matches/{match['id']}/join")
    move(first, read(first, match))
    while "your_turn" not in (told := heard.next("waiting")):
        pass
    assert told["your_turn"] == [match["id"]]


def test_the_lobby_hears_of_others_matches(hear, transactional_db, first):
    heard = hear(Client(), "lobby")
    heard.next("ping")
    new_match(first, "me, open", visibility="public")
    assert heard.next("lobby") == {"type": "lobby"}


def test_a_connection_is_known_to_be_there(hear, transactional_db):
    heard = hear(Client())
    assert [heard.next("ping") for _ in range(2)]


def test_signing_out_ends_it(hear, transactional_db, first, ada, monkeypatch):
    monkeypatch.setattr("games.live.hub.CHECK_SECONDS", 0.0)
    monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
    browser = signed_in(ada).client
    heard = hear(browser)
    heard.next("waiting")
    browser.logout()
    assert [told for told in heard if told["type"] != "ping"] == []


@pytest.mark.parametrize("named", ["x", "01890000-0000-7000-8000-000000000000"])
def test_a_match_that_is_not_there(db, named):
    assert Client().get(f"/stream?match={named}").status_code == 404


def test_a_private_match_is_not_there_for_others(db, first, ben):
    match = new_match(first, "me, open", visibility="private")
    assert signed_in(ben).client.get(f"/stream?match={match['id']}").status_code == 404


class TestFriends:
    """The page of friends hears that its list is another one, however that came about."""

    @pytest.fixture
    def page(self, hear, transactional_db, ada, monkeypatch):
        monkeypatch.setattr("games.live.hub.CHECK_SECONDS", 0.0)
        monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
        return hear(signed_in(ada).client, f"friends={state_of_list(ada.pk)}")

    def test_somebody_asks(self, page, ada, ben):
        page.next("waiting")
        befriend(user=ben, other=ada.pk)
        assert page.next("people") == {"type": "people"}

    def test_a_friend_comes_and_goes(self, hear, page, ada, ben):
        befriend(user=ben, other=ada.pk)
        page.next("people")
        befriend(user=ada, other=ben.pk)
        page.next("people")
        note_presence([ben.pk])
        page.next("people")
        cache.clear()
        page.next("people")

    def test_one_who_hides_it_is_never_there(self, page, ada, ben):
        befriend(user=ben, other=ada.pk)
        befriend(user=ada, other=ben.pk)
        page.next("people")
        before = state_of_list(ada.pk)
        set_privacy(user=ben, hides_presence=True)
        note_presence([ben.pk])
        assert state_of_list(ada.pk) == before

    def test_a_stranger_who_is_there_changes_nothing(self, transactional_db, ada, ben, cleo):
        befriend(user=ben, other=ada.pk)
        before = state_of_list(ada.pk)
        note_presence([ben.pk, cleo.pk])
        assert state_of_list(ada.pk) == before

    def test_the_page_is_as_new_as_the_list(self, hear, page, ada):
        """It hears of nothing when it was opened: what it shows is up to date."""
        kinds = [page.next()["type"] for _ in range(2)]
        assert "people" not in kinds


class TestATournament:
    """The page of a tournament hears that its standings or boards are others."""

    @pytest.fixture
    def tournament(self, transactional_db, ada, monkeypatch):
        monkeypatch.setattr("games.live.hub.SWEEP_SECONDS", 0.05)
        return held(ada, fill_to=4, visibility="private")

    def query(self, tournament):
        return f"tournament={tournament.id}&version={tournament.version}"

    def test_it_is_paired(self, hear, tournament, ada, ben):
        heard = hear(signed_in(ada).client, self.query(tournament))
        heard.next("waiting")
        one = begun(tournament, ada)
        while heard.next("tournament")["version"] < one.version:
            pass  # it may hear of each step, or of the last alone

    def test_what_changed_while_the_connection_was_away(self, hear, tournament, ada):
        begun(tournament, ada)
        heard = hear(signed_in(ada).client, self.query(tournament))
        assert set(heard.next("tournament")) == {"type", "version"}

    def test_it_hears_nothing_of_what_it_shows(self, hear, tournament, ada):
        heard = hear(signed_in(ada).client, self.query(tournament))
        assert "tournament" not in {heard.next()["type"] for _ in range(3)}

    def test_a_private_one_is_not_there_for_others(self, tournament, ben):
        client = signed_in(ben).client
        assert client.get(f"/stream?{self.query(tournament)}").status_code == 404
        assert client.get("/stream?tournament=x").status_code == 404
