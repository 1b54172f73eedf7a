"""Golden playthroughs still play as they did; a change of rules, events, views or words shows.

To write them again: ``python -m cardroom.contract.golden``. What a file holds is said in
``cardroom/contract/golden.py``.
"""

import msgspec
import pytest

from cardroom.contract import golden
from cardroom.contract.golden import by_bots, new, read, replayed
from tests.rules.playing import every_game

every_file = pytest.mark.parametrize("path", golden.all_of_them(), ids=lambda path: path.stem)


@every_file
def test_every_line_is_as_it_was(path):
    text = path.read_text(encoding="utf-8")
    for number, (now, then) in enumerate(
        zip(replayed(text), text.splitlines(), strict=True), start=1
    ):
        assert msgspec.json.decode(now) == msgspec.json.decode(then), f"line {number}"
        assert now == then, f"line {number}"  # the order of fields too


@every_file
def test_it_is_a_whole_match(path):
    text = path.read_text(encoding="utf-8")
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    match, moves = read(text)
    assert path.stem.startswith(f"{match.game}-")
    outcome = lines[-1]["outcome"]
    scores = [line["scores"] for line in lines if "scores" in line]
    assert [sum(column) for column in zip(*scores, strict=True)] == outcome["points"]
    assert len(moves) == max(line.get("ply", 0) for line in lines)


@pytest.mark.parametrize("name", [name for name, _, _ in golden.needed()])
def test_every_game_and_preset_has_one(name):
    assert golden.golden_path(name).exists(), f"write it: python -m cardroom.contract.golden {name}"


def test_the_first_deck_is_the_sealed_one():  # FORMAT.md §3, k = 0
    lines = golden.golden_path("pisti-classic").read_text(encoding="utf-8").splitlines()
    events = msgspec.json.decode(lines[2])["events"]
    told = {event["type"] + str(event.get("seat", "")): event for event in events}
    assert told["hand_dealt0"]["cards"] == ["2H", "9C", "TH", "QC"]
    assert told["hand_dealt1"]["cards"] == ["9D", "9S", "7D", "9H"]
    assert told["centre_dealt"]["top"] == "6S"


@every_game
def test_a_new_file_begins_with_its_setup(game):
    match = new(game, None, {})
    lines = match.lines(by_bots(match))
    first, second = (msgspec.json.decode(next(lines)) for _ in range(2))
    assert first["game"] == game.slug
    assert len(second["seats"]) == game.seats(game.options())
