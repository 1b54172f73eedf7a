"""A refusal reads the same in each language whoever renders it: sentence, faults, labels of moves.

``tests/fixtures/refusals.json`` keeps what each call answers (``RECORD=1`` writes it again).
"""

import json
import secrets
from typing import Any

import pytest

from accounts.models import User
from tests.matches.scenes import opened
from tests.recorded import FIXTURES, agrees, laid_out

LANGUAGES = ("en", "tr", "ru", "cs")
ME, TWIN = {"kind": "me"}, {"kind": "local", "name": "Twin"}
KEPT = ("detail", "faults", "fields", "legal_moves", "title", "code")


def new(**terms: Any) -> dict[str, Any]:
    return {"game": "pisti", "seats": [ME, TWIN]} | terms


# Refused calls, by a name: path and body.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "no such game": ("matches", new(game="chess")),
    "no such bot": ("matches", new(seats=[ME, {"kind": "bot", "bot": "fritz"}])),
    "no such player": ("matches", new(seats=[ME, {"kind": "user", "username": "nemo"}])),
    "no such deck": ("matches", new(game="pazaak", seats=[{**ME, "deck": "0193"}, TWIN])),
    "too few seats": ("matches", new(seats=[ME])),
    "two of oneself": ("matches", new(seats=[ME, ME])),
    "options": (
        "matches",
        new(options={"teams": True, "fixed_starter_seat": 3}, turn_seconds=1, seats=[ME, TWIN]),
    ),
    "a clock without time": ("matches", new(on_timeout="bot_move")),
    "a move that is none": ("matches/{pisti}/moves", {"move": "huh", "version": 0}),
    "an illegal card": ("matches/{pisti}/moves", {"move": "{other}", "version": 0}),
    "an illegal word": ("matches/{shithead}/moves", {"move": "pickup", "version": 0}),
    "a side card": ("matches/{pazaak}/moves", {"move": "end", "version": 0}),
    "a version": ("matches/{pisti}/load", {"cards": "same", "version": 9}),
    "a round": ("matches/{pisti}/load", {"cards": "same", "round": 9}),
    "a simulated bot": ("simulations", {"game": "pisti", "bots": ["fritz"], "games": 2}),
    "an export": ("exports", {"game": "chess"}),
    "a deck": ("decks", {"name": "", "cards": ["P1", "Q9"]}),
    "a deck's name": ("decks", {"name": "x" * 80, "cards": ["P1"] * 10}),
    "lines of a deck": ("decks/import", {"text": "P1\nQ9\n"}),
    "a share code": ("decks/import", {"code": "0A4K"}),
    "a typing error": ("decks/import", {"code": "0A4K-T7Q4"}),
}


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: b"7" * size)


@pytest.fixture
def places(ada: User) -> dict[str, str]:
    matches = {game: opened(ada, game=game) for game in ("pisti", "shithead", "pazaak")}
    pisti = matches["pisti"]
    mine = pisti.state.hands[pisti.to_act[0]]
    other = next(card for card in ("TD", "KS", "2C", "JH", "9D") if card not in mine)
    return {game: str(match.id) for game, match in matches.items()} | {"other": other}


def test_every_refusal_reads_as_it_did(keyed, ada, places):
    client, read = keyed(ada), {}
    for name, (path, body) in CALLS.items():
        sent = json.loads(json.dumps(body).replace("{other}", places["other"]))
        for language in LANGUAGES:
            answer = client.post(
                f"/api/v1/{path.format(**places)}", sent, HTTP_ACCEPT_LANGUAGE=language
            )
            assert answer.status_code >= 400, (name, answer.content)
            problem = answer.json()
            problem["legal_moves"] = problem.get("legal_moves", [])[:2]
            read.setdefault(name, {})[language] = {
                fact: problem[fact] for fact in KEPT if problem.get(fact)
            }
    agrees(FIXTURES / "refusals.json", laid_out(read) + "\n")


GUEST = {"en": "Player 2", "tr": "Oyuncu 2", "ru": "Игрок 2", "cs": "Hráč 2"}
IMPORTED = {"en": "Imported deck", "cs": "Importovaný balíček"}


@pytest.mark.parametrize("language", GUEST)
def test_a_guest_without_a_name_is_numbered_in_the_hosts_language(keyed, ada, language):
    seats = [ME, {"kind": "local"}]
    answer = keyed(ada).post("/api/v1/matches", new(seats=seats), HTTP_ACCEPT_LANGUAGE=language)
    assert answer.json()["seats"][1]["name"] == GUEST[language]


@pytest.mark.parametrize("language", IMPORTED)
def test_an_imported_deck_without_a_name_gets_one_in_the_owners_language(keyed, ada, language):
    lines, client, name = {"text": "\n".join(["P1"] * 10)}, keyed(ada), IMPORTED[language]
    for expected in (name, f"{name} 2"):
        made = client.post("/api/v1/decks/import", lines, HTTP_ACCEPT_LANGUAGE=language).json()
        assert made["name"] == expected
