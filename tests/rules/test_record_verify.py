"""Whatever contradicts a record is refused, in its place (FORMAT.md §2)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.rules.falsifying import (
    PAZAAK,
    PISTI,
    SHITHEAD,
    falsified,
    finished,
    parent_of,
    place,
    plain,
    seals,
    swapped,
)
from tests.rules.playing import Sitting, every_game, examples


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

    def test_an_equivalent_move_is_recorded_in_one_spelling_only(self):
        told = plain(finished(SHITHEAD, players=4))
        moves = told["rounds"][0]["moves"]
        at = next(
            at for at, move in enumerate(moves) if len(move.split(" ")) == 3 and "X" not in move
        )
        seat, one, other = moves[at].split(" ")
        assert one[0] == other[0]
        turned = f"{seat} {other} {one}"
        assert place(falsified(told, ("rounds", 0, "moves", at), turned)) == (1, at)

    def test_a_deck_is_listed_in_its_own_round(self):
        told = plain(finished(PISTI))
        told["rounds"][0]["shuffles"] += told["rounds"][1]["shuffles"]
        told["rounds"][1]["shuffles"] = []
        assert place(told) == (1, None)

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
            nested = parent_of(told, loaded_from=nested)
        assert place(told | {"loaded_from": nested}) == (None, None)
