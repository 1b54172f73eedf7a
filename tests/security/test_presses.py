"""A button is pressed twice: one match, one guest. And nobody else signs in by such a press."""

import re
from collections.abc import Callable
from datetime import timedelta
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from threading import Barrier, Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import Press, User
from cardroom.rules.pazaak.side_cards import STARTER
from decks import services as decks
from decks.models import Deck
from decks.services import NoSuchDeck
from games.matches import loading
from games.matches.joining import join, open_rematch
from games.matches.models import Match
from games.matches.opening import write_new
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from games.simulations.models import Simulation
from tests.matches.scenes import opened, played, resigned
from tests.web.browsing import Browser, signed_in

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
PLAY = "/play/pisti"


class Visitor:
    """A browser that has been shown a page, and presses its buttons."""

    def __init__(self, page: str = "/", user: User | None = None) -> None:
        self.shown = Browser() if user is None else signed_in(user)
        self.browser = self.shown.client
        self.shown.open(page)

    def press(self, address: str, **fields: str):
        """Sends the form of the page as it stands, not knowing the answer to an earlier press."""
        form = next(form for form in self.shown.forms if form.action == address)
        twin = Client(enforce_csrf_checks=True)
        twin.cookies = SimpleCookie(self.browser.cookies.output(header="", sep=";"))
        answer = twin.post(address, dict(form.fields) | fields)
        answer.user = twin.session.get("_auth_user_id") if "sessionid" in twin.cookies else None
        return answer


def twice(visitor: Visitor, address: str, **fields: str) -> list[str]:
    """Where the two presses lead."""
    answers = [visitor.press(address, **fields) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].user == answers[1].user is not None
    return [answer["Location"] for answer in answers]


@pytest.mark.django_db
class TestAVisitorPressesTwice:
    def test_play(self):
        first, second = twice(Visitor(), PLAY)
        assert first == second
        assert (User.objects.count(), Match.objects.count()) == (1, 1)

    def test_a_new_match(self):
        assert len(set(twice(Visitor("/new?game=pisti"), "/new"))) == 1
        assert Match.objects.count() == 1

    def test_a_simulation(self):
        assert len(set(twice(Visitor("/simulations"), "/simulations", games="2"))) == 1
        assert Simulation.objects.count() == 1

    def test_a_deck(self):
        assert len(set(twice(Visitor("/decks/"), "/decks/ready-made/climber/copy"))) == 1
        assert Deck.objects.count() == 1

    def test_a_seat(self, ada):
        match = opened(ada, "me, open, open, bot greedy", options={"players": 4})
        twice(Visitor(f"/matches/{match.id}"), f"/matches/{match.id}/join", seat="1")
        assert User.objects.count() == 2

    def test_and_what_is_refused_leaves_no_guest(self, settings):
        settings.LIMITS = settings.LIMITS | {"active_matches": 0}
        visitor = Visitor()
        assert visitor.press(PLAY).status_code == 409
        assert not User.objects.exists()

    def test_another_button_is_another_press(self):
        visitor = Visitor()
        visitor.press(PLAY)
        visitor.press("/play/shithead")
        assert Match.objects.count() == 2

    def test_another_page_is_another_press(self):
        visitor = Visitor()
        visitor.press(PLAY)
        visitor.shown.open("/")
        visitor.press(PLAY)
        assert Match.objects.count() == 2

    def test_and_long_after_it_is_another_press(self):
        visitor = Visitor()
        visitor.press(PLAY)
        Press.objects.update(at=timezone.now() - timedelta(minutes=3))
        visitor.press(PLAY)
        assert Match.objects.count() == User.objects.count() == 2


@pytest.mark.django_db
class TestAPlayerPressesTwice:
    def test_load(self, ada):
        match = resigned(opened(ada, "me, bot greedy"), 0)
        here = f"/matches/{match.id}"
        player = Visitor(here, ada)
        assert len(set(twice(player, f"{here}/load", cards="same"))) == 1
        assert Match.objects.count() == 2

    def test_rematch(self, ada):
        match = resigned(opened(ada, "me, bot greedy"), 0)
        here = f"/matches/{match.id}"
        assert len(set(twice(Visitor(here, ada), f"{here}/rematch"))) == 1

    def test_and_another_player_presses_the_same(self, ada, ben):
        player = Visitor("/", ada)
        player.press(PLAY)
        player.browser.cookies["sessionid"] = signed_in(ben).client.cookies["sessionid"].value
        assert player.press(PLAY).user == str(ben.pk)
        assert Match.objects.count() == 2


@pytest.mark.django_db
class TestWantsTheGuestOfSomebodyElse:
    """The token of a form, and all that a page shows, is known to the thief."""

    def test_by_the_token_of_the_form(self):
        visitor, thief = Visitor(), Visitor()
        guest = visitor.press(PLAY).user
        thief.shown.page = visitor.shown.page
        assert thief.press(PLAY).status_code == 403  # another browser's token
        thief.browser.cookies["csrftoken"] = visitor.browser.cookies["csrftoken"].value
        assert thief.press(PLAY).user not in (None, guest)

    def test_without_any_cookie_of_a_visitor(self):
        visitor = Visitor()
        guest = visitor.press(PLAY).user
        del visitor.browser.cookies["visitor"]
        assert visitor.press(PLAY).user not in (None, guest)

    def test_after_the_guest_has_registered(self):
        visitor = Visitor()
        guest = visitor.press(PLAY).user
        User.objects.filter(pk=guest).update(is_guest=False)
        assert visitor.press(PLAY).user is None

    def test_from_the_cookie_that_a_script_reads(self):
        cookie = Visitor().browser.cookies["visitor"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("visitors", [4, pytest.param(12, marks=pytest.mark.sweep)])
def test_two_presses_at_the_same_moment_over_http(live_server, visitors):
    """Each has two connections: one guest and one match for each of them."""
    host = urlsplit(live_server.url).netloc
    for number in range(1, visitors + 1):
        answers = race(host)
        assert [status for status, _, _ in answers] == [302, 302]
        assert len({location for _, location, _ in answers}) == 1
        assert all(reads(host, location, cookie) == 200 for _, location, cookie in answers)
        assert (User.objects.count(), Match.objects.count()) == (number, number)


def race(host: str) -> list[tuple[int, str, str]]:
    page = HTTPConnection(host)
    page.request("GET", "/")
    shown = page.getresponse()
    token = TOKEN.search(shown.read().decode())[1]
    cookies = SimpleCookie()
    for header in shown.headers.get_all("Set-Cookie"):
        cookies.load(header)
    sent = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
    barrier, answers = Barrier(2), []

    def press() -> None:
        connection = HTTPConnection(host)
        connection.connect()
        barrier.wait()
        headers = {"Cookie": sent, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", PLAY, urlencode({"csrfmiddlewaretoken": token}), headers)
        answer = connection.getresponse()
        answer.read()
        session = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie") or []))
        answers.append((answer.status, answer.headers["Location"], session["sessionid"].value))

    threads = [Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def reads(host: str, location: str, session: str) -> int:
    connection = HTTPConnection(host)
    connection.request("GET", location, headers={"Cookie": f"sessionid={session}"})
    return connection.getresponse().status


# Two requests at the same moment: whatever their order, nothing breaks and nothing is doubled.

ROUNDS = 12


def at_once(*calls: Callable[[], object]) -> list[BaseException | object]:
    """The result or exception of each call; all begin at the same moment."""
    barrier, results = Barrier(len(calls)), [None] * len(calls)

    def run(number: int, call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[number] = call()
        except Exception as error:  # noqa: BLE001 - the scene looks at it
            results[number] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_a_deck_is_deleted_while_it_is_changed() -> None:
    owner = services.open_guest()
    for number in range(ROUNDS):
        deck = decks.create_deck(owner=owner.pk, name=f"Deck {number}", cards=STARTER)
        here = {"owner": owner.pk, "deck_id": deck.pk}
        changed, deleted = at_once(
            lambda here=here, number=number: decks.update_deck(**here, name=f"New {number}"),
            lambda here=here: decks.delete_deck(**here),
        )
        assert deleted is None
        assert changed.pk == deck.pk if not isinstance(changed, Exception) else True
        assert not isinstance(changed, Exception) or isinstance(changed, NoSuchDeck)


@pytest.mark.django_db(transaction=True)
def test_a_rematch_asked_for_twice_is_one(ada: User) -> None:
    for _ in range(3):
        over = resigned(opened(ada, "me, bot greedy", preset="single"), 0)
        first, second = at_once(*[lambda over=over: open_rematch(match_id=over.id, user=ada)] * 2)
        assert first.id == second.id
        assert Match.objects.filter(previous=over.id).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_last_move_beside_a_load_tells_nothing(ada: User, ben: User, monkeypatch) -> None:
    """A reader of the old match's seed would know what the loader holds in the new one."""
    match = played(join(match_id=opened(ada, "me, open").id, user=ben), 4)
    ended: list[MatchSnapshot] = []

    def end() -> None:
        ended.append(resigned(match, 1))
        connection.close()

    last_move = Thread(target=end)

    def write_meanwhile(*written: Any) -> MatchSnapshot:
        last_move.start()
        last_move.join(0.2)
        assert not ended  # it waits until the new match is there
        return write_new(*written)

    monkeypatch.setattr(loading, "write_new", write_meanwhile)
    loading.load(match_id=match.id, user=ada, cards="reshuffled", version=4)
    last_move.join()
    for over in (ended[0], get_match(match.id)):
        assert over.is_over
        assert not may_tell_all(over, ben.pk)


@pytest.mark.django_db
def test_a_key_made_while_its_guest_registers_expires() -> None:
    guest = services.open_guest()
    stale = User.objects.get(pk=guest.pk)
    services.register(username="Ada", password="a long and quiet evening", guest=guest)
    assert services.issue_key(user=stale).key.expires_at is not None
