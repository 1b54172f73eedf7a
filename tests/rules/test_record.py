"""Match records (record.md): written, read, replayed; every contradiction refused in its place."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules import catalog, record
from games.rules.base import AnyGame
from games.rules.record import BadRecord, Fault
from games.rules.shuffles import commitment
from tests.rules.playing import Sitting, options_of, seed_of

every_game = pytest.mark.parametrize("game", catalog.GAMES, ids=lambda game: game.slug)
numbers = st.integers(0, 2**32)
PISTI, PAZAAK, SHITHEAD = map(catalog.find, ("pisti", "pazaak", "shithead"))


def examples(count: int) -> settings:
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(max_examples=count, deadline=None, derandomize=True, suppress_health_check=slow)


def finished(game: AnyGame, number: int = 1, **options: Any) -> Sitting:
    sitting = Sitting.begun(game, game.choose_options(options), number)
    return sitting.play_on(Random(number))


def plain(sitting: Sitting | record.Record) -> dict[str, Any]:
    """A record as decoded JSON, ready to be falsified."""
    found = sitting.record() if isinstance(sitting, Sitting) else sitting
    return msgspec.json.decode(record.write(found))


def place(told: Any) -> tuple[int | None, int | None]:
    """Where a record is refused; fails when it is accepted."""
    fault = record.verify(told)
    assert isinstance(fault, Fault), "the record was accepted"
    assert fault.fault.endswith((".", ".)"))
    return fault.round, fault.move


def seals(told: dict[str, Any], number: int) -> None:
    told |= {"seed": seed_of(number).hex(), "commitment": commitment(seed_of(number))}


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
        ids=repr,
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


def falsified(told: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy = msgspec.json.decode(msgspec.json.encode(told))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value(inner[path[-1]]) if callable(value) else value
    return copy


def swapped(one: int, other: int) -> Any:
    def swap(deck: str) -> str:
        cards = deck.split(" ")
        cards[one], cards[other] = cards[other], cards[one]
        return " ".join(cards)

    return swap


class TestVerify:
    @every_game
    @examples(15)
    @given(data=st.data())
    def test_one_changed_card_is_refused_in_its_round(self, game, data):
        told = plain(finished(game, data.draw(st.integers(1, 5))))
        at = data.draw(st.integers(0, len(told["rounds"]) - 1))
        shuffle = data.draw(st.integers(0, len(told["rounds"][at]["shuffles"]) - 1))
        cards = told["rounds"][at]["shuffles"][shuffle].split(" ")
        one, other = data.draw(st.tuples(*[st.integers(0, len(cards) - 1)] * 2))
        path = ("rounds", at, "shuffles", shuffle)
        if cards[one] != cards[other]:
            assert place(falsified(told, path, swapped(one, other))) == (at + 1, None)
        cards[one] = data.draw(st.sampled_from(["ZZ", "", "7h", cards[one] + " " + cards[one]]))
        assert place(falsified(told, path, " ".join(cards))) == (at + 1, None)

    @every_game
    @examples(15)
    @given(data=st.data())
    def test_one_spoilt_move_is_refused_at_its_index(self, game, data):
        told = plain(finished(game, data.draw(st.integers(1, 5))))
        at = data.draw(st.integers(0, len(told["rounds"]) - 1))
        moves = told["rounds"][at]["moves"]
        move = data.draw(st.integers(0, len(moves) - 1))
        seat, text = moves[move].split(" ", 1)
        spoilt = data.draw(
            st.sampled_from(
                [
                    *(f"{seat} nonsense", text, f"0{seat} {text}", f"{seat}  {text}"),
                    *(f"9 {text}", f"{seat} ", "", f"-1 {text}", f"{seat} {text}\n"),
                ]
            )
        )
        assert place(falsified(told, ("rounds", at, "moves", move), spoilt)) == (at + 1, move)

    @every_game
    @examples(15)
    @given(data=st.data())
    def test_one_other_score_is_refused_in_its_round(self, game, data):
        told = plain(finished(game, data.draw(st.integers(1, 5))))
        at = data.draw(st.integers(0, len(told["rounds"]) - 1))
        path = ("rounds", at, "scores")
        for wrong in (None, [], [*told["rounds"][at]["scores"], 0]):
            assert place(falsified(told, path, wrong)) == (at + 1, None)
        assert place(falsified(told, (*path, 0), lambda score: score + 1)) == (at + 1, None)

    @examples(15)
    @given(data=st.data())
    def test_another_legal_move_is_found_out_later_in_the_match(self, data):
        number = data.draw(st.integers(1, 5))
        told = plain(finished(PISTI, number, target_score=None))
        at = data.draw(st.integers(0, 40))
        replaying = Sitting.begun(PISTI, PISTI.choose_options({"target_score": None}), number)
        for line in told["rounds"][0]["moves"][:at]:
            seat, move = line.split(" ")
            replaying.play(int(seat), move)
        seat, move = told["rounds"][0]["moves"][at].split(" ")
        for other in set(PISTI.legal_moves(replaying.state, int(seat))) - {move}:
            found = place(falsified(told, ("rounds", 0, "moves", at), f"{seat} {other}"))
            assert found[0] == 1
            assert found[1] is None or found[1] > at

    @every_game
    def test_a_changed_seed_is_refused(self, game):
        told = plain(finished(game))
        for name in ("seed", "commitment"):
            turned = "0" if told[name][5] != "0" else "1"
            changed = told[name][:5] + turned + told[name][6:]
            assert place(told | {name: changed}) == (None, None)
        seals(told, 99)
        assert place(told) == (1, None)

    @every_game
    def test_a_changed_outcome_is_refused(self, game):
        told = plain(finished(game))
        points = told["outcome"]["points"]
        for name, wrong in (
            ("winners", []),
            ("winners", [*told["outcome"]["winners"], 7]),
            ("points", [points[0] + 1, *points[1:]]),
            ("points", points[:1]),
            ("reason", "aborted"),
            ("reason", "resigned"),
            ("reason", "luck"),
        ):
            assert place(falsified(told, ("outcome", name), wrong)) == (None, None)

    @every_game
    def test_moves_and_shuffles_too_few_or_too_many(self, game):
        told = plain(finished(game))
        last = len(told["rounds"])
        moves, shuffles = told["rounds"][-1]["moves"], told["rounds"][-1]["shuffles"]
        path = ("rounds", last - 1)
        assert place(falsified(told, (*path, "moves"), moves[:-1])) == (last, None)
        more = falsified(told, (*path, "moves"), [*moves, moves[-1]])
        assert place(more) == (last, len(moves))
        assert place(falsified(told, (*path, "shuffles"), shuffles[:-1])) == (last, None)
        more = falsified(told, (*path, "shuffles"), [*shuffles, shuffles[-1]])
        assert place(more) == (last, None)
        again = told["rounds"][-1] | {"number": last + 1}
        assert place(falsified(told, ("rounds",), [*told["rounds"], again])) == (last + 1, None)

    def test_rounds_dropped_doubled_or_misnumbered(self):
        told = plain(finished(PISTI))
        rounds = told["rounds"]
        assert len(rounds) > 2
        assert place(told | {"rounds": rounds[:-1]})[0] == len(rounds)
        assert place(told | {"rounds": rounds[1:]})[0] == 1
        assert place(told | {"rounds": [rounds[0], *rounds]})[0] == 2
        assert place(falsified(told, ("rounds", 1, "number"), 7)) == (2, None)
        assert place(falsified(told, ("rounds", 0, "shuffles"), [])) == (1, None)
        assert place(falsified(told, ("rounds", 1, "shuffles"), [])) == (2, None)
        doubled = rounds[0]["shuffles"] * 2
        assert place(falsified(told, ("rounds", 0, "shuffles"), doubled)) == (1, None)
        cut = falsified(told, ("rounds", 0, "scores"), None)
        cut["rounds"][0]["moves"] = cut["rounds"][0]["moves"][:-1]
        assert place(cut) == (1, None)

    def test_what_could_not_have_been_chosen(self):
        told = plain(finished(PISTI, target_score=None))
        options = told["options"]
        for change in (
            {"game": "whist"},
            {"rules_version": 2},
            {"options": options | {"players": 5}},
            {"options": options | {"players": 4}},
            {"options": options | {"teams": True}},
            {"options": options | {"stake": 10}},
            {"options": {"target_score": None}},
            {"seats": told["seats"][:1]},
            {"seats": [{"name": "ada", "kind": "user"}, {"name": "x", "kind": "bot"}]},
            {"seats": [{"name": "ada", "kind": "user"}, {"name": "", "kind": "open"}]},
            {
                "seats": [
                    {"name": "ada", "kind": "user"},
                    {"name": "x", "kind": "bot", "bot": "deep"},
                ]
            },
            {"started_at": None},
            {"started_at": "2027-01-01T00:00:00Z"},
        ):
            assert place(told | change) == (None, None), change

    def test_side_decks_are_checked(self):
        told = plain(finished(PAZAAK))
        assert len(told["seats"][0]["side_deck"]) == 10
        path = ("seats", 0, "side_deck")
        for wrong in (None, [], ["P1"] * 9, ["P7"] * 10, told["seats"][0]["side_deck"][::-1]):
            assert place(falsified(told, path, wrong)) == (None, None)
        assert place(falsified(told, path, ["P1"] * 10)) == (1, None)

    def test_bounded_work_for_hostile_records(self):
        told = plain(finished(PISTI, target_score=None))
        many = falsified(told, ("rounds", 0, "moves"), ["0 7H"] * 300_000)
        assert place(many)[0] == 1
        many = falsified(told, ("rounds", 0, "shuffles"), ["7H"] * 200_000)
        assert place(many) == (None, None)
        nested: Any = None
        for _ in range(400):
            nested = _parent(told, loaded_from=nested)
        assert place(told | {"loaded_from": nested}) == (None, None)


def _parent(told: dict[str, Any], **changes: Any) -> dict[str, Any]:
    parent = {"match": "p", "version": 0, "cards": "same", "shuffles": 0, "seed": told["seed"]}
    return parent | {"commitment": told["commitment"]} | changes


class TestLoaded:
    @every_game
    @examples(12)
    @given(data=st.data())
    def test_a_match_loaded_again_and_again(self, game, data):
        sitting = Sitting.begun(game, data.draw(options_of(game)), data.draw(numbers))
        everybody = range(len(sitting.setups))
        for generation in range(data.draw(st.integers(1, 3))):
            sitting.play_on(Random(data.draw(numbers)), data.draw(st.integers(0, 70)))
            if sitting.outcome is None:
                seats = data.draw(st.none() | st.sets(st.sampled_from(everybody), min_size=1))
                loader = None if seats is None else frozenset(seats)
                sitting = sitting.loaded(1000 + generation, loader)
        sitting.play_on(Random(data.draw(numbers)), 200)
        line = record.write(sitting.record())
        assert record.verify(line) is None
        assert record.replay(record.read(line)).state == sitting.state

    @every_game
    @pytest.mark.parametrize("seats", [None, frozenset({0})], ids=["same", "reshuffled"])
    def test_falsified_pasts_are_refused(self, game, seats):
        parent = Sitting.begun(game, game.options(), 1).play_on(Random(1), 30)
        told = plain(parent.loaded(2, seats).play_on(Random(2), 20))
        assert record.verify(told) is None
        loaded = told["loaded_from"]
        path = ("loaded_from",)
        assert place(falsified(told, (*path, "version"), 10_000))
        assert place(falsified(told, (*path, "shuffles"), loaded["shuffles"] + 1))
        assert place(falsified(told, (*path, "shuffles"), loaded["shuffles"] - 1))
        assert place(falsified(told, (*path, "seed"), told["seed"])) == (None, None)
        other = loaded | {"seed": told["seed"], "commitment": told["commitment"]}
        assert place(told | {"loaded_from": other}) == (1, None)
        assert place({name: told[name] for name in told if name != "loaded_from"})
        cards = told["rounds"][0]["shuffles"][0].split(" ")
        last = next(at for at, card in enumerate(cards) if card != cards[-1])
        deck = ("rounds", 0, "shuffles", 0)
        assert place(falsified(told, deck, swapped(last, len(cards) - 1)))

    @every_game
    def test_what_was_dealt_anew_is_what_somebody_could_not_know(self, game):
        parent = Sitting.begun(game, game.options(), 1).play_on(Random(1), 30)
        told = plain(parent.loaded(2, frozenset({0})).play_on(Random(2), 20))
        moved = told["loaded_from"]["reshuffled"]
        path = ("loaded_from", "reshuffled")
        assert place(falsified(told, path, None)) == (None, None)
        assert place(falsified(told, path, [])) != (None, 0)
        assert place(falsified(told, path, moved * 2)) == (None, None)
        assert place(falsified(told, (*path, 0, "shuffle"), 99)) == (None, None)
        for positions in ([], [0, 0], [1, 0], [999]):
            assert place(falsified(told, (*path, 0, "positions"), positions)) == (None, None)
        fewer = moved[0]["positions"][:-1]
        assert place(falsified(told, (*path, 0, "positions"), fewer))
        assert place(falsified(told, ("loaded_from", "cards"), "same")) == (None, None)

    @every_game
    def test_a_parent_that_still_runs_keeps_its_seed(self, game):
        parent = Sitting.begun(game, game.options(), 1).play_on(Random(1), 12)
        child = parent.loaded(2, frozenset({0}), secret=True).play_on(Random(2), 30)
        told = plain(child)
        assert told["loaded_from"]["seed"] is None
        assert record.verify(told) is None
        told["loaded_from"]["commitment"] = "0" * 64  # nothing to hold it against
        assert record.verify(told) is None

    def test_a_re_deal_under_a_secret_seed_is_taken_as_listed(self):
        parent = Sitting.begun(PISTI, PISTI.options(), 1).play_on(Random(1), 12)
        middle = parent.loaded(2, frozenset({0})).play_on(Random(2), 12)
        child = middle.loaded(3, frozenset({0}), secret=True).play_on(Random(3), 60)
        told = plain(child)
        assert told["loaded_from"]["seed"] is None
        assert record.verify(told) is None
        own = told["rounds"][-1]["shuffles"][-1]
        assert own != told["rounds"][0]["shuffles"][0]
        last = ("rounds", len(told["rounds"]) - 1, "shuffles", 0)
        assert place(falsified(told, last, swapped(0, 1))) == (len(told["rounds"]), None)

    def test_a_reshuffled_parent_lies_in_the_past(self):
        parent = Sitting.begun(PISTI, PISTI.options(), 1).play_on(Random(1), 12)
        middle = parent.loaded(2, frozenset({0}))
        told = plain(middle.loaded(3, None).play_on(Random(3), 9))
        assert record.verify(told) is None
        assert place(falsified(told, ("loaded_from", "loaded_from", "version"), 13))


class TestResigned:
    @every_game
    @pytest.mark.parametrize("reason", ["resigned", "timeout"])
    def test_between_two_the_other_wins(self, game, reason):
        sitting = Sitting.begun(game, game.options()).play_on(Random(1), 9)
        sitting.resign(1)
        told = plain(sitting.record(reason))
        assert told["outcome"]["winners"] == [0]
        assert told["outcome"]["reason"] == reason
        assert told["rounds"][-1]["moves"][-1] == "1 resign"
        assert told["rounds"][-1]["scores"] is None
        assert record.verify(told) is None
        at = len(told["rounds"][-1]["moves"])
        assert place(falsified(told, ("outcome", "reason"), "aborted")) == (None, None)
        assert place(falsified(told, ("outcome", "winners"), [1])) == (None, None)
        told["rounds"][-1]["moves"].append("0 resign")
        assert place(told) == (len(told["rounds"]), at)

    @pytest.mark.parametrize("slug", ["pisti", "shithead", "pyanitsa"])
    def test_among_more_the_seat_is_played_on_and_ranked_last(self, slug):
        game = catalog.find(slug)
        sitting = Sitting.begun(game, game.choose_options({"players": 3})).play_on(Random(1), 7)
        sitting.resign(2)
        sitting.play_on(Random(2))
        assert sitting.outcome.places[2] == 3
        assert sitting.outcome.reason == game.outcome(sitting.state).reason
        told = plain(sitting)
        assert record.verify(told) is None
        moves = told["rounds"][0]["moves"]
        assert any(move.startswith("2 ") for move in moves[moves.index("2 resign") + 1 :])
        again = falsified(told, ("rounds", 0, "moves", 8), "2 resign")
        assert place(again) == (1, 8)

    def test_the_last_one_left_wins(self):
        sitting = Sitting.begun(SHITHEAD, SHITHEAD.choose_options({"players": 4}))
        for seat in (3, 0, 1):
            sitting.play_on(Random(seat), 5).resign(seat)
        assert sitting.outcome.places == (3, 2, 1, 4)
        assert record.verify(sitting.record()) is None

    def test_a_seat_that_is_out_has_nothing_left_to_resign(self):
        options = SHITHEAD.choose_options({"players": 3})
        sitting = Sitting.begun(SHITHEAD, options)
        for _ in sitting.plies(Random(1)):
            if out := SHITHEAD.out(sitting.state):
                break
        told = plain(sitting)
        told["rounds"][0]["moves"].append(f"{min(out)} resign")
        assert place(told) == (1, len(told["rounds"][0]["moves"]) - 1)

    def test_partners_have_resigned_when_both_have(self):
        sitting = Sitting.begun(PISTI, PISTI.choose_options(preset="partnership"))
        sitting.play_on(Random(1), 5).resign(1)
        assert sitting.outcome is None
        assert record.verify(sitting.play_on(Random(2), 60).record()) is None
        sitting.resign(3)
        assert sitting.outcome.winners == (0, 2)
        assert record.verify(sitting.record()) is None

    @every_game
    def test_resigned_seats_stay_resigned_in_a_loaded_match(self, game):
        options = game.choose_options({"players": 3} if game.max_seats > 2 else {})
        sitting = Sitting.begun(game, options).play_on(Random(1), 3)
        if game.max_seats > 2:
            sitting.resign(1)
        child = sitting.play_on(Random(2), 2).loaded(2, frozenset({0})).play_on(Random(3), 2)
        child.resign(0)
        child.play_on(Random(4), 30)
        assert record.verify(child.record()) is None
