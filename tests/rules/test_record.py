"""Match records (FORMAT.md): written, read, and replayed to the same end."""

from itertools import count
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules import record
from cardroom.rules.record import BadRecord
from tests.rules.falsifying import (
    PISTI,
    finished,
    place,
    plain,
    seals,
)
from tests.rules.playing import Sitting, every_game, examples, numbers, options_of


class TestFormat:
    def test_fields_stand_as_in_the_example(self):
        told = plain(finished(PISTI, target_score=None))
        assert list(told) == [
            "format",
            "match",
            "game",
            "rules_version",
            "options",
            "seats",
            "commitment",
            "seed",
            "started_at",
            "finished_at",
            "rounds",
            "outcome",
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
