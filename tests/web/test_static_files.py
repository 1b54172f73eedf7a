"""Every file that a template names is there: the service answers 500 for a page with another."""

import re

from django.contrib.staticfiles import finders

from cardroom.rules.catalog import GAMES
from games.web.tables import page_of
from tests.served import ROOT

NAMED = re.compile(r"""{% static ['"]([^'"]+)['"] %}""")
FOLDERS = ("accounts", "decks", "games")


def test_files_named_in_templates_are_there():
    pages = [page for folder in FOLDERS for page in (ROOT / folder).glob("**/*.html")]
    named = {(name, page.name) for page in pages for name in NAMED.findall(page.read_text())}
    assert len(named) > 10
    assert {(name, page) for name, page in named if finders.find(name) is None} == set()


def test_stylesheets_of_the_games_are_there():
    styles = {style for game in GAMES for style in page_of(game.slug).styles}
    assert "decks/css/pazaak_cards.css" in styles
    assert {style for style in styles if finders.find(style) is None} == set()


def test_an_address_in_a_custom_property_is_read_from_the_sheet_that_declares_it():
    """Unregistered, the browser reads it from the sheet that uses it, in another folder.

    Registered by the sheet itself, for another one may come later.
    """
    own = [page.read_text() for page in ROOT.glob("games/static/games/tables/*/*.css")]
    declared = [set(re.findall(r"(--[\w-]+): *url\(", sheet)) for sheet in own]
    assert declared.count({"--felt-print"}) > 1
    for names, sheet in zip(declared, own, strict=True):
        assert names <= set(re.findall(r'@property (--[\w-]+) \{ syntax: "<url>', sheet))
