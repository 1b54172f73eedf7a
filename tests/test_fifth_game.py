"""A game added by the README's recipe plays everywhere: API, pages, saves, records, arena.

The contract tests run over it as over every other (`tests/rules/playing.py`).
"""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from cardroom.arena.request import Part, describe, run_part
from cardroom.rules import catalog
from games.matches import bot_turns, verification
from games.matches.selectors.access import get_match
from tests.fifth_game import GAME as HIGH_CARD
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_line_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, HIGH_CARD))


def let_the_bots_move(match: str) -> None:
    match = get_match(match)
    bot_turns.play_bot_turns(match_id=match.id, version=match.version)


def test_over_the_api(ada: User, keyed: Callable[[User], APIClient]) -> None:
    program = keyed(ada)
    offered = {game["slug"]: game for game in program.get("/api/v1/games").json()}["high-card"]
    assert offered["options"]["properties"]["players"]["maximum"] == 5
    wish = {"game": "high-card", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
    match = program.post("/api/v1/matches", wish, format="json").json()
    here = match["links"]["self"]
    while match["status"] == "active":
        if match["legal_moves"]:
            move = {"move": match["legal_moves"][0]["move"], "version": match["version"]}
            assert program.post(f"{here}/moves", move, format="json").status_code == 201
        let_the_bots_move(match["id"])
        match = program.get(here).json()
    assert match["outcome"]["reason"] == "tricks"
    record = program.get(f"{here}/record").json()
    assert program.post("/api/v1/records/verify", record, format="json").json() == {"valid": True}
    assert not list(verification.faults(get_match(match["id"])))
    loaded = program.post(f"{here}/load", {"version": 2, "cards": "reshuffled"}, format="json")
    assert loaded.json()["version"] == 2


def test_its_pages_need_no_template(client: Client) -> None:
    assert "High Card" in client.get("/").content.decode()
    assert client.get("/new?game=high-card&players=3").status_code == 200
    assert client.get("/games/high-card/rules").status_code == 200
    match = client.post("/play/high-card")["Location"]
    page = client.get(match).content.decode()
    assert page.count('name="move"') >= 3
    state = get_match(match.rsplit("/", 1)[1]).state
    shown = set(re.findall(r'data-card="(\w+)"', page))
    assert shown == {HIGH_CARD.card_text(card) for card in state.hands[0]}
    version = 'name="version" value="0"'
    assert version in page
    move = {"move": HIGH_CARD.legal_moves(state, 0)[0], "version": "0", "seat": "0"}
    assert client.post(f"{match}/move", move, follow=True).status_code == 200
    assert "lays" in client.get(match).content.decode()


def test_its_events_are_told_in_words_by_their_types() -> None:
    dealt = Dealt((("7H", "TD", "AS"), ("8H", "9H", "JH"))).seen_by(0)
    told = [dealt, CardLaid(1, "8H"), TrickTaken(0)]
    assert [str(HIGH_CARD.sentence(event, ["Ada", "Ben"])) for event in told] == [
        "Dealt: 7♥, 10♦, A♠.",
        "Card laid: Ben, 8♥.",
        "Trick taken: Ada.",
    ]


def test_in_the_arena() -> None:
    asked = describe("high-card", games=20, seed=1)
    assert run_part(asked, Part(0, 20)).matches == 20
