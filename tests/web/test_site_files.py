"""Files that are requested of every site, previews of shared links, addresses of forms."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage
from django.template import Context, Template
from django.urls import URLPattern, URLResolver, get_resolver

from cardroom.rules import catalog
from cardroom.rules.cards import TEXT
from cardroom.rules.catalog import GAMES
from config.pages.middleware import FOR_PROGRAMS, page_above
from config.pages.static_files import QuicklyCompressed
from games.language import LETTERS, local_letters
from games.phrases.speaking import SIGNS
from games.templatetags.cards import card
from games.templatetags.faces import COMPUTERS, DRAWN, drawn, features
from games.web.tables import page_of
from tests.art import avatars, cards, signs
from tests.art.__main__ import drawings
from tests.art.type import PARTS
from tests.conftest import BACKEND, client_of
from tests.matches.scenes import opened, played, resigned
from tests.served import ROOT as SERVED_ROOT
from tests.web.browsing import Browser

CONVERTER = re.compile(r"<(\w+):\w+>")
EXAMPLES = {
    "uuid": "0193f2b0-0000-7000-8000-000000000000",
    "slug": "pisti",
    "str": "x",
    "int": "1",
    "path": "x",
}


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


def addresses(patterns, prefix="/"):
    """An address for each pattern of the site's own pages."""
    for pattern in patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and not re.search(r"[\\^$(]", path):
            yield CONVERTER.sub(lambda found: EXAMPLES[found[1]], path)


OURS = [
    address
    for address in addresses(get_resolver().url_patterns)
    if not address.startswith(("/api/", "/admin/", "/stream"))
]


@pytest.mark.django_db
def test_no_page_of_the_site_refuses_to_be_opened(ada):
    """Every address that only takes forms leads to the page above it."""
    browser = client_of(ada)
    forms = 0
    for address in OURS:
        answer = browser.get(address)
        assert answer.status_code != 405 or address.startswith(FOR_PROGRAMS), address
        forms += answer.status_code == 302 and page_above(address) == answer["Location"]
    assert forms > 15


def test_a_form_of_a_table_leads_to_the_table(ada, at_home):
    match = opened(ada, "me, bot greedy")
    for name in ("move", "join", "load", "resign"):
        at_home.open(f"/matches/{match.id}/{name}")
        assert at_home.address == f"/matches/{match.id}"
        assert at_home.status == 200
    assert at_home.client.post(f"/matches/{match.id}/move").status_code != 302


def test_the_api_still_refuses_a_wrong_method(client, db):
    assert client.get("/api/v1/accounts/guest").status_code == 405


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("/favicon.ico", "image/x-icon"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ],
)
def test_files_that_every_site_has(client, db, address, kind):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == kind
    assert answer.getvalue()


def test_who_previews_a_link_may_read_the_page_of_a_match(client, db):
    everybody, previews = client.get("/robots.txt").content.decode().split("\n\n")
    assert "Disallow: /matches/" in everybody
    assert "User-agent: Twitterbot" in previews
    assert "Disallow: /matches/" not in previews
    assert "Disallow: /history" in previews


def test_a_shared_link_has_words_and_a_picture(db):
    page = Browser().open("/").page
    picture = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)[1]
    assert picture.endswith(".png")
    assert len(re.search(r'name="description" content="([^"]+)"', page)[1]) > 50


# Every file that a template names is there: the service answers 500 for a page with another.

NAMED = re.compile(r"""{% static ['"]([^'"]+)['"] %}""")
FOLDERS = ("accounts", "decks", "games")


def test_files_named_in_templates_are_there():
    pages = [page for folder in FOLDERS for page in (SERVED_ROOT / folder).glob("**/*.html")]
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
    own = [page.read_text() for page in SERVED_ROOT.glob("games/static/games/tables/*/*.css")]
    declared = [set(re.findall(r"(--[\w-]+): *url\(", sheet)) for sheet in own]
    assert declared.count({"--felt-print"}) > 1
    for names, sheet in zip(declared, own, strict=True):
        assert names <= set(re.findall(r'@property (--[\w-]+) \{ syntax: "<url>', sheet))


# Scripts ask a browser to remember through one module, which does without where it refuses.

ROOT = Path(finders.find("games/js/storage.js")).parents[4]
REFUSED = re.compile(r'(?<!")\b(?:localStorage|sessionStorage|indexedDB)\b|window\[|\.cookie')
SCRIPTS_OURS = [
    path
    for folder in ("games", "accounts", "decks")
    for path in (ROOT / folder).rglob("*.js")
    if "vendor" not in path.parts
]


def test_only_one_script_touches_what_a_browser_keeps():
    assert len(SCRIPTS_OURS) > 30
    assert {path.name for path in SCRIPTS_OURS if REFUSED.search(path.read_text())} == {
        "storage.js"
    }
    text = Path(finders.find("games/js/storage.js")).read_text()
    assert text.count("window[where]") == text.count("try {") == text.count("} catch {") == 2


# The load of a visitor: pages and their files are compressed, and light with type and cards.

KB = 1024
GZIP = {"Accept-Encoding": "gzip"}
FILE = re.compile(r'(?:href|src)="/static/([^"#]+\.(?:css|js|svg|png|ico|woff2))(?:#[^"]*)?"')
PICTURE = re.compile(r'url\("\.\./([^"]+\.svg)"\)')
IMPORT = re.compile(r'^import (?:[^"]+ from )?"\./([^"]+)"', re.MULTILINE)
WORTH_IT = 1024
HEADERS = 400
FACE = re.compile(r'"(Room \w+)".*type/(?:text|display)-([\w-]+)\.woff2.*unicode-range: ([^;]+);')
# Loaded by phones that keep the site, by who shows a preview of a link, by who chose that back.
NOT_LOADED = re.compile(r"games/img/(?:touch-icon|icon-|preview)|games/cards/back-(?:rays|waves)")


def files_of(page: str) -> set[str]:
    """The static files that a page loads, modules that its scripts import included."""
    found = {name for name in FILE.findall(page) if not NOT_LOADED.search(name)}
    for name in [name for name in found if name.endswith("tokens.css")]:
        text = Path(finders.find(name)).read_text()
        pictures = {f"games/{picture}" for picture in PICTURE.findall(text)}
        found |= {name for name in pictures if not NOT_LOADED.search(name)}
    waiting = [name for name in found if name.endswith(".js")]
    while waiting:
        name = waiting.pop()
        text = Path(finders.find(name)).read_text()
        new = {f"{name.rpartition('/')[0]}/{each}" for each in IMPORT.findall(text)} - found
        found |= new
        waiting += new
    return found


def weight(answer) -> int:
    files = [Path(finders.find(name)).read_bytes() for name in files_of(_text(answer))]
    return len(answer.content) + sum(
        min(len(data), len(gzip.compress(data)) if len(data) > WORTH_IT else len(data))
        for data in files
    )


def _text(answer) -> str:
    return gzip.decompress(answer.content).decode()


def test_the_landing_page(client, db):
    """60 KB over the wire for a newcomer: what travels in front of a file is about 400 bytes."""
    answer = client.get("/", headers=GZIP)
    wire = weight(answer) + HEADERS * (1 + len(files_of(_text(answer))))
    print(f"landing page: {weight(answer) / KB:.1f} KB, {wire / KB:.1f} KB with headers")
    assert wire <= 60 * KB


@pytest.mark.parametrize("game", ["pisti", "pazaak", "shithead", "pyanitsa"])
def test_a_table(at_home, ada, game):
    match = played(opened(ada, "me, local Twin", game=game), 4)
    answer = at_home.client.get(f"/matches/{match.id}", headers=GZIP)
    print(f"table of {game}: {weight(answer) / KB:.1f} KB")
    assert weight(answer) <= 160 * KB


@pytest.mark.parametrize("game", ["pisti", "pazaak", "shithead", "pyanitsa"])
def test_a_move(at_home, ada, game):
    """The answer after a press: the panel with its motions, and nothing else."""
    options = {"exchange": False} if game == "shithead" else {}
    match = opened(ada, "me, local Twin", game=game, options=options)
    for plies in range(1, 6):
        match = played(match, plies)
        path = f"/matches/{match.id}/news?shown={plies - 1}-active"
        answer = at_home.client.get(path, headers=GZIP)
        print(f"move {plies} of {game}: {len(answer.content) / KB:.1f} KB")
        assert len(answer.content) <= 10 * KB


def test_the_own_matches_and_a_family(at_home, ada):
    over = [resigned(opened(ada, "me, bot greedy"), 0) for _ in range(3)]
    for address in ("/history", f"/matches/{over[0].id}/family"):
        answer = at_home.client.get(address, headers=GZIP)
        print(f"{address}: {weight(answer) / KB:.1f} KB")
        assert weight(answer) <= 120 * KB


def test_drawings_and_type_are_light():
    """Cards 40 KB at the most, the letters of four languages 60 KB."""
    games = Path(finders.find("games/cards/deck.svg")).parents[1]
    assert sum(file.stat().st_size for file in (games / "cards").glob("*.svg")) <= 40 * KB
    assert sum(file.stat().st_size for file in (games / "type").glob("*.woff2")) <= 60 * KB


def test_each_letter_stands_in_the_file_that_its_range_names():
    """And in that one alone: a text loads no file that it does not need."""
    sheet = Path(finders.find("games/css/tokens.css")).read_text()
    faces = [found.groups() for found in FACE.finditer(sheet)]
    for family, parts in (("Room Text", PARTS["text"]), ("Room Display", PARTS["display"])):
        assert [of for one, of, _ in faces if one == family] == list(parts)
        for part, (_, letters) in parts.items():
            for letter in letters:
                named = [
                    of for one, of, ranges in faces if one == family and within(letter, ranges)
                ]
                assert named == [part], (family, letter)


def within(letter: str, ranges: str) -> bool:
    spans = [span.removeprefix("U+").split("-") for span in ranges.split(", ")]
    return any(int(span[0], 16) <= ord(letter) <= int(span[-1], 16) for span in spans)


def test_the_sound_is_light():
    """It is made in the browser: samples of 60 KB were allowed."""
    scripts = Path(finders.find("games/js/voices.js")).parent
    sound = [scripts / "voices.js", scripts / "sound.js"]
    assert sum(file.stat().st_size for file in sound) <= 12 * KB
    assert not [
        file for file in scripts.parent.rglob("*") if file.suffix in (".mp3", ".ogg", ".wav")
    ]


def test_pages_are_compressed_and_differ_in_length(at_home):
    """Random bytes hide how well a page compresses (BREACH)."""
    answers = [at_home.client.get("/", headers=GZIP) for _ in range(8)]
    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert all("Accept-Encoding" in answer["Vary"] for answer in answers)
    assert len({len(answer.content) for answer in answers}) > 1
    assert "Content-Encoding" not in at_home.client.get("/")


def test_a_page_that_shows_a_new_key_is_not_compressed(client, ada):
    client.force_login(ada, BACKEND)
    answer = client.post("/accounts/keys/", {"name": "laptop", "scope": "play"}, headers=GZIP)
    assert answer.status_code in (201, 422)
    assert "Content-Encoding" not in answer


# Cards and faces are what the script draws, and there is one for everything that is named.

CODES = [*TEXT, "X1", "X2"] if "X1" not in TEXT else list(TEXT)
SYMBOL = re.compile(r'<symbol id="([^"]+)"')
USED = re.compile(r'\.svg#([^"]+)"')


def test_the_drawings_are_those_of_the_script():
    """`make art` writes them again."""
    for path, text in drawings().items():
        assert path.read_text() == text, path.name


@pytest.mark.parametrize("language", [None, *LETTERS])
def test_every_card_has_a_body_and_a_rank(settings, language):
    there = set(SYMBOL.findall(cards.fronts()))
    with local_letters(wanted=language is not None):
        for code in CODES:
            template = Template(
                "{% load cards i18n %}{% language lang %}{% card code %}{% endlanguage %}"
            )
            shown = template.render(Context({"lang": language or "en", "code": code}))
            body, rank = USED.findall(shown)
            assert {body, rank} <= there, code


def test_an_index_is_read_from_afar():
    """The rank is 28 % of the card's height at the least."""
    assert cards.INDEX / cards.HEIGHT >= 0.28


def test_no_two_cards_look_alike():
    shown = Counter(str(tuple(USED.findall(card(code)))) for code in CODES if code[0] != "X")
    assert set(shown.values()) == {1}


def test_the_front_of_a_hidden_card_is_not_in_the_page():
    assert "deck.svg" not in card(None)
    assert 'aria-label="Card face down"' in card(None)


def test_every_computer_has_a_face_of_its_own():
    bots = {bot.slug for game in catalog.GAMES for bot in game.bots}
    assert bots <= COMPUTERS
    assert set(avatars.COMPUTERS) >= COMPUTERS


def test_a_computer_that_nobody_drew_has_a_face_too():
    [part] = USED.findall(drawn("Upstart", "upstart"))
    assert part.removeprefix("bot-") in avatars.COMPUTERS


def test_a_name_has_one_face_and_names_have_many():
    assert features("Ada") == features(" ada ")
    names = [f"Guest {number}" for number in range(300)]
    assert len({features(name) for name in names}) > 250
    parts = {part for name in names for part in features(name)[1]}
    assert parts == set(avatars.PARTS)


def test_every_sign_that_people_say_is_drawn():
    """A system need not have a font for it."""
    assert {*SIGNS} == {*DRAWN} == {*SYMBOL.findall(signs.sprite())}
    shown = Template("{% load faces %}{% every_sign %}").render(Context())
    assert USED.findall(shown) == [*DRAWN]
