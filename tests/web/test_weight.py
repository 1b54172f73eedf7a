"""What a visitor loads: pages and their files are compressed, and light with type and cards."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.art.type import PARTS
from tests.matches.scenes import opened, played, resigned

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
    """What comes after a press: the panel with its motions, and nothing else."""
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
    client.force_login(ada, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.post("/accounts/keys/", {"name": "laptop", "scope": "play"}, headers=GZIP)
    assert answer.status_code in (201, 422)
    assert "Content-Encoding" not in answer
