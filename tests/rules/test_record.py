"""Match records (FORMAT.md): written, read, and replayed to the same end."""

import json
import re
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules import catalog, record
from cardroom.rules.cards import pack, text
from cardroom.rules.pyanitsa.events import EndedBy
from cardroom.rules.record import (
    BadRecord,
    DeckOrigin,
    LoadedFrom,
    Record,
    RecordedOutcome,
    RecordedRound,
    RecordedSeat,
    Reshuffled,
)
from cardroom.rules.shuffles import Sealed, commitment
from tests.rules.falsifying import PISTI, finished, place, plain, seals
from tests.rules.playing import Sitting, every_game, examples, numbers, options_of
from tests.rules.specification import code, codes, record_format


class TestFormat:
    def test_fields_stand_as_in_the_example(self):
        told = plain(finished(PISTI, target_score=None))
        assert list(told) == [
            *("format", "match", "game", "rules_version", "options", "seats", "commitment"),
            *("seed", "started_at", "finished_at", "rounds", "outcome"),
        ]
        assert list(told["rounds"][0]) == ["number", "shuffles", "moves", "scores"]
        assert list(told["outcome"]) == ["winners", "points", "reason"]
        assert told["seats"][0] == {"name": "Ada", "kind": "user"}
        assert told["started_at"] == "2026-11-21T10:00:00Z"

    @every_game
    def test_written_and_read_again_it_is_the_same(self, game):
        whole = finished(game).record()
        line = record.write(whole)
        assert b"\n" not in line  # many of them make a JSON Lines file
        assert record.write(record.read(line)) == line
        assert record.read(msgspec.json.decode(line)) == whole
        assert record.file_name(whole) == "0193aaaa.cardroom.json"

    @pytest.mark.parametrize(
        ("change", "word"),
        [
            ({"format": "cardroom-record/2"}, "format"),
            ({"surprise": 1}, "surprise"),
            ({"match": "../../etc"}, "match"),
            ({"seed": "ABC"}, "seed"),
            ({"seats": [{"name": "ada", "kind": "ghost"}]}, "kind"),
            ({"rounds": [{"number": 1}]}, "shuffles"),
            ({"outcome": None}, "outcome"),
            ({"started_at": "yesterday"}, "started_at"),
        ],
    )
    def test_a_malformed_field_is_named(self, change, word):
        fault = record.verify(plain(finished(PISTI, target_score=None)) | change)
        assert (fault.round, fault.move) == (None, None)
        assert word in fault.fault

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\xff\xfe",
            b"{",
            b"[" * 100_000,
            b"null",
            b"[]",
            b'"record"',
            b'{"format": "cardroom-record/1"}',
            b" " * (record.MAX_BYTES + 1),
            {"format": "\ud800"},
            {"format": object()},
            {1: 2},
            {},
        ],
        ids=count(),  # their texts are as long as a book, and one holds an address
    )
    def test_what_is_no_record_is_refused_in_a_sentence(self, data):
        with pytest.raises(BadRecord):
            record.read(data)
        assert place(data) == (None, None)

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        )
    )
    @examples(60)
    def test_any_json_is_judged(self, data):
        if isinstance(data, dict):
            assert place(data) == (None, None)
        with pytest.raises(BadRecord):
            record.read(msgspec.json.encode(data))


class TestReplay:
    @every_game
    @examples(12)
    @given(data=st.data())
    def test_a_replay_ends_in_the_same_state_byte_for_byte(self, game, data):
        sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
        sitting.play_on(Random(data.draw(numbers)), 1500)
        line = record.write(sitting.record())
        assert record.verify(line) is None
        for sealed in (True, False):
            replayed = record.replay(record.read(line), sealed=sealed)
            assert msgspec.json.encode(replayed.state) == msgspec.json.encode(sitting.state)
            assert list(replayed.history) == sitting.history
            assert replayed.outcome == (sitting.outcome or replayed.outcome)

    @every_game
    def test_whole_default_matches_and_presets(self, game):
        for number, options in enumerate([game.options(), *game.presets.values()]):
            sitting = Sitting.begun(game, options, number).play_on(Random(number))
            assert record.verify(sitting.record()) is None

    @every_game
    def test_a_match_can_be_called_off_at_any_time(self, game):
        for plies in (0, 1, 7):
            sitting = Sitting.begun(game, game.options()).play_on(Random(4), plies)
            told = plain(sitting)
            assert told["outcome"]["reason"] == "aborted"
            assert told["outcome"]["winners"] == []
            assert record.verify(told) is None

    @every_game
    def test_a_match_that_never_started_has_no_rounds(self, game):
        told = plain(Sitting.begun(game, game.options()))
        told |= {"rounds": [], "started_at": None}
        told["seats"][1] = {"name": "", "kind": "open"}
        assert record.verify(told) is None
        assert place(told | {"outcome": told["outcome"] | {"reason": "resigned"}}) == (None, None)

    def test_a_dealt_round_is_listed_even_when_nothing_was_played_in_it(self):
        sitting = Sitting.begun(PISTI, PISTI.options())
        sitting.play_on(Random(1), 48)
        assert [len(line["moves"]) for line in sitting.rounds] == [48, 0]
        assert record.verify(sitting.record()) is None
        told = plain(sitting)
        del told["rounds"][1]
        assert place(told) == (2, None)

    def test_without_the_seed_the_listed_decks_are_enough(self):
        told = plain(finished(PISTI, target_score=None))
        seals(told, 2)
        assert place(told) == (1, None)
        assert record.replay(record.read(told), sealed=False).outcome.reason == "deal"


# Records that were written once verify for ever.
#
# ``tests/fixtures/records/<game>-<options>.jsonl`` has one record a line: finished, resigned
# from, timed out, aborted, never started; loaded with the same cards and re-dealt, twice over, by
# several seats, under seeds that are public and secret. Lines may be added; none is ever written
# again.

FOLDER = Path(__file__).parents[1] / "fixtures" / "records"
LINES = [line for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_bytes().splitlines()]


def param_of(number: int, line: bytes) -> Any:
    """Every fourth record in `make test`, all of them in `make sweeps`."""
    marks = pytest.mark.sweep if number % 4 else ()
    return pytest.param(line, id=msgspec.json.decode(line)["match"], marks=marks)


@pytest.mark.parametrize("line", [param_of(*each) for each in enumerate(LINES)])
def test_an_old_record_still_verifies(line):
    assert record.verify(line) is None
    assert record.write(record.read(line)) == line


# FORMAT.md agrees with the code: its shuffles, its fields, its reasons.

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


# Every listed deck can be dealt again from seeds and packs alone, without the rules.


def seeds_of(read: Record) -> list[str | None]:
    """The record's own seed, its parent's, and so on."""
    seeds: list[str | None] = [read.seed]
    loaded: LoadedFrom | None = read.loaded_from
    while loaded:
        seeds.append(loaded.seed)
        loaded = loaded.loaded_from
    return seeds


def dealt(deal: DeckOrigin, seeds: Sequence[str | None]) -> list[str]:
    deck = Sealed(bytes.fromhex(seeds[deal.seed]), deal.k)(deal.pack.split(" "))
    for again in deal.again:
        cards = [deck[at] for at in again.positions]
        for at, card in zip(
            again.positions, Sealed(bytes.fromhex(seeds[again.seed]), again.k)(cards), strict=True
        ):
            deck[at] = card
    return deck


def test_decks_follow_from_seeds_and_packs():
    """The first of each fixture file, and all that were loaded."""
    checked = dealt_again = 0
    for file in sorted(FOLDER.glob("*.jsonl")):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        for line in [lines[0], *[one for one in lines[1:] if one.get("loaded_from")][:2]]:
            read = record.read(line)
            listed = [deck for each in read.rounds for deck in each.shuffles]
            steps = record.deals(read)
            assert len(steps) == len(listed)
            for deal, deck in zip(steps, listed, strict=True):
                if deal.seed is None:
                    continue
                assert " ".join(dealt(deal, seeds_of(read))) == deck
                checked += 1
                dealt_again += bool(deal.again)
    assert checked > 50
    assert dealt_again
