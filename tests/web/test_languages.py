"""Four languages: by browser, by the switch in the page, by account; letters on cards."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import trans_real

from accounts.models import User
from cardroom.rules import catalog
from cardroom.rules.pazaak.side_cards import READY_MADE
from games.templatetags import cards, faces
from games.templatetags.text import moment
from tests.competitions.held import begun, held
from tests.conftest import BACKEND, client_of
from tests.matches.scenes import opened, played, short
from tests.messages.catalogs import read
from tests.messages.untranslated import NOT_READ, READ, WORD
from tests.web.browsing import ATTRIBUTE, TAG

TURKISH = {"HTTP_ACCEPT_LANGUAGE": "tr-TR,tr;q=0.9,en;q=0.5"}


def switch(browser, **choice):
    return browser.post(reverse("set_language"), choice)


def test_the_browser_asks_for_a_language(db):
    answer = Client(**TURKISH).get("/")
    assert '<html lang="tr">' in answer.content.decode()
    assert "Accept-Language" in answer["Vary"]


def test_a_page_leaves_no_language_behind(db):
    Client(**TURKISH).get("/")
    assert '<html lang="en">' in Client().get("/").content.decode()


def test_the_switch_is_remembered_and_leads_back(db):
    browser = Client(**TURKISH)
    assert switch(browser, language="cs", next="/lobby")["Location"] == "/lobby"
    assert '<html lang="cs">' in browser.get("/").content.decode()


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example", ""])
def test_the_switch_leads_nowhere_else(db, to):
    assert switch(Client(), language="ru", next=to)["Location"] == "/"


def test_the_account_keeps_the_choice_for_the_next_browser(ada):
    first = client_of(ada)
    switch(first, language="ru", letters="local")
    ada.refresh_from_db()
    assert (ada.language, ada.local_letters) == ("ru", True)
    ada.set_password("rather long and odd")
    ada.save()
    second = Client()
    second.post(
        reverse("account_login"), {"login": ada.username, "password": "rather long and odd"}
    )
    assert '<html lang="ru">' in second.get("/").content.decode()
    assert second.cookies["card_letters"].value == "local"


def test_an_unknown_language_changes_nothing(ada):
    browser = client_of(ada)
    switch(browser, language="xx")
    ada.refresh_from_db()
    assert ada.language == "en"


def test_the_admin_is_english(db):
    answer = Client(**TURKISH).get("/admin/", follow=True)
    assert '<html lang="en' in answer.content.decode() or answer.redirect_chain


def test_the_api_follows_the_header_and_keeps_its_codes(db):
    plain, turkish = Client().get("/api/v1/nowhere"), Client(**TURKISH).get("/api/v1/nowhere")
    assert turkish.json()["detail"] == "Burada /api/v1/nowhere yok."
    assert turkish["Content-Language"] == "tr"
    same = ("type", "code", "status", "title")
    assert [turkish.json()[name] for name in same] == [plain.json()[name] for name in same]
    assert plain.json()["detail"] == "There is no /api/v1/nowhere here."


JACK, RUSSIAN_JACK = '#r-J"', '#r-Be"'  # in the sprite


def test_court_cards_carry_the_letters_of_the_reader_unless_international_ones_are_chosen(db):
    browser = Client(HTTP_ACCEPT_LANGUAGE="ru")
    assert RUSSIAN_JACK in browser.get("/").content.decode()
    switch(browser, letters="international")
    assert RUSSIAN_JACK not in (page := browser.get("/").content.decode())
    assert JACK in page
    switch(browser, letters="local")
    assert RUSSIAN_JACK in browser.get("/").content.decode()
    assert RUSSIAN_JACK not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("language", "letters", "own"),
    [("tr", "", "VKPA"), ("tr", "international", "JQKA"), ("ru", "", "ВДКТ")],
)
def test_the_text_names_a_card_as_the_card_does(ada, language, letters, own):
    """In what happened, in the best moments and on the page of the seal."""
    match = played(short(ada, "pisti", "me, bot random"))
    browser = client_of(ada)
    switch(browser, language=language, **({"letters": letters} if letters else {}))
    others = set("JQKAVPВДКТ") - set(own)
    pages = [
        f"/matches/{match.id}?ply={match.version}",
        f"/matches/{match.id}",
        f"/matches/{match.id}/deals",
    ]
    named = {name for page in pages for name in named_on(browser.get(page).content.decode())}
    assert named & set(own)
    assert not named & others


def named_on(page):
    """The letters of court cards in what a person reads."""
    return re.findall(r"([JQKAVPВДКТ])[♣♦♥♠]", re.sub(r"<[^>]*>", " ", page))


def test_the_best_moments_are_kept_by_letters_too(ada):
    match = played(short(ada, "pisti", "me, bot random"))
    first, second = client_of(ada), client_of(ada)
    switch(first, language="tr", letters="local")
    switch(second, language="tr", letters="international")
    local, international = (
        named_on(browser.get(f"/matches/{match.id}").content.decode())
        for browser in (first, second)
    )
    assert not set(local) & set("JQ")
    assert not set(international) & set("VP")


def test_a_new_account_reads_the_letters_of_its_language(db):
    assert User(username="new").local_letters


def test_the_api_names_cards_by_the_letters_of_their_codes(ada):
    match = short(ada, "pisti", "me, bot random")
    answer = client_of(ada)
    switch(answer, language="tr", letters="local")
    told = answer.get(f"/api/v1/matches/{match.id}", HTTP_ACCEPT_LANGUAGE="tr").content.decode()
    assert not re.search(r"[VP][♣♦♥♠]", told)


def test_a_replay_and_a_result_are_in_the_readers_language(ada):
    match = played(short(ada, "pisti", "me, bot random"))
    browser = client_of(ada)
    switch(browser, language="tr")
    table = browser.get(f"/matches/{match.id}").content.decode()
    assert not re.search(r"You (won|lost)", table)
    past = browser.get(f"/matches/{match.id}?ply=3").content.decode()
    assert "oynuyor" in past
    assert " plays " not in past


def test_a_turkish_hint_says_what_a_card_does(db):
    """In the present tense: "yeri alır" and not "yeri alırdı", it would have taken the pile."""
    hints = [
        message
        for message in read("tr")
        if "would" in str(message.id) and "{card}" in str(message.id)
    ]
    assert len(hints) == 4
    for hint in hints:
        text = hint.string if isinstance(hint.string, str) else hint.string[0]
        assert not re.search(r"[ae]?[rl]d[ıiuü]\b", text), text


@pytest.mark.parametrize("language", ["tr", "ru", "cs"])
def test_playing_again_and_looking_again_are_two_things(language):
    """No word of one button stands on the other, whatever its ending."""
    again, replay = (str(read(language).get(word).string) for word in ("Again", "Replay"))
    assert not {word[:5].casefold() for word in again.split()} & {
        word[:5].casefold() for word in replay.split()
    }
    assert len(again.split()) > 1  # a verb beside "again": in Turkish both can mean "repeat"
    assert len(replay.split()) > 1


# Every sentence of a page is in the catalogue: pages in a language that marks each message.
#
# A sentence of a template or a rule that bypasses the catalogue is unmarked and is found. Names
# of people, of the service and of languages are no sentences.

MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
NAMES = re.compile(
    r"\([0-9a-f]{7,}\)|\b(?:account|decks|play|read):|\b(?:Cardroom|Česky|KotOR(?: II)?|UTC|"
    r"Ada|Ben|Twin|ada|ben|Evening cup|ms|Home|End|KiB|MB)\b|"
    + "|".join(re.escape(name) for _, name in settings.LANGUAGES)
    + "|"
    + "|".join(re.escape(str(deck.name)) for deck in READY_MADE)
)
PAGES = (
    *("/", "/lobby", "/new", "/tournaments", "/tournaments/new", "/decks", "/accounts/", "/people"),
    *("/exercises", "/daily", "/bots", "/simulations", "/leaderboards", "/leagues", "/history"),
    *(f"/games/{game.slug}/rules" for game in catalog.GAMES),
    *(f"/new?game={game.slug}" for game in catalog.GAMES),
)


@pytest.fixture
def marking(monkeypatch):
    """Czech as it would be if each message were its English text in brackets."""
    known = trans_real.translation("cs")

    def one(message):
        text = message.rpartition("\4")[2]  # without its context
        return f"⟦{text}⟧" if text and message in known._catalog else message

    def count(singular, plural, number):
        text = singular if number == 1 else plural
        return f"⟦{text}⟧" if known._catalog.get((singular, 0)) else text

    monkeypatch.setattr(known, "gettext", one)
    monkeypatch.setattr(known, "ngettext", count)
    _forget_drawn()
    yield
    _forget_drawn()


def _forget_drawn():
    """Cards, faces and parts of pages that were made in the other words of this language."""
    faces.Shared.kept.clear()
    for module in (cards, faces):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def unmarked(page):
    """The text of a page that is in no brackets."""
    before = ""
    while before != page:
        before, page = page, MARKED.sub("", page)
    end, inside = 0, []
    for found in TAG.finditer(page):
        if not inside:
            yield page[end : found.start()]
        end = found.end()
        name = (found["tag"] or "").lower()
        if name in NOT_READ | {"svg", "datalist"} and not found[0].endswith("/>"):
            inside = inside[:-1] if found["ends"] else [*inside, name]
        for attribute, double, single, _ in ATTRIBUTE.findall(found["rest"] or ""):
            if attribute in READ:
                yield double or single


def sentences(page):
    read = (unescape(text).strip() for text in unmarked(page[page.index("<body") :]))
    return sorted({text for text in read if WORD.search(NAMES.sub("", text))})


@pytest.fixture
def reader(ada):
    browser = Client(HTTP_ACCEPT_LANGUAGE="cs")
    browser.force_login(ada, BACKEND)
    browser.post(reverse("set_language"), {"language": "cs"})
    return browser


@pytest.mark.parametrize("address", PAGES)
def test_a_page_says_nothing_that_is_not_in_the_catalogue(reader, marking, address):
    answer = reader.get(address, follow=True)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "⟦" in page
    assert sentences(page) == []


@pytest.mark.parametrize("slug", [game.slug for game in catalog.GAMES])
def test_nor_does_a_table_while_it_is_played_or_when_it_is_over(reader, marking, ada, slug):
    bot = catalog.find(slug).bots[0].slug
    for match in (opened(ada, f"me, bot {bot}", slug), played(short(ada, slug, "me, bot random"))):
        for address in (f"/matches/{match.id}", f"/matches/{match.id}?ply=1"):
            assert sentences(reader.get(address, follow=True).content.decode()) == []


def test_nor_does_a_tournament(reader, marking, ada):
    tournament = begun(held(ada, fill_to=4), ada)
    assert sentences(reader.get(f"/tournaments/{tournament.id}").content.decode()) == []


def test_a_sentence_outside_of_the_catalogue_is_found(marking):
    page = '<body><p title="Go on">⟦Well ⟦known⟧⟧</p><p>Left <b>out</b></p>'
    assert sentences(page) == ["Go on", "Left", "out"]


# Moments on a page: an instant for programs, a time and its zone for people.

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


def test_the_zone_stands_beside_the_time():
    assert moment(NOON) == (
        '<time datetime="2026-07-01T12:00:00+00:00" data-local>July 1, 2026, noon (UTC)</time>'
    )


def test_it_is_the_readers_zone():
    with timezone.override("Europe/Istanbul"):
        written = moment(NOON)
    assert 'datetime="2026-07-01T15:00:00+03:00"' in written
    assert "3 p.m. (Europe/Istanbul)" in written
