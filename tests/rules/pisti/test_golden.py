"""The golden match still plays as it did, and agrees with the vectors of record.md §3."""

import msgspec

from tests.rules.pisti.golden import FILE, moves_of, replayed

TEXT = FILE.read_text(encoding="utf-8")
DECODED = [msgspec.json.decode(line) for line in TEXT.splitlines()]


def test_every_line_is_as_it_was():
    for number, (now, then) in enumerate(
        zip(replayed(moves_of(TEXT)), TEXT.splitlines(), strict=True), start=1
    ):
        assert now == then, f"line {number} of {FILE.name}"


def test_it_is_a_whole_match():
    outcome = DECODED[-1]["outcome"]
    assert outcome["reason"] == "target"
    assert max(outcome["points"]) >= 151
    assert len(moves_of(TEXT)) % 48 == 0
    scores = [line["scores"] for line in DECODED if "scores" in line]
    assert [sum(column) for column in zip(*scores, strict=True)] == outcome["points"]


def test_its_first_deck_is_the_sealed_one():  # record.md §3, k = 0
    told = {event["type"] + str(event.get("seat", "")): event for event in DECODED[1]["events"]}
    assert told["hand_dealt0"]["cards"] == ["2H", "9C", "TH", "QC"]
    assert told["hand_dealt1"]["cards"] == ["9D", "9S", "7D", "9H"]
    assert told["centre_dealt"]["top"] == "6S"
