"""Every file that a template names is there: the service answers 500 for a page with another."""

import gzip
import re

from django.apps import apps
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from cardroom.rules.catalog import GAMES
from config.pages.static_files import QuicklyCompressed
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


def test_files_of_pages_that_nobody_is_shown_are_not_collected():
    """A third of the first start went into them."""
    ignored = apps.get_app_config("staticfiles").ignore_patterns
    found = {
        name.partition("/")[0] for one in finders.get_finders() for name, _ in one.list(ignored)
    }
    assert {"admin", "games", "unfold"} <= found
    assert not {"django_htmx", "rest_framework"} & found


def test_scripts_name_each_other_by_content_and_only_what_pages_name_is_compressed(tmp_path):
    collected = FileSystemStorage(tmp_path)  # as the command has copied them
    files = {
        "games/js/a.js": 'import { b } from "./b.js";\n' + "// why\n" * 200,
        "games/js/b.js": "export const b = 1;\n",
        "admin/js/c.js": "let c;\n" * 200 + "//# sourceMappingURL=c.js.map\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    storage = QuicklyCompressed(location=tmp_path, base_url="/static/")
    faults = [
        error
        for _, _, error in storage.post_process({name: (collected, name) for name in files})
        if isinstance(error, Exception)
    ]
    assert faults == []
    named = {name: tmp_path / storage.hashed_files[name] for name in files}
    assert f'from "./{named["games/js/b.js"].name}"' in named["games/js/a.js"].read_text()
    assert "sourceMappingURL=c.js.map" in named["admin/js/c.js"].read_text()
    compressed = {file.with_suffix("") for file in tmp_path.rglob("*.gz")}
    assert compressed == {named["games/js/a.js"], named["admin/js/c.js"]}
    packed = named["games/js/a.js"].with_suffix(".js.gz").read_bytes()
    assert gzip.decompress(packed) == named["games/js/a.js"].read_bytes()
