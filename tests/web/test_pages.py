"""Every page works for every visitor, and says so when there is nothing to show."""

import pytest
from django.db import OperationalError
from django.template.loader import render_to_string

from cardroom.rules import catalog
from games.web.tables import page_of
from tests.matches.scenes import opened, played, short
from tests.web.browsing import Browser, signed_in

SLUGS = [game.slug for game in catalog.GAMES]
PAGES = [
    "/",
    "/lobby",
    "/daily",
    "/new",
    *[f"/new?game={slug}" for slug in SLUGS],
    *[f"/games/{slug}/rules" for slug in SLUGS],
]
ACCOUNT_PAGES = ["/accounts/login/", "/accounts/signup/"]


@pytest.fixture
def visitors(ada, guest):
    return [Browser(), signed_in(guest), signed_in(ada)]


@pytest.mark.parametrize("address", PAGES)
def test_every_page_answers_everybody(visitors, address):
    for browser in visitors:
        browser.open(address)
        assert browser.status == 200
        assert browser.address == address
        assert len(browser.ids) == len(set(browser.ids)), "an id names one element"


@pytest.mark.parametrize("address", ACCOUNT_PAGES)
def test_account_pages_wear_the_same_frame(stranger, address):
    assert 'class="site-head"' in stranger.open(address).page


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("plies", [0, 5, 10**6])
def test_every_game_is_drawn_for_player_and_spectator(ada, guest, slug, plies):
    match = played(short(ada, slug), plies)
    for browser in (signed_in(ada), signed_in(guest), Browser()):
        browser.open(f"/matches/{match.id}")
        assert browser.status == 200
        assert match.rules.name in browser.text


def test_no_page_has_inline_code(at_home, ada):
    match = opened(ada)
    for address in [*PAGES, "/accounts/", f"/matches/{match.id}"]:
        page = at_home.open(address).page
        assert "style=" not in page
        assert "<style" not in page
        assert " onclick=" not in page
        for script in page.split("<script")[1:]:
            assert "></script>" in script.split(">", 1)[0] + script[script.index(">") :][:10]
            assert " src=" in script.split(">", 1)[0]


def test_what_is_not_there_says_so(stranger):
    stranger.open("/games/bridge/rules")
    assert stranger.status == 404
    assert "Page not found" in stranger.text


class TestErrors:
    """What went wrong is said where no database, no session and no script can be relied on."""

    def answer(self, client, monkeypatch, error, language="en"):
        def fail(*_args, **_more):
            raise error

        monkeypatch.setattr("games.web.landing.render", fail)
        client.raise_request_exception = False
        return client.get("/", headers={"Accept-Language": language})

    def test_a_fault_says_nothing_of_its_cause(self, client, monkeypatch):
        answer = self.answer(client, monkeypatch, RuntimeError("secret cause"))
        assert answer.status_code == 500
        assert "Something went wrong" in answer.content.decode()
        assert "secret cause" not in answer.content.decode()

    @pytest.mark.parametrize(
        ("language", "words"), [("en", "Back in a moment"), ("ru", "Скоро вернёмся")]
    )
    def test_without_the_database_to_come_back_soon(self, client, monkeypatch, language, words):
        answer = self.answer(client, monkeypatch, OperationalError("away"), language)
        assert (answer.status_code, answer["Retry-After"]) == (503, "2")
        assert words in answer.content.decode()
        assert f'lang="{language}"' in answer.content.decode()

    @pytest.mark.parametrize("name", ["400.html", "500.html", "503.html"])
    def test_the_database_is_not_asked(self, name):
        """A test without the fixture ``db`` cannot read it."""
        assert "To the start page" in render_to_string(name)

    @pytest.mark.parametrize("name", ["403.html", "429.html"])
    def test_others_are_pages_like_all(self, name, rf, db):
        assert "To the start page" in render_to_string(name, request=rf.get("/"))


class TestLobby:
    def test_is_kind_to_who_has_nothing(self, stranger):
        stranger.open("/lobby")
        assert "Nobody plays in public just now." in stranger.text
        assert "Nobody is waiting." in stranger.text

    def test_lists_matches_with_whose_turn_it_is(self, ada, at_home):
        opened(ada, "me, bot greedy")
        at_home.open("/lobby")
        assert "your turn" in at_home.text
        assert "Greedy" in at_home.text

    def test_offers_public_seats_to_others_only(self, ada, at_home, stranger):
        match = opened(ada, "me, open", visibility="public")
        address = f"/matches/{match.id}"
        assert "1 seat free" in stranger.open("/lobby").text
        assert address in stranger.page
        waiting = at_home.open("/lobby").page.partition("waiting for players")[2]
        assert address not in waiting

    def test_keeps_unlisted_and_private_matches_to_their_players(self, ada, stranger):
        for visibility in ("unlisted", "private"):
            match = opened(ada, "me, open", visibility=visibility)
            assert str(match.id) not in stranger.open("/lobby").page

    def test_long_names_are_cut_and_safe(self, ada, at_home):
        opened(ada, "me, local <b>" + "x" * 37)
        at_home.open("/lobby")
        assert "<b>xxx" not in at_home.page
        assert "&lt;b&gt;xxx" in at_home.page


def test_a_game_without_an_own_table_is_drawn_by_the_generic_one():
    assert page_of("bridge").template == "games/tables/any.html"
    assert page_of("pisti").template == "games/tables/pisti/table.html"
