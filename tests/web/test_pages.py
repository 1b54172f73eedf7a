"""Every page works for every visitor, and says so when there is nothing to show."""

import re

import pytest
from django.conf import settings
from django.db import OperationalError
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from cardroom.rules import catalog
from games.matches.bot_turns import play_bot_turns
from games.operations.models import PlayerReport
from games.web.table.acts import wait_for_quick_computers
from games.web.tables import page_of
from tests.admin.test_acts import staff
from tests.conftest import BACKEND, client_of
from tests.matches.scenes import opened, played, short
from tests.web.browsing import Browser, signed_in

pytestmark = pytest.mark.django_db


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
    """Pages of errors need no database, no session and no script."""

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


# Fields that no browser sends: refused, and nothing breaks.


def test_a_nul_reaches_no_query(ada, client):
    client.force_login(ada, BACKEND)
    match = opened(ada, "me, local Twin")
    sent = {"seat": "1", "reason": "other", "text": "a\0b"}
    assert client.post(f"/matches/{match.id}/report", sent).status_code == 400
    assert not PlayerReport.objects.exists()
    assert client.post("/accounts/blocks/", {"username": "a\0b"}).status_code == 400
    assert client.get("/lobby", {"x": "\0"}).status_code == 400


@pytest.mark.parametrize("to", ["x", "-1", "", "²", "//evil.example", "https://evil.example/"])
def test_a_form_leads_to_a_page_of_ours_or_home(client, to):
    sent = {"language": "tr", "next": to}
    answer = client.post("/accounts/language/", sent)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.post("/accounts/language/", {"next": "/lobby"})["Location"] == "/lobby"


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/", "/admin/login/"])
def test_who_is_signed_in_is_led_on_or_home(page):
    browser = staff("viewer")
    for to in ("x", "-1", "²"):
        assert browser.get(page, {"next": to}).status_code in (302, 403)


@pytest.mark.parametrize("field", ["q", "status__exact", "game", "problem"])
def test_a_nul_in_a_search_of_the_admin(ada, field):
    page = reverse("admin:games_match_changelist")
    assert staff("viewer").get(page, {field: "a\0b"}).status_code == 400


def test_a_nul_in_a_message_of_an_operator(ada):
    page = reverse("admin:operations_person_act", args=[ada.pk, "message"])
    sent = {"reason": "a\0b", "text": "a\0b"}
    assert staff("referee").post(page, sent).status_code == 400


# An answer to what a page asked before its reader signed in comes after that to the sign-in.

FORMS, SESSION = settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME
SIGNED_OUT = "the cookie is taken away"


def cookies_of(client):
    return {name: morsel.value for name, morsel in client.cookies.items()}


def late(cookies, path="/lobby"):
    """The cookies that the answer to a request with these cookies sets."""
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
    client = client_of(ada)
    before = cookies_of(client)
    client.session.flush()
    assert SESSION not in late(before)


def test_signing_out_takes_the_session_from_the_browser(ada):
    client = client_of(ada)
    client.post("/accounts/logout/")
    assert client.cookies[SESSION].value == ""


def test_a_first_page_with_a_form_brings_its_cookie_and_so_does_one_whose_cookie_is_damaged():
    assert len(late({FORMS: "damaged"})[FORMS]) == len(late({})[FORMS])


# A page that sends a move waits a moment for computers that answer at once.

PISTI = "me, bot greedy"


def test_the_answer_that_is_there_is_found_at_the_first_look(ada, django_assert_num_queries):
    match = played(opened(ada, PISTI), 1)
    assert match.awaits_bot
    play_bot_turns(match_id=match.id, version=match.version)
    with django_assert_num_queries(1):
        wait_for_quick_computers(match)


def test_nobody_waits_for_long(ada, django_assert_max_num_queries):
    match = played(opened(ada, PISTI), 1)
    with django_assert_max_num_queries(20):
        wait_for_quick_computers(match)


@pytest.mark.parametrize("seats", ["me, local Twin", "me, bot searcher"])
def test_nobody_waits_for_people_or_computers_that_think(ada, seats, django_assert_num_queries):
    match = played(opened(ada, seats), 1)
    with django_assert_num_queries(0):
        wait_for_quick_computers(match)


def test_a_panel_shows_the_move_and_its_answer(ada):
    """Both are played, one after the other, by the script of a page that shows version 0."""
    match = played(opened(ada, PISTI), 1)
    play_bot_turns(match_id=match.id, version=match.version)
    page = signed_in(ada).open(f"/matches/{match.id}/news?shown=0-active").page
    assert 'data-version="2"' in page
    motions = page.split('<template id="motions">')[1].split("</template>")[0]
    assert set(re.findall(r'data-version="(\d+)"', motions)) == {"1", "2"}
