"""Every sentence of a page is in the catalogue: pages in a language that marks each message.

What a template or a rule says without the catalogue stands there unmarked and is found. Names of
people, of the service and of languages are no sentences.
"""

import re
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import trans_real

from cardroom.rules import catalog
from cardroom.rules.pazaak.side_cards import READY_MADE
from games.templatetags import cards, faces
from tests.competitions.held import begun, held
from tests.matches.scenes import opened, played, short
from tests.messages.untranslated import NOT_READ, READ, WORD
from tests.web.browsing import ATTRIBUTE, TAG

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
    """Cards and faces that were drawn in the other words of this language."""
    for module in (cards, faces):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def unmarked(page):
    """What is read of a page and is in no brackets."""
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
    browser.force_login(ada, backend="allauth.account.auth_backends.AuthenticationBackend")
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
