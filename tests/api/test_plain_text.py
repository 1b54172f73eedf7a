"""Answers as text: the whole match, with tokens that one can type."""

import pytest

from cardroom.rules import catalog
from games.language import card_text
from tests.api.calls import API, get, new_match, post
from tests.rules.short import short_options

TEXT = {"Accept": "text/plain"}
UNKNOWN = "00000000-0000-7000-8000-000000000000"


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_a_match_is_told_with_its_moves(first, stranger, game):
    match = new_match(first, game=game.slug, options=short_options(game))
    answer = get(first, f"matches/{match['id']}", **TEXT)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    told = answer.content.decode()
    assert told.startswith(f"{game.name}, round 1, version 0, active\n")
    for legal in match["legal_moves"]:
        assert f"\n  {legal['move']:<12} {legal['label']}\n" in told
    body = {"move": match["legal_moves"][0]["move"], "version": 0}
    moved = post(first, f"matches/{match['id']}/moves", body, **TEXT).content.decode()
    assert ", version 1, " in moved
    events = get(first, f"matches/{match['id']}/events", **TEXT).content.decode()
    assert events.endswith("The match is at version 1.\n")
    assert len(events.splitlines()) > 1
    foreign = get(stranger, f"matches/{match['id']}", **TEXT).content.decode()
    assert "It is not your turn." in foreign


def test_lists_games_and_rules(first, client):
    match = new_match(first)
    assert f"{match['id']}  pisti, active: " in get(first, "matches", **TEXT).content.decode()
    games = get(first, "games", **TEXT).content.decode()
    assert all(f"{game.slug}: {game.name}." in games for game in catalog.GAMES)
    for game in catalog.GAMES:
        rules = client.get(f"/games/{game.slug}/rules", headers=TEXT).content.decode()
        assert rules.startswith("# ")


def test_json_unless_text_is_named(first):
    often = "application/json, text/plain, */*"  # as a well-known library asks for anything
    for accept in ("*/*", "application/json", "text/html", often):
        assert get(first, "games", Accept=accept)["Content-Type"] == "application/json"
        answer = first.get(API + "matches/nothing", headers={"Accept": accept})
        assert answer["Content-Type"] == "application/problem+json"


class TestErrors:
    """Where text is accepted, a refusal is text too, with all that helps a person."""

    def lines(self, answer):
        assert answer["Content-Type"] == "text/plain; charset=utf-8"
        told = answer.content.decode().splitlines()
        assert told[-1] == f"request: {answer['X-Request-Id']}"
        return told[:-1]

    def test_anywhere(self, first, api, db):
        for client, path, title in (
            (first, "matches/nothing", "Not found (404 not_found)"),
            (api, "decks", "Not signed in (401 not_authenticated)"),
            (first, "matches?limit=0", "Malformed request (400 malformed)"),
        ):
            assert self.lines(client.get(API + path, headers=TEXT))[0] == title

    def test_a_wrong_move_names_the_legal_ones(self, first):
        match = new_match(first)
        held = {legal["move"] for legal in match["legal_moves"]}
        card = next(card for card in ("7H", "8H", "9H", "TH", "JH") if card not in held)
        body = {"move": card, "version": 0}
        told = self.lines(post(first, f"matches/{match['id']}/moves", body, **TEXT))
        assert told[0] == "Illegal move (422 illegal_move)"
        assert told[1].endswith(".")
        for legal in match["legal_moves"]:
            assert f"  {legal['move']:<12} {legal['label']}" in told

    def test_in_the_readers_language(self, first):
        turkish = {**TEXT, "Accept-Language": "tr"}
        told = self.lines(get(first, f"matches/{UNKNOWN}", **turkish))
        assert told[1] == "Böyle bir maç yok ya da görmeye yetkin yok."


def test_a_match_in_another_language(first):
    match = new_match(first)
    turkish = {**TEXT, "Accept-Language": "tr"}
    told = get(first, f"matches/{match['id']}", **turkish).content.decode()
    token, label = match["legal_moves"][0].values()
    assert "Pişti, 1. tur, sürüm 0, sürüyor" in told
    assert f"  {token:<12} {label.removeprefix('Play ')} oyna\n" in told  # the token stays


def test_the_table_is_drawn_with_no_more_than_the_seat_knows(first):
    match = new_match(first)
    told = get(first, f"matches/{match['id']}", **TEXT).content.decode()
    frame = told[told.index("+---") : told.rindex("---+")]
    assert frame.count("▒") == sum(match["view"]["hand_sizes"])
    assert all(f"[{card_text(code)}]" in frame for code in match["view"]["hand"])
    assert {len(line) for line in frame.splitlines()[1:-1]} == {len(frame.splitlines()[1])}


@pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
def test_rules_in_another_language(db, client, game):
    asked = {**TEXT, "Accept-Language": "cs"}
    rules = client.get(f"/games/{game.slug}/rules", headers=asked).content.decode()
    assert rules.startswith("# ")
    assert "\n## " in rules
    assert "<" not in rules
    assert "Domácí pravidla" in rules
