"""Records of matches that were loaded or resigned from (FORMAT.md §2)."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules import catalog, course, record
from cardroom.rules.game import AnyGame
from cardroom.rules.redeal import lay_back, redeal_decks
from cardroom.rules.values import IllegalMove, NotYourTurn, Outcome
from tests.rules.drawing_game import GAME as FITTING_CARD
from tests.rules.falsifying import (
    PISTI,
    SHITHEAD,
    falsified,
    place,
    plain,
    swapped,
    with_secret_seeds,
)
from tests.rules.playing import Sitting, every_game, examples, numbers, options_of, over


def running(game: AnyGame, plies: int) -> Sitting:
    """A match after so many plies, or fewer where it would be over soon."""
    end = Sitting.begun(game, game.options()).play_on(Random(1), plies + 9).version
    return Sitting.begun(game, game.options()).play_on(Random(1), min(plies, end - 5))


def unknown_to_anybody(sitting: Sitting) -> list[list[dict[str, Any]]]:
    """The cards to be dealt again for each set of seats, as a record lists them."""
    everybody = range(len(sitting.setups))
    return [
        plain(sitting.loaded(2, frozenset(seats)))["loaded_from"]["reshuffled"]
        for count in everybody
        for seats in combinations(everybody, count + 1)
    ]


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
    @examples(12)
    @given(data=st.data())
    def test_nested_loads_whose_seeds_are_secret(self, game, data):
        fixed = {"first_starter": "lowest_card"} if game is SHITHEAD else {}
        sitting = Sitting.begun(game, data.draw(options_of(game, **fixed)), data.draw(numbers))
        everybody = range(len(sitting.setups))
        generations = data.draw(st.integers(2, 4))
        for generation in range(generations):
            plies = data.draw(st.sampled_from([0, 0, 1, 3, 12, 50]))
            sitting.play_on(Random(data.draw(numbers)), plies)
            if sitting.outcome is None:
                seats = data.draw(st.none() | st.sets(st.sampled_from(everybody), min_size=1))
                loader = None if seats is None else frozenset(seats)
                sitting = sitting.loaded(1000 + generation, loader)
        sitting.play_on(Random(data.draw(numbers)), 60)
        secret = data.draw(st.lists(st.booleans(), min_size=generations, max_size=generations))
        assert record.verify(with_secret_seeds(sitting.record(), secret)) is None

    @pytest.mark.parametrize("exchange", [True, False])
    @pytest.mark.parametrize("plies", [0, 3])
    @pytest.mark.parametrize("number", range(4))
    def test_a_starter_stays_the_starter(self, number, plies, exchange):
        options = {"first_starter": "lowest_card", "exchange": exchange}
        first = Sitting.begun(SHITHEAD, SHITHEAD.choose_options(options), number)
        if exchange:
            first.play(0, "ready")
            first.play(1, "ready")
        middle = first.loaded(100, frozenset({0})).play_on(Random(number), plies)
        last = middle.loaded(200, frozenset({0}), secret=True).play_on(Random(number), 40)
        assert record.verify(last.record()) is None

    @pytest.mark.parametrize("number", range(4))
    def test_a_pick_up_stays_a_pick_up(self, number):
        first = Sitting.begun(SHITHEAD, SHITHEAD.choose_options({"exchange": False}), number)
        while "1 pickup" not in first.rounds[0]["moves"]:
            first.play_on(Random(number), 1)
        for again in range(100, 110):
            middle = first.loaded(again, frozenset({0})).play_on(Random(number), 2)
            last = middle.loaded(200, frozenset({0}), secret=True).play_on(Random(number), 40)
            assert record.verify(last.record()) is None

    def test_a_pick_up_after_the_load_is_judged_by_the_rules(self):
        told = plain(
            Sitting.begun(SHITHEAD, SHITHEAD.choose_options({"exchange": False}))
            .play_on(Random(1), 4)
            .loaded(2, frozenset({0}))
            .loaded(3, frozenset({0}), secret=True)
            .play_on(Random(1), 12)
        )
        assert record.verify(told) is None
        for at in range(4, 16):
            seat, _ = told["rounds"][0]["moves"][at].split(" ", 1)
            if told["rounds"][0]["moves"][at] != f"{seat} pickup":
                changed = falsified(told, ("rounds", 0, "moves", at), f"{seat} pickup")
                assert place(changed) == (1, at)

    @every_game
    @pytest.mark.parametrize("seats", [None, frozenset({0})], ids=["same", "reshuffled"])
    def test_falsified_pasts_are_refused(self, game, seats):
        parent = running(game, 30)
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
        parent = running(game, 30)
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

    @over(*catalog.GAMES, FITTING_CARD)
    @pytest.mark.usefixtures("fitting_card")
    @pytest.mark.parametrize("named", [True, False], ids=["seats named", "seats not named"])
    def test_inner_levels_are_checked_as_the_outer_one(self, game, named):
        """Where it is refused hangs on the game: a move that hidden cards forced shows it first."""
        first = running(game, 20)
        middle = first.loaded(2, frozenset({0})).play_on(Random(2), 2)
        last = middle.loaded(3, frozenset({0})).play_on(Random(3), 20)
        told = plain(with_secret_seeds(last.record(), [True, True]))
        if not named:
            del told["loaded_from"]["seats"], told["loaded_from"]["loaded_from"]["seats"]
        assert record.verify(told) is None
        path = ("loaded_from", "loaded_from", "reshuffled")
        lawful = [] if named else unknown_to_anybody(first)
        for at, one in enumerate(told["loaded_from"]["loaded_from"]["reshuffled"]):
            for gone in range(len(one["positions"])):
                fewer = one["positions"][:gone] + one["positions"][gone + 1 :]
                changed = falsified(told, (*path, at, "positions"), fewer)
                if changed["loaded_from"]["loaded_from"]["reshuffled"] not in lawful:
                    assert place(changed)
        assert place(falsified(told, path, []))

    @every_game
    def test_the_loading_players_seats_are_checked(self, game):
        parent = running(game, 30)
        for seats in (None, frozenset({0})):
            told = plain(parent.loaded(2, seats).play_on(Random(2), 20))
            path = ("loaded_from", "seats")
            assert told["loaded_from"]["seats"] == [0, 1] if seats is None else [0]
            for wrong in ([], [2], [-1], [1, 0], [0, 0], "0"):
                assert place(falsified(told, path, wrong)) == (None, None)
            told["seats"][0] |= {"kind": "bot", "bot": "random"}
            assert place(falsified(told, path, [0])) == (None, None)

    @pytest.mark.parametrize("game", [PISTI, SHITHEAD], ids=["pisti", "shithead"])
    def test_other_seats_than_the_loading_players_knew_other_cards(self, game):
        parent = Sitting.begun(game, game.options(), 1).play_on(Random(1), 12)
        told = plain(parent.loaded(2, frozenset({0})).play_on(Random(2), 20))
        for other in ([1], [0, 1]):
            assert place(falsified(told, ("loaded_from", "seats"), other)) == (None, None)

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

    def test_a_secret_seed_covers_no_more_than_the_parents_shuffles(self):
        parent = Sitting.begun(PISTI, PISTI.options(), 1).play_on(Random(1), 12)
        told = plain(parent.loaded(2, None, secret=True).play_on(Random(2), 60))
        assert record.verify(told) is None
        assert place(falsified(told, ("loaded_from", "shuffles"), 2)) == (None, None)

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
            if out := SHITHEAD.retired_seats(sitting.state):
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


# The effect of resigning on the ranking (FORMAT.md §2, Resigning), without a game.

TWO = ((0,), (1,))
FOUR = ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))


def natural(*places: int, reason: str = "games") -> Outcome:
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Outcome(winners, (0,) * len(places), reason, places)


class TestEndsMatch:
    @pytest.mark.parametrize(
        ("sides", "resigned", "ends"),
        [
            (TWO, (), False),
            (TWO, (1,), True),
            (FOUR, (1,), False),
            (FOUR, (1, 3), False),
            (FOUR, (1, 3, 0), True),
            (TEAMS, (1,), False),
            (TEAMS, (1, 0), False),
            (TEAMS, (1, 0, 3), True),
        ],
    )
    def test_when_one_side_is_left(self, sides, resigned, ends):
        assert course.ends_match(sides, resigned) is ends


class TestConclude:
    def test_between_two_the_other_wins_whatever_the_score(self):
        outcome = course.conclude(TWO, (0,), [(9, 0), (5, 2)], None)
        assert outcome == Outcome((1,), (14, 2), "resigned", (2, 1))

    def test_a_passed_deadline_says_so(self):
        assert course.conclude(TWO, (0,), [], None, "timeout").reason == "timeout"
        assert course.conclude(TWO, (0,), [], None, "timeout").points == (0, 0)

    def test_nobody_resigned_leaves_the_outcome_of_the_rules(self):
        assert course.conclude(FOUR, (), [], natural(2, 1, 3, 4)) == natural(2, 1, 3, 4)

    def test_who_resigned_stands_below_all_others_the_first_last(self):
        outcome = course.conclude(FOUR, (1, 3), [(4, 1, 3, 2)], natural(4, 1, 3, 2))
        assert outcome.places == (2, 4, 1, 3)
        assert outcome.winners == (2,)
        assert outcome.reason == "games"
        assert outcome.points == (4, 1, 3, 2)

    def test_shared_places_stay_shared(self):
        outcome = course.conclude(FOUR, (0,), [], natural(1, 2, 2, 4))
        assert outcome.places == (4, 1, 1, 3)
        assert outcome.winners == (1, 2)

    def test_the_last_side_left_wins(self):
        outcome = course.conclude(FOUR, (2, 0, 1), [], None)
        assert outcome.places == (3, 2, 4, 1)
        assert outcome.winners == (3,)

    def test_partners_share_the_place(self):
        outcome = course.conclude(TEAMS, (1, 0, 3), [(10, 6)], None)
        assert outcome == Outcome((0, 2), (10, 6), "resigned", (1, 2, 1, 2))

    def test_one_partner_alone_changes_no_ranking(self):
        ended = natural(2, 1, 2, 1, reason="target")
        assert course.conclude(TEAMS, (1,), [], ended) == ended

    def test_called_off_nobody_wins(self):
        assert course.aborted(TWO, [(1, 0)]) == Outcome((), (1, 0), "aborted", ())


class TestMayResign:
    def test_out_of_turn_but_once(self):
        game = catalog.find("pisti")
        state = Sitting.begun(game, game.options()).state
        for seat in (0, 1):
            course.check_may_resign(game, state, (), seat)
        with pytest.raises(IllegalMove, match="already"):
            course.check_may_resign(game, state, (1,), 1)

    def test_not_after_the_end(self):
        game = catalog.find("pisti")
        sitting = Sitting.begun(game, game.choose_options({"target_score": None}))
        for seat in range(48):
            sitting.play(seat % 2, game.legal_moves(sitting.state, seat % 2)[0])
        with pytest.raises(NotYourTurn):
            course.check_may_resign(game, sitting.state, (), 0)


# The effect of re-dealing on decks and on past events (FORMAT.md §2, loaded matches).


def reverse(pack):
    return list(pack)[::-1]


def test_cards_are_laid_back_on_their_positions():
    assert lay_back((10, 11, 12, 13), (1, 3), (13, 11)) == (10, 13, 12, 11)
    with pytest.raises(ValueError, match="shorter"):
        lay_back((10, 11, 12), (0, 1), (11,))


def test_only_unknown_positions_move():
    decks, became = redeal_decks([(10, 11, 12, 13)], ((0, (0, 2, 3)),), reverse)
    assert decks == ((13, 11, 12, 10),)
    assert became == {10: 13, 12: 12, 13: 10}


def test_nothing_unknown_asks_for_no_shuffle():
    decks, became = redeal_decks([(10, 11)], (), lambda _: pytest.fail("shuffled"))
    assert (decks, became) == (((10, 11),), {})


def test_a_later_deck_of_the_same_cards_follows():
    decks, became = redeal_decks([(10, 11, 12), (12, 11)], ((0, (0, 2)),), reverse)
    assert decks == ((12, 11, 10), (10, 11))
    assert became == {10: 12, 12: 10}


def test_exchanges_follow_one_another():
    decks, became = redeal_decks([(1, 2, 3), (3, 1)], ((0, (0, 1, 2)), (1, (0, 1))), reverse)
    assert decks == ((3, 2, 1), (3, 1))  # the second deck is first (1, 3), then turned round
    assert became == {1: 1, 2: 2, 3: 3}
