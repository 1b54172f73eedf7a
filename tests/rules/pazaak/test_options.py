"""Every option at work (pazaak §2)."""

import pytest

from games.rules.errors import BadOptions
from games.rules.pazaak import PAZAAK
from games.rules.pazaak.events import MatchOver, Opener, RoundOver, RoundStarted, Stood
from tests.rules.pazaak.scene import deck, half, play, scene, start, told

TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


def reason(step):
    return told(step, RoundOver)[0].reason


def test_presets_are_those_of_the_rules():
    kotor1, kotor2 = PAZAAK.presets["kotor1"], PAZAAK.presets["kotor2"]
    assert PAZAAK.presets["classic"] == PAZAAK.options()
    assert (kotor1.hand_rule, kotor1.rounds_to_win, kotor1.catalogue) == ("once", 3, "kotor1")
    assert (kotor1.stand_timing, kotor1.table_fill) == ("turn_end", "stand")
    assert kotor1.next_starter == "fixed"
    assert (kotor2.hand_rule, kotor2.rounds_to_win, kotor2.catalogue) == ("once", 3, "kotor2")
    assert (kotor2.stand_timing, kotor2.table_fill) == ("turn_end", "win")
    assert kotor2.specials_take_slot
    assert kotor2.next_starter == "alternate"


@pytest.mark.parametrize(
    "bad",
    [
        {"rounds_to_win": 0},
        {"rounds_to_win": 10},
        {"max_copies": 0},
        {"max_copies": 11},
        {"max_rounds": 0},
        {"max_rounds": 100},
        {"catalogue": "kotor3"},
        {"auto_stand_20": "yes"},
        {"stakes": 5},
    ],
)
def test_options_out_of_range_are_refused(bad):
    with pytest.raises(BadOptions):
        PAZAAK.choose_options(bad)


def test_without_auto_stand_20_the_seat_is_asked_again():
    step = play(scene(half("6 6", draws="8"), auto_stand_20=False), "0 draw", "0 pass")
    assert not step.state.halves[0].standing
    again = play(step.state, "1 draw", "1 pass", "0 stand")
    assert told(again, Stood) == [Stood(0, 20, auto=False)]


def test_a_table_filled_by_the_draw_may_merely_stand():
    table = scene(half("1 1 2 2 2 3 1 2", draws="3"), half("9"), table_fill="stand")
    step = play(table, "0 draw")
    assert told(step, Stood) == [Stood(0, 17, auto=True)]
    assert step.state.to_act == 1
    assert reason(play(step.state, "1 stand")) == "outscore"


def test_a_table_filled_from_the_hand_may_merely_stand():
    table = scene(
        half("1 1 2 2 2 3 1 2", hand="P3"),
        half("10 8", standing=True),
        phase="turn_play",
        table_fill="stand",
    )
    assert told(play(table, "0 P3"), RoundOver) == [RoundOver(1, "outscore", (17, 18), (0, 1))]


def test_two_full_tables_are_compared_when_draws_run_by_themselves():
    table = scene(
        half("1 1 2 2 2 3 1 2", draws="3"),
        half("1 1 2 2 2 3 1", draws="1 2"),
        to_act=1,
        preset="kotor1",
        phase="turn_play",
    )
    drawn = play(table, "1 end")  # seat 0 draws its ninth card and stands, seat 1 draws
    assert drawn.state.halves[0].standing
    assert (drawn.state.to_act, len(drawn.state.halves[1].board)) == (1, 8)
    done = play(drawn.state, "1 end")
    assert told(done, RoundOver) == [RoundOver(0, "outscore", (17, 15), (1, 0))]


@pytest.mark.parametrize(("rule", "seat"), [("seat0", 0), ("seat1", 1)])
def test_the_first_starter_may_be_fixed(rule, seat):
    step, _ = start([TEN.split()] * 2 + [deck("")] * 2, (TEN, TEN), first_starter=rule)
    assert told(step, RoundStarted) == [RoundStarted(1, seat)]
    assert told(step, Opener) == []


@pytest.mark.parametrize(
    ("rule", "after_win", "after_tie"),
    [("alternate", 1, 1), ("winner", 0, 1), ("loser", 1, 1), ("fixed", 0, 0)],
)
def test_the_next_starter(rule, after_win, after_tie):
    table = scene(half("5"), half("4", standing=True), next_starter=rule)
    assert play(table, "0 stand").state.starter == after_win
    tied = scene(half("5"), half("5", standing=True), next_starter=rule)
    assert play(tied, "0 stand").state.starter == after_tie


def test_the_winner_starts_also_where_the_other_opened():
    table = scene(half("5"), half("6", standing=True), next_starter="winner")
    assert play(table, "0 stand").state.starter == 1


def test_max_rounds_gives_the_match_to_more_wins():
    table = scene(half("5"), half("4", standing=True), rounds_to_win=9, max_rounds=1)
    step = play(table, "0 stand")
    assert told(step, MatchOver) == [MatchOver(0, (1, 0))]
    assert PAZAAK.outcome(step.state).reason == "limit"


def test_max_rounds_with_equal_wins_is_a_draw():
    table = scene(half("5"), half("5", standing=True), wins=(1, 1), round_no=3, max_rounds=3)
    step = play(table, "0 stand")
    outcome = PAZAAK.outcome(step.state)
    assert (outcome.winners, outcome.points, outcome.places) == ((0, 1), (1, 1), (1, 1))
    assert told(step, MatchOver) == [MatchOver(None, (1, 1))]


def test_enough_wins_in_the_last_allowed_round_are_wins():
    table = scene(half("5"), half("4", standing=True), wins=(1, 1), round_no=3, max_rounds=3)
    assert PAZAAK.outcome(play(table, "0 stand").state).reason == "rounds"


def test_a_new_round_clears_the_boards_and_deals_whole_decks():  # R4
    state = play(scene(half("5 6"), half("4", standing=True)), "0 stand").state
    for side in state.halves:
        assert (side.board, side.total, side.standing) == ((), 0, False)
        assert sorted(side.main) == sorted(deck(""))


def test_a_buried_tiebreaker_of_both_is_a_tie_in_the_wider_scope():
    table = scene(
        half("9 1:T 8"), half("10 -1:T 9", standing=True), tiebreaker_scope="played_this_round"
    )
    assert reason(play(table, "0 stand")) == "tie"
