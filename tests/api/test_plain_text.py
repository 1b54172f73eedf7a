"""Answers as text: the whole match, with tokens that one can type."""

import pytest

from games.language import card_text
from games.rules import catalog
from tests.api.calls import API, get, new_match, post
from tests.rules.short import short_options

TEXT = {"Accept": "text/plain"}


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
    for accept in ("*/*", "application/json", "text/html"):
        assert get(first, "games", Accept=accept)["Content-Type"] == "application/json"
    answer = first.get(API + "matches/nothing", headers=TEXT)
    assert answer["Content-Type"] == "application/problem+json"


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
