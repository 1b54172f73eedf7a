"""Every address with every method and in every spelling: HEAD is GET without its body, no redirect
leads back to where it came from, another spelling of an address leads to the address itself.
"""

import sys
import threading
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from games.matches import joining, loading
from tests.api.calls import API
from tests.conftest import BACKEND, PASSWORD
from tests.matches.scenes import move, now, opened, played
from tests.security.test_authorisation_matrix import (  # noqa: F401 - fixtures
    address,
    callers,
    patterns,
    world,
)
from tests.web.browsing import Reader, signed_in
from tests.web.test_site_files import OURS

AT_RANDOM = {"x-request-id", "ratelimit-remaining", "ratelimit-reset", "etag", "last-modified"}
# Bytes of a page differ by the token of its forms and what was noted since; the clock goes on.
BY_CONTENT = {"content-length", "expires"}


def asked(client: Client, method: str, path: str):
    """The answer; what it changed is undone."""
    with transaction.atomic():
        answer = client.generic(method, path)
        transaction.set_rollback(True)
    return answer


def headers(answer):
    names = {name.lower() for name in answer.headers} - AT_RANDOM
    return names, {name: answer[name] for name in names - BY_CONTENT - {"content-security-policy"}}


def faults_of(client: Client, path: str):
    """The faults of the answers of one address."""
    got, head = asked(client, "GET", path), asked(client, "HEAD", path)
    if head.status_code != 429:  # a limit of the address itself
        yield from faults_of_head(path, got, head)
    yield from faults_of_way(client, path, got)
    for method in ("OPTIONS", "DELETE", "BREW"):
        answer = asked(client, method, path)
        if answer.status_code >= 500 or "Location" in answer.headers:
            yield f"{method} {path}: {answer.status_code}"
        if answer.status_code == 405 and not answer.headers.get("Allow"):
            yield f"{method} {path}: 405 without Allow"
        if (
            method != "OPTIONS"
            and not path.startswith("/api/")
            and answer.status_code not in (404, 405)
        ):
            yield f"{method} {path}: {answer.status_code}, not 405"


def faults_of_head(path, got, head):
    if (got.status_code, *headers(got)) != (head.status_code, *headers(head)):
        yield f"HEAD {path}: {head.status_code} {headers(head)[1]}, GET {got.status_code}"
    if head.getvalue():
        yield f"HEAD {path} has a body"


def faults_of_way(client, path, there):
    """No chain of redirects comes back to an address that it left."""
    been = [path]
    while there.status_code in (301, 302, 303, 307, 308):
        to = urljoin(been[-1], there["Location"])
        if to in been:
            yield f"GET {path}: {' > '.join([*been, to])} and so on"
            break
        been.append(to)
        if "//" in to:
            break
        there = asked(client, "GET", to)


@pytest.mark.django_db
def test_pages_of_the_site_with_every_method():
    """As nobody, at matches that are not there; the sweep below asks as somebody, everywhere."""
    browser = Client(raise_request_exception=False)
    assert [fault for path in OURS for fault in faults_of(browser, path)] == []


@pytest.mark.sweep
def test_every_address_with_every_method(world, callers):  # noqa: F811
    """A player, in the admin the operator; a wrong method of the API may be one of its calls."""
    faults = []
    for pattern in dict.fromkeys(patterns(get_resolver().url_patterns)):
        path = address(world, pattern)
        client = callers["superuser" if path.startswith("/admin/") else "seated"]
        with transaction.atomic():  # the call's own changes are undone, and its session's
            faults += faults_of(client, path)
            transaction.set_rollback(True)
    assert faults == []


PAGES = ("/", "/lobby", "/daily", "/games/pisti/rules", "/new", "/accounts/login/", f"{API}games")


@pytest.mark.parametrize("path", PAGES)
def test_head_of_a_first_page(db, path):
    head = Client().head(path)
    assert head.status_code == 200
    assert int(head["Content-Length"]) > 1000
    assert not head.content


class TestOtherSpellings:
    @pytest.mark.parametrize(
        ("asked", "meant"),
        [
            ("/admin", "/admin/"),
            ("/admin/games/match", "/admin/games/match/"),
            ("/lobby/", "/lobby"),
            ("/lobby//?game=pisti", "/lobby?game=pisti"),
            ("/accounts/login", "/accounts/login/"),
            ("/decks", "/decks/"),
            ("/docs", "/docs/"),
            ("/api/v1/games/", "/api/v1/games"),
        ],
    )
    def test_of_an_address_lead_to_it(self, db, asked, meant):
        client = Client()
        client.force_login(
            User.objects.create_superuser("Root"),
            "allauth.account.auth_backends.AuthenticationBackend",
        )
        answer = client.get(asked)
        assert (answer.status_code, answer.headers.get("Location")) == (308, meant)
        assert client.get(meant).status_code in (200, 302, 404)  # 404: no documentation was built

    def test_ids_in_capitals(self, ada, at_home):
        match = opened(ada)
        at_home.open(f"/matches/{str(match.id).upper()}/")
        assert (at_home.status, at_home.address) == (200, f"/matches/{match.id}")

    @pytest.mark.parametrize("spelling", [str.upper, "{}".format])
    def test_a_call_keeps_its_method_and_body(self, ada, first, spelling):
        match = opened(ada, "me, bot greedy")
        path = f"{API}matches/{spelling(str(match.id))}/moves/"
        sent = first.post(path, {"move": "?", "version": 0})
        assert (sent.status_code, sent["Location"]) == (308, f"{API}matches/{match.id}/moves")

    def test_a_form_with_its_fields(self, ada):
        client = Client()
        fields = {"login": "ada", "password": PASSWORD}
        assert client.post("/accounts/login", fields, follow=True).status_code == 200
        assert client.session.get("_auth_user_id") == str(ada.pk)

    @pytest.mark.parametrize(
        "path",
        ["/nowhere", "/nowhere/", "/api/v1/nowhere/", "/lobby/x/", "/x//"],
    )
    def test_what_is_nowhere_stays_nowhere(self, db, path):
        assert Client().get(path).status_code == 404

    def test_of_what_is_not_there_are_not_there(self, db):
        path = "/matches/0193f2b0-0000-7000-8000-000000000000"
        assert Client().get(path).status_code == 404
        assert (
            Client().get(f"{path.upper().replace('MATCHES', 'matches')}/", follow=True).status_code
            == 404
        )


# The browser of these tests reads a page as `html.parser` does.


class Known(HTMLParser):
    """Hands what the library finds to a reader."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader()

    def handle_starttag(self, tag, attrs):
        written = " ".join(f'{name}="{_quoted(value or "")}"' for name, value in attrs)
        self.reader.feed(f"<{tag} {written}>")

    def handle_endtag(self, tag):
        self.reader.feed(f"</{tag}>")

    def handle_data(self, data):
        self.reader.feed(_quoted(data))


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def is_read_alike(page: str) -> None:
    library, ours = Known(), Reader()
    library.feed(page)
    ours.feed(page)
    assert len(ours.text) > 5
    for what in ("forms", "ids", "text"):
        assert getattr(ours, what) == getattr(library.reader, what)


@pytest.mark.parametrize("game", ["pisti", "pazaak"])
def test_a_table(ada, at_home, game):
    match = played(opened(ada, "me, local Twin", game), 4)
    is_read_alike(at_home.open(f"/matches/{match.id}").page)


@pytest.mark.parametrize("address", ["/", "/new?game=pisti", "/accounts/"])
def test_a_page(ada, address):
    is_read_alike(signed_in(ada).open(address).page)


@pytest.mark.parametrize("address", ["/admin/games/match/", "/admin/accounts/user/add/"])
def test_a_page_of_the_admin(ada, address):
    opened(ada)
    browser = Client()
    root = User.objects.create_superuser("root")
    browser.force_login(root, BACKEND)
    is_read_alike(browser.get(address).content.decode())


# How far a request goes through the tree: the functions of ours that it calls, and their modules.
#
# A way that grows is looked at before its bound is raised.

ROOT = f"{Path(__file__).resolve().parents[2]}/"
LEFT_OUT = (f"{ROOT}tests/", f"{ROOT}.venv/")


def way(call):
    """Modules and calls; a generator counts each time that it goes on."""
    calls = Counter()

    def see(frame, event, _):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(ROOT) and not name.startswith(LEFT_OUT):
            calls[name] += 1

    sys.setprofile(see)
    threading.setprofile(see)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return len(calls), calls.total()


@pytest.mark.parametrize(("game", "most_calls"), [("pisti", 740), ("shithead", 790)])
def test_the_page_of_a_match(ada, ben, game, most_calls):
    match = opened(ada, "me, open", game)
    joining.join(match_id=match.id, user=ben, seat=1)
    for _ in range(3):
        move(now(match))
    page = signed_in(ada).open(f"/matches/{match.id}")  # what is kept between requests is there
    modules, calls = way(lambda: page.open(f"/matches/{match.id}"))
    assert modules <= 72
    assert calls <= most_calls


@pytest.mark.parametrize(("game", "bot", "most_calls"), [
    ("pisti", "greedy", 1_100), ("shithead", "keeper", 1_250),
])  # fmt: skip
def test_loading_with_new_cards(ada, game, bot, most_calls):
    match = played(opened(ada, f"me, bot {bot}", game), 8)
    load = {"match_id": match.id, "user": ada, "cards": "reshuffled", "version": 6}
    loading.load(**load)
    modules, calls = way(lambda: loading.load(**load))
    assert modules <= 42
    assert calls <= most_calls
