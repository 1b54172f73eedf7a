"""The app on a phone, seen from the server: manifest, worker, first page, what is shared to it."""

import json
from urllib.parse import urlencode

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from cardroom.rules.pazaak.side_cards import STARTER
from decks.selectors import encode_deck
from games.web import app
from tests.matches.scenes import opened

CODE = encode_deck(STARTER)
MATCH = "/matches/0193f2b0-0000-7000-8000-000000000000"


def test_the_manifest_names_what_is_there(client, db):
    about = client.get("/manifest.webmanifest").json()
    for picture in (*about["icons"], *about["screenshots"]):
        assert finders.find(picture["src"].removeprefix("/static/")), picture
    for path in (about["start_url"], *(one["url"] for one in about["shortcuts"])):
        assert client.get(path).status_code == 200
    assert about["share_target"]["action"] == "/app/share"


def test_the_names_of_shortcuts_are_translated(client, db):
    def names(language):
        about = client.get("/manifest.webmanifest", headers={"accept-language": language}).json()
        return [one["name"] for one in about["shortcuts"]]

    assert names("en") == ["Play", "Your turn"]
    assert len({str(names(one)) for one in ("en", "tr", "ru", "cs")}) == 4


def test_the_worker_is_a_script_at_the_root(client, db):
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    begin = dict(line.split(" = ", 1) for line in answer.content.decode().split("\n")[:4])
    for path in json.loads(begin["const FILES"].rstrip(";")):
        assert finders.find(path.removeprefix("/static/"))


def test_another_file_makes_another_worker(monkeypatch):
    before = app.version()
    real = app.source
    changed = "games/css/site.css"
    monkeypatch.setattr(app, "source", lambda name: real(name) + b"x" * (name == changed))
    assert app.version() != before


def test_the_first_page_is_nobodys(ada, client, db):
    stranger = Client().get("/app").content
    client.force_login(ada)
    page = client.get("/app")
    assert page.content == stranger
    assert not page.cookies
    assert b"csrf" not in page.content


@pytest.mark.parametrize(
    ("shared", "leads_to"),
    [
        ({"text": f"Try my deck {CODE}!"}, f"/decks/new?code={CODE}"),
        ({"title": CODE.lower()}, f"/decks/new?code={CODE.lower()}"),
        ({"url": f"http://testserver/decks/new?code={CODE}"}, f"/decks/new?code={CODE}"),
        ({"url": f"http://testserver{MATCH}?ply=4"}, MATCH),
        ({"text": f"Look: http://testserver{MATCH}/record"}, MATCH),
        ({"url": f"http://testserver/api/v1{MATCH}/record"}, MATCH),
        ({"url": f"https://evil.example{MATCH}"}, "/"),
        ({"text": f"{MATCH.rpartition('/')[2]}.cardroom.json"}, "/"),  # played elsewhere
        ({"text": "01a20a99-2212-76e3-9dd9-a7eeb573a258.cardroom.json"}, "/"),  # no deck's code
        ({"url": f"http://testserver@evil.example{MATCH}"}, "/"),
        ({"url": "javascript:alert(1)"}, "/"),
        ({"text": "AAAA-AAAA"}, "/"),
        ({"text": "x" * 100_000}, "/"),
        ({}, "/"),
    ],
)
def test_what_is_shared(client, db, shared, leads_to):
    answer = client.get(f"/app/share?{urlencode(shared)}")
    assert answer["Location"] == leads_to


@pytest.mark.parametrize("shared", ["{id}.cardroom.json", 'x {{"match": "{id}", "game": "pisti"}}'])
def test_a_record_opens_its_match_for_who_may_see_it(ada, ben, client, shared):
    here = opened(ada, "me, bot greedy", visibility="private")
    text = urlencode({"text": shared.format(id=here.id)})
    client.force_login(ben)
    assert client.get(f"/app/share?{text}")["Location"] == "/"
    client.force_login(ada)
    assert client.get(f"/app/share?{text}")["Location"] == f"/matches/{here.id}"


def test_only_ones_own_table_may_be_kept(ada, ben, at_home):
    def page(match):
        return at_home.open(f"/matches/{match.id}").page

    assert " data-keeps" in page(opened(ada, "me, bot greedy"))
    assert " data-keeps" not in page(opened(ada, "me, local Twin"))
    assert " data-keeps" not in page(opened(ben, "me, bot greedy", visibility="public"))


def test_pages_name_their_account_to_the_worker_alone(ada, at_home, stranger):
    assert f'data-account="{ada.pk}"' in at_home.open("/").page
    assert 'data-account=""' in stranger.open("/").page
