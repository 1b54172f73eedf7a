"""How a round ends, and what decides the match (pazaak R18 to R24)."""

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import MatchOver, RoundOver
from tests.rules.pazaak.scene import half, play, scene, told

TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"


def reason(step):
    return told(step, RoundOver)[0].reason


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


def test_a_buried_tiebreaker_of_both_is_a_tie_in_the_wider_scope():
    table = scene(
        half("9 1:T 8"), half("10 -1:T 9", standing=True), tiebreaker_scope="played_this_round"
    )
    assert reason(play(table, "0 stand")) == "tie"
