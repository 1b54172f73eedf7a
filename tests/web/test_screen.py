"""One screen in the room, hands on the phones: secrecy, codes, guesses, the host's acts."""

import re

import pytest
from django.core.cache import cache
from rest_framework.settings import api_settings

from cardroom.rules import catalog
from games.lobby import rematches
from games.matches import joining, party
from games.matches.models import Match, Seat
from games.matches.selectors.access import get_match
from games.matches.selectors.history import match_at
from tests.conftest import client_of
from tests.matches.scenes import now, opened, played, resigned, short
from tests.web.browsing import Browser, signed_in
from tests.web.test_leaks import Reader, side_cards_only

pytestmark = pytest.mark.django_db
GAMES = [game.slug for game in catalog.GAMES]


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


class ScreenReader(Reader):
    """A reader of the screen and its panel, without a seat."""

    def pages_of(self, match):
        yield screen(match)
        yield f"{screen(match)}/news?shown={max(0, match.version - 3)}-x"


def screen(match) -> str:
    return f"/matches/{match.id}/screen"


def sit(code: str, name: str, browser: Browser | None = None) -> Browser:
    """A phone that was not here before."""
    browser = browser or Browser()
    browser.open(f"/join?code={code}")
    return browser.press("Sit down", name=name)


@pytest.fixture
def host(ada):
    return signed_in(ada)


@pytest.fixture
def waiting(ada):
    match = opened(ada, ", ".join(["me", *["open"] * 4]), "shithead", options={"players": 5})
    return match, party.code_for(match)


class TestSecrecy:
    @pytest.mark.parametrize("game", GAMES)
    def test_the_screen_holds_no_hand_whoever_opens_it(self, ada, ben, game):
        seats = catalog.find(game).seats(catalog.find(game).options())
        match = short(ada, game, ", ".join(["me", *["open"] * (seats - 1)]))
        match = joining.join(match_id=match.id, user=ben)
        readers = [
            ScreenReader(match, None, one) for one in (signed_in(ada), signed_in(ben), Browser())
        ]
        for _ in range(3):
            match = now(match)
            for reader in readers:
                assert not side_cards_only(match.rules, reader.leaks(match))
                assert "table_move" not in reader.browser.page
                assert "<form" not in reader.browser.page
                assert "csrfmiddlewaretoken" not in reader.browser.page
            match = played(match, 3)

    def test_what_is_shown_late_is_late_here(self, ada, ben):
        match = opened(ada, "me, open", "pisti", visibility="public", watch_delay=3)
        match = played(joining.join(match_id=match.id, user=ben), 6)
        then = match_at(match, match.version - 3)
        assert f'data-version="{then.version}"' in signed_in(ada).open(screen(match)).page

    def test_a_private_match_has_no_screen_for_others_and_no_code(self, ada, cleo, stranger):
        match = opened(
            ada, "me, user ben" if False else "me, local Twin", "pisti", visibility="private"
        )
        assert stranger.open(screen(match)).status == 404
        assert signed_in(cleo).open(screen(match)).status == 404
        assert party.code_for(match) == ""

    def test_looking_at_it_changes_nothing(self, host, waiting):
        match, _ = waiting
        before = Match.objects.values().get(id=match.id)
        host.open(screen(match))
        assert Match.objects.values().get(id=match.id) == before


class TestCode:
    def test_a_guest_needs_a_name_and_nothing_else(self, waiting):
        match, code = waiting
        phone = sit(code.lower(), "Zoë")
        assert phone.match_id == str(match.id)
        assert now(match).names[1] == "Zoë"

    def test_the_screen_shows_it(self, stranger, waiting):
        match, code = waiting
        page = stranger.open(screen(match))
        assert code in page.text
        assert f"/join/{code}.svg" in page.page
        assert b"<svg" in page.client.get(f"/join/{code}.svg").content

    def test_no_letter_looks_like_another(self):
        assert not set("AEIOUQLGSY0123456789") & set(party.LETTERS)

    def test_the_same_code_brings_a_phone_back(self, ada, waiting):
        match, code = waiting
        phone = sit(code, "Zoë")
        party.begin(match_id=match.id, host=ada)
        assert sit(code, "Zoë", phone).match_id == str(match.id)
        assert len([seat for seat in now(match).seats if seat.user_id]) == 2

    def test_it_lives_as_long_as_the_table_waits(self, ada, waiting):
        match, code = waiting
        sit(code, "Zoë")
        party.begin(match_id=match.id, host=ada)
        assert "No table waits under this code" in sit(code, "Yan").text
        assert code not in Browser().open(screen(match)).text

    def test_nor_longer_than_a_table_that_is_called_off(self, ada, waiting):
        match, code = waiting
        joining.leave(match_id=match.id, user=ada)
        assert "No table waits under this code" in sit(code, "Zoë").text

    def test_an_unknown_code_makes_no_guest(self, django_user_model, waiting):
        before = django_user_model.objects.count()
        sit("ZZZZ" if waiting[1] != "ZZZZ" else "XXXX", "Zoë")
        assert django_user_model.objects.count() == before

    def test_the_form_says_nothing_of_a_code(self, stranger, waiting):
        one, other = (stranger.open(f"/join?code={code}").text for code in (waiting[1], "ZZZZ"))
        assert one == other

    def test_guesses_are_limited_by_address(self, monkeypatch, waiting):
        monkeypatch.setitem(api_settings.DEFAULT_THROTTLE_RATES, "wrong_codes", "3/hour")
        wrong = "ZZZZ" if waiting[1] != "ZZZZ" else "XXXX"
        for _ in range(3):
            sit(wrong, "Zoë")
        assert "Too many wrong codes" in sit(waiting[1], "Zoë").text

    def test_a_bad_name_is_said_and_nobody_sits_down(self, waiting):
        match, code = waiting
        assert sit(code, "admin").status == 422 or "kept" in sit(code, "admin").text
        assert now(match).seats[1].kind == "open"

    def test_the_television_opens_the_screen_by_it(self, stranger, waiting):
        match, code = waiting
        stranger.open("/join")
        page = stranger.press("This is the screen", code=code)
        assert code in page.text
        assert now(match).seats[1].kind == "open"


class TestHost:
    def test_removes_whom_he_did_not_invite(self, ada, host, waiting):
        match, code = waiting
        phone = sit(code, "Zed")
        host.open(f"/matches/{match.id}").press("Remove Zed")
        assert now(match).seats[1].kind == "open"
        new = party.known_code(now(match))
        assert new not in ("", code)
        assert "No table waits" in sit(code, "Zed", phone).text
        sit(new, "Zed", phone)
        assert now(match).seats[1].kind == "open"

    def test_nobody_else_removes_begins_or_hands_over(self, ben, waiting):
        match, code = waiting
        sit(code, "Zed")
        client = client_of(ben)
        for act in ("begin", "remove", "hand-over"):
            page = client.post(f"{screen(match)}/{act}", {"seat": 1}, follow=True)
            assert "Only the person who opened" in page.content.decode()
        assert now(match).status == "open"
        assert now(match).seats[1].kind == "user"

    def test_eighteen_sit_down_and_the_next_game_is_one_press(self, ada, host):
        host.open("/party").press("Open the table", game="shithead", seats="18")
        match = get_match(host.match_id)
        code = party.known_code(match)
        assert len(match.seats) == 18
        for n in range(17):
            sit(code, f"Guest {n}")
        match = now(match)
        assert match.status == "active"
        resigned_by_all(match)
        host.open(f"/matches/{match.id}").press("Again")
        following = get_match(host.match_id)
        assert following.id != match.id
        assert following.status == "active"
        assert f'data-next="{screen(following)}"' in Browser().open(screen(match)).page

    @pytest.mark.parametrize("people", [2, 5])
    @pytest.mark.parametrize("game", ["shithead", "pyanitsa"])
    def test_begins_with_those_who_are_here(self, ada, host, game, people):
        host.open("/party").press("Open the table", game=game, seats="8")
        match = get_match(host.match_id)
        code = party.known_code(match)
        for n in range(people - 1):
            sit(code, f"Guest {n}")
        host.open(f"/matches/{match.id}").press("Begin with those who are here")
        match = now(match)
        assert match.status == "active"
        assert [seat.index for seat in match.seats] == list(range(people))
        assert match.options.players == people

    def test_alone_nothing_begins(self, host, waiting):
        match, _ = waiting
        host.open(f"/matches/{match.id}").press("Begin with those who are here")
        assert now(match).status == "open"
        assert len(now(match).seats) == 5

    def test_hands_the_seat_of_a_lost_phone_over_once(self, ada, host, waiting):
        match, code = waiting
        sit(code, "Zoë")
        party.begin(match_id=match.id, host=ada)
        lost = now(match).seats[1].user_id
        host.open(f"/matches/{match.id}").press("Hand over the seat of Zoë")
        seat_code = re.search(r"enters ([A-Z]{4}) within", host.text)[1]
        assert sit(seat_code, "Zoë again").match_id == str(match.id)
        assert now(match).seats[1].user_id not in (lost, ada.id)
        assert "No table waits" in sit(seat_code, "Yan").text

    def test_and_never_takes_it_himself(self, ada, host, waiting):
        match, code = waiting
        sit(code, "Zoë")
        party.begin(match_id=match.id, host=ada)
        seat_code = party.hand_over(match_id=match.id, host=ada, seat=1)
        sit(seat_code, "", host)
        assert now(match).seats[1].user_id != ada.id

    def test_nor_hands_over_the_seat_of_an_account(self, ada, ben, waiting):
        match, _ = waiting
        joining.join(match_id=match.id, user=ben)
        party.begin(match_id=match.id, host=ada)
        with pytest.raises(Exception, match="guest who came by the code"):
            party.hand_over(match_id=match.id, host=ada, seat=1)


def resigned_by_all(match):
    for seat in range(1, len(match.seats)):
        if not now(match).is_over:
            resigned(now(match), seat)


def test_the_series_stands_on_the_screen(ada, ben):
    match = short(ada, "pazaak", "me, open")
    party.code_for(match)
    party.sit_down(code=party.known_code(match), user=ben)
    match = resigned(now(match), 1)
    following = rematches.ask(match_id=match.id, user=ada)
    assert following.status == "active"
    shown = Browser().open(screen(following)).text
    assert re.search(r"1 : 0|0 : 1", shown)
    assert Seat.objects.filter(match=following.id).count() == 2
