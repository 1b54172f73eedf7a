"""The picture of a finished match: who gets it, what it says, and whose secret it keeps."""

import json
import struct
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from cardroom.rules.pazaak.side_cards import STARTER
from cardroom.rules.pisti.events import CardPlayed
from decks.selectors import encode_deck
from games.matches.loading import load
from games.matches.models import Match, Seat
from games.matches.selectors.log import events_for, log_entries
from games.web import app
from games.web.picture import picture_of
from games.web.picture_parts import drawable, fitted, in_rows, type_of, width
from tests.art.outlines import outlines
from tests.matches.scenes import now, opened, played, resigned, short
from tests.messages.catalogs import LANGUAGES
from tests.web.browsing import signed_in

SVG = "{http://www.w3.org/2000/svg}"
CARD = 'width="100" height="140" rx="8"'


def svg_of(client: Client, match, **asked) -> str:
    answer = client.get(f"/matches/{match.id}/share.svg", asked)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def words_of(svg: str) -> str:
    """The words of a picture for a screen reader."""
    tree = ET.fromstring(svg)
    return f"{tree.findtext(f'{SVG}title')} {tree.findtext(f'{SVG}desc')}"


@pytest.fixture
def over(ada):
    return played(short(ada, "pisti", "me, bot greedy", visibility="public"))


class TestWhoGetsIt:
    @pytest.mark.parametrize("kind", ["svg", "png"])
    def test_everybody_who_may_see_the_match(self, over, client, kind):
        assert client.get(f"/matches/{over.id}/share.{kind}").status_code == 200

    @pytest.mark.parametrize("kind", ["svg", "png"])
    def test_a_private_match_is_not_there_for_others(self, ada, ben, kind):
        match = played(short(ada, "pisti", visibility="private"))
        address = f"/matches/{match.id}/share.{kind}"
        assert signed_in(ben).open(address).status == 404
        assert Client().get(address).status_code == 404
        assert signed_in(ada).client.get(address).status_code == 200

    def test_a_match_that_runs_or_was_called_off_has_none(self, ada, client):
        match = opened(ada)
        assert client.get(f"/matches/{match.id}/share.svg").status_code == 404
        Match.objects.filter(id=match.id).update(
            status="aborted", outcome=b"{}", to_act=[], bot_due_at=None
        )
        assert client.get(f"/matches/{match.id}/share.svg").status_code == 404

    def test_so_many_a_minute(self, over, client, rates):
        rates(pictures="2/min")
        got = [client.get(f"/matches/{over.id}/share.svg").status_code for _ in range(3)]
        assert got == [200, 200, 429]

    def test_what_the_reader_has_already_is_not_sent_again(self, over, client):
        first = client.get(f"/matches/{over.id}/share.png")
        assert first["Cache-Control"] == "private, no-cache"
        again = client.get(
            f"/matches/{over.id}/share.png", headers={"If-None-Match": first["ETag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(f"/matches/{over.id}/share.svg")["ETag"] != first["ETag"]

    def test_another_name_is_another_picture(self, over, client):
        before = client.get(f"/matches/{over.id}/share.svg")["ETag"]
        Seat.objects.filter(match_id=over.id, index=0).update(name="Somebody")
        after = client.get(f"/matches/{over.id}/share.svg")
        assert after["ETag"] != before
        assert "Somebody" in words_of(after.content.decode())

    def test_it_asks_the_database_for_the_match_and_its_plies(
        self, over, client, django_assert_num_queries
    ):
        """And once for people who hide, once for what was rolled back."""
        with django_assert_num_queries(4):
            svg_of(client, over)
        with django_assert_num_queries(2):
            svg_of(client, over)


class TestWhatItSays:
    def test_who_won_the_score_and_the_best_moment(self, over, client):
        words = words_of(svg_of(client, over))
        assert "Pişti: " in words
        for seat in over.seats:
            assert f"{seat.name} {seat.points}" in words
        assert "capture" in words or "pişti" in words

    @pytest.mark.parametrize("game", ["pisti", "pazaak", "shithead", "pyanitsa"])
    def test_every_game_with_its_felt_and_cards(self, ada, client, game):
        svg = svg_of(client, played(short(ada, game)))
        assert CARD in svg
        assert svg.count("<linearGradient") == 1

    def test_in_the_language_that_is_asked_for_or_the_readers(self, over, client):
        assert "kazandı" in words_of(svg_of(client, over, lang="tr"))
        assert "Победа" in words_of(svg_of(client, over, lang="ru"))
        czech = client.get(f"/matches/{over.id}/share.svg", headers={"Accept-Language": "cs"})
        assert "Výhra" in words_of(czech.content.decode())
        assert " won" in words_of(svg_of(client, over, lang="klingon"))

    def test_a_guest_at_a_device_is_somebodys_guest(self, ada, client):
        match = played(short(ada, "shithead", "me, local Ben"))
        assert "Ben (guest of Ada)" in unescape(words_of(svg_of(client, match)))

    def test_a_name_is_text_and_no_markup(self, over, client):
        Seat.objects.filter(match_id=over.id).update(name="<script>&\"'")
        svg = svg_of(client, over)
        assert "<script" not in svg
        ET.fromstring(svg)

    def test_a_name_without_a_letter_of_ours_is_called_by_its_place(self, over, client):
        Seat.objects.filter(match_id=over.id).update(name="王者")
        assert "Player" in words_of(svg_of(client, over))

    def test_it_needs_nothing_else(self, over, client):
        """No file, no style and no script: it looks the same wherever it is shown."""
        svg = svg_of(client, over)
        tree = ET.fromstring(svg)
        names = {each.tag.removeprefix(SVG) for each in tree.iter()}
        assert not names & {"style", "script", "image", "text", "foreignObject"}
        used = {each.get("href") for each in tree.iter(f"{SVG}use")}
        defined = {each.get("id") for each in tree.iter()}
        assert {name.removeprefix("#") for name in used} <= defined
        assert all(name.startswith("#") for name in used)
        assert "var(" not in svg

    def test_the_png_has_the_size_that_previews_expect(self, over, client):
        answer = client.get(f"/matches/{over.id}/share.png")
        assert answer["Content-Type"] == "image/png"
        assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert len(answer.content) < 200_000


class TestWhoseSecret:
    def test_cards_that_somebody_still_plays_with_are_not_shown(self, ada, client):
        """FORMAT.md §2: the match loaded from it goes on with the same cards."""
        match = played(opened(ada, "me, bot greedy", visibility="public"), 9)
        child = load(match_id=match.id, user=ada, cards="same", round=1)
        over = resigned(now(match), 0)
        svg = svg_of(client, over)
        assert CARD not in svg
        assert words_of(svg).endswith("Ada resigned. Greedy 0, Ada 0.")
        resigned(child, 0)
        assert CARD in svg_of(client, over)

    def test_nobody_elses_hand_is_in_it(self, ada, client):
        """The last cards are those that were played; what was held stays out."""
        over = resigned(played(opened(ada, "me, bot greedy"), 3), 0)
        events = [event for entry in log_entries(over) for event in events_for(over, entry, None)]
        laid = {event.card for event in events if isinstance(event, CardPlayed)}
        shown = picture_of(over, with_cards=True).cards
        assert 0 < len(shown) <= len(laid) == 3
        assert set(shown) <= laid
        assert svg_of(client, over).count(CARD) == 2 * len(shown)  # each with its shadow


class TestPreview:
    def test_a_link_to_a_public_match_shows_its_picture(self, over, client):
        page = client.get(f"/matches/{over.id}").content.decode()
        assert f"http://testserver{reverse('share_png', args=[over.id])}?lang=en" in page
        title = page.split('property="og:title" content="')[1].split('"')[0]
        assert title.endswith("won · Pişti")
        words = page.split('property="og:description" content="')[1].split('"')[0]
        assert f"{over.outcome.points[0]} : {over.outcome.points[1]}" in words

    def test_no_other_link_tells_of_its_match(self, ada, client):
        hidden = played(short(ada, "pisti"))
        running = opened(ada, visibility="public")
        for match in (hidden, running):
            page = client.get(f"/matches/{match.id}").content.decode()
            assert "share.png?lang" not in page.split("</head>")[0]
            assert "Sit down" in page or "sit down" in page


class TestLettering:
    def test_the_outlines_are_those_of_the_typefaces(self):
        """`python -m tests.art.outlines` writes them again."""
        for path, text in outlines().items():
            assert path.read_text() == text, path.name

    @pytest.mark.parametrize("face", ["display", "text", "bold"])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_letter_of_a_language_can_be_drawn(self, face, language):
        catalogue = Path(f"config/locale/{language}/LC_MESSAGES/django.po").read_text()
        said = "".join(x.split('"')[1] for x in catalogue.splitlines() if x.startswith("msgstr"))
        missing = {each for each in said if each.isalpha() and each not in type_of(face).letters}
        assert missing == set()

    def test_words_are_cut_to_their_room(self):
        short_words = fitted("a rather long sentence", 20, 120)
        assert width(short_words, 20) <= 120
        assert short_words.endswith("…")
        assert fitted("no", 20, 120) == "no"

    def test_parts_stay_whole(self):
        assert in_rows(["one two", "three four"], " · ", 20, 120, 2) == ["one two", "three four"]

    def test_letters_of_other_scripts_are_left_out(self):
        assert drawable("Ada 王") == "Ada"


# The app on a phone, seen from the server: manifest, worker, first page, what is shared to it.

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
