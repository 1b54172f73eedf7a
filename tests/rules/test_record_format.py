"""FORMAT.md agrees with the code: its shuffles, its fields, its reasons."""

import json
import re
from typing import Any, get_args

import msgspec
import pytest

from cardroom.rules import catalog
from cardroom.rules.cards import pack, text
from cardroom.rules.pyanitsa.events import EndedBy
from cardroom.rules.record import (
    LoadedFrom,
    Record,
    RecordedOutcome,
    RecordedRound,
    RecordedSeat,
    Reshuffled,
)
from cardroom.rules.shuffles import Sealed, commitment
from tests.rules.specification import code, codes, record_format

SEED = bytes(range(32))
PACKS: dict[str, tuple[Any, ...]] = {
    f"{size} cards": tuple(map(text, pack(size))) for size in (36, 52, 54)
} | {"Pazaak main deck": tuple(str(value) for value in range(1, 11) for _ in range(4))}
SHUFFLES = record_format().table("Test vectors")
STRUCTS = (Record, RecordedSeat, RecordedRound, RecordedOutcome, LoadedFrom, Reshuffled)


def test_the_commitment_of_the_test_seed():  # FORMAT.md §1
    (told,) = re.findall(r"`([0-9a-f]{64})`", record_format().sections[1])
    assert commitment(SEED) == told


@pytest.mark.parametrize("row", SHUFFLES, ids=lambda row: f"{row['k']} {row['Pack']}")
def test_a_shuffle_of_the_test_seed(row):  # FORMAT.md §3
    dealt = Sealed(SEED, int(row["k"]))(PACKS[row["Pack"]])
    assert " ".join(dealt) == code(row["Shuffle"])


def test_shuffles_of_every_pack_are_listed():
    assert {row["Pack"] for row in SHUFFLES} == set(PACKS)
    assert {int(row["k"]) for row in SHUFFLES} == {0, 1, 2, 3}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_of_a_record_is_described(struct):
    described = set(re.findall(r'"(\w+)"', record_format().sections[2]))
    described |= {word for span in codes(record_format().sections[2]) for word in _words(span)}
    assert set(struct.__struct_encode_fields__) <= described


def _words(span: str) -> list[str]:
    return re.findall(r"\w+", span)


def test_the_example_has_the_fields_in_the_order_they_are_written():
    (example,) = re.findall(r"```json\n(\{\n.*?)```", record_format().sections[2], re.DOTALL)
    fields = [name for name in Record.__struct_encode_fields__ if name != "loaded_from"]
    record = json.loads(example)
    assert list(record) == fields
    assert record["format"] in get_args(Record.__annotations__["format"])
    for line in record["rounds"]:
        msgspec.convert(line, RecordedRound)
    for seat in record["seats"]:
        msgspec.convert(seat, RecordedSeat)
    msgspec.convert(record["outcome"], RecordedOutcome)


def test_every_kind_of_seat_is_described():
    line = re.search(
        r"^\* `seats`: the index(.*?)^\*", record_format().sections[2], re.MULTILINE | re.DOTALL
    )[1]
    kinds = get_args(RecordedSeat.__annotations__["kind"])
    assert set(kinds) <= set(codes(line))


def test_the_reasons_name_games_of_the_catalogue():
    rows = record_format().table("The record")
    assert {row["Game"] for row in rows} == {game.name for game in catalog.OF_THE_HOUSE} | {"all"}
    endings = {code(row["Reason"]) for row in rows if row["Game"] == "Pyanitsa"}
    assert endings == set(get_args(EndedBy))
