"""No game is named outside its place: everything else runs over the catalogue.

One from outside has no place here, and its name may be a word: *Hearts*.
"""

from pathlib import Path

import pytest

from cardroom.rules import catalog

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("accounts", "cardroom", "config", "games")
PLACES = (
    "cardroom/rules/{folder}/",
    "cardroom/fast/{folder}",
    "cardroom/research/{folder}/",
    "games/web/tables/{folder}",
    "games/templates/games/tables/{slug}/",
    "games/static/games/tables/{slug}/",
    "games/exercises/data/{slug}.json",
    "games/static/clients/",  # programs for elsewhere, with examples
    "games/api/examples.json",
)
ELSEWHERE = (
    "cardroom/rules/catalog.py",
    "games/api/examples.json",  # recorded answers
    "cardroom/arena/doctor.py",  # of side decks, which one game has
    "games/ratings/computers.json",  # measured by `make leaderboard`
    # The felt of the house is that of its first game, which may stand beside another one's.
    "games/static/games/css/tokens.css",
)
DECK_CARDS = "pazaak_cards"  # the deck workshop's cards are drawn on several pages
CODE = {".css", ".html", ".js", ".json", ".py", ".svg", ".xml"}  # documents have examples


def code_elsewhere(slug):
    """The files in which the game has no business, by their path in the repository."""
    places = tuple(place.format(slug=slug, folder=slug.replace("-", "_")) for place in PLACES)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in CODE and name not in ELSEWHERE and not name.startswith(places):
                yield name, path.read_text()


@pytest.mark.parametrize("game", catalog.OF_THE_HOUSE, ids=lambda game: game.slug)
def test_a_game_is_named_in_its_place_alone(game):
    named = [
        f"{name}:{number}: {line.strip()}"
        for name, text in code_elsewhere(game.slug)
        for number, line in enumerate(text.splitlines(), start=1)
        if game.slug in line.lower() or game.name.lower() in line.lower()
        if DECK_CARDS not in line
    ]
    assert named == []
