"""The tables of vectors in RULES.md §6 of Pazaak, played as they stand there."""

import re

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import (
    CardPlayed,
    HandDrawn,
    MatchOver,
    Opener,
    RoundOver,
    RoundStarted,
    Stood,
)
from cardroom.rules.values import IllegalMove, MalformedMove
from tests.rules.pazaak.scene import deck, half, play, scene, start, told, values
from tests.rules.specification import NONE, chosen, code, codes, numbers, rules_of

TEN = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"  # s0 … s9, all unlike
REFUSED = {"refused": IllegalMove, "malformed": MalformedMove}


def rows(heading):
    return [pytest.param(row, id=f"{row['#']}-{at}") for at, row in enumerate(_table(heading))]


def _table(heading):
    return rules_of("pazaak").table(heading)


def spent(moves):
    """The side cards that these moves play."""
    words = [re.split("[+-]", move.split()[-1])[0] for move in moves]
    return " ".join(word for word in words if word not in ("draw", "pass", "stand"))


@pytest.mark.parametrize("row", rows("One turn (R9 to R20)"))
def test_one_turn(row):
    move = code(row["Move"])
    first = half(code(row["Board"]), draws=row["Draw"], hand=spent([move] if move else []))
    drawn = play(scene(first, half("3"), **chosen(row["Option"])), "0 draw")
    kind, _, reason = row["Result"].partition(": ")
    if kind in REFUSED:
        with pytest.raises(REFUSED[kind]) as refused:
            play(drawn.state, f"0 {move}")
        assert refused.value.reason == reason
        return
    step = play(drawn.state, f"0 {move}") if move else drawn
    assert result(step) == row["Result"]
    if row["Result"] in ("bust", "filled"):
        assert told(step, RoundOver)[0].totals == (int(row["Total after"]), 3)
    else:
        assert drawn.state.halves[0].total == int(row["Total"])
        assert values(step.state, 0) == [int(value) for value in code(row["Board after"]).split()]
        assert step.state.halves[0].total == int(row["Total after"])


def result(step):
    """The result of the turn of seat 0."""
    for over in told(step, RoundOver):
        assert over.winner == (1 if over.reason == "bust" else 0)
        return over.reason
    return "stands" if told(step, Stood) else "next turn"


@pytest.mark.parametrize("row", rows("Comparing (R21, R22)"))
def test_comparing(row):
    first, second = (half(code(row[f"Seat {seat}"])) for seat in (0, 1))
    table = scene(first, second, tiebreaker_scope=code(row["`tiebreaker_scope`"]))
    check_over(play(table, "0 stand", "1 stand"), row)


@pytest.mark.parametrize("row", rows("Rounds (R7, R8, R12, R21 to R23)"))
def test_a_round(row):
    moves = codes(row["Moves"])
    draws = [row[f"Seat {seat} draws"].replace(NONE, "") for seat in (0, 1)]
    hands = [spent(move for move in moves if move[0] == str(seat)) for seat in (0, 1)]
    first, second = (half(draws=draws[seat], hand=hands[seat]) for seat in (0, 1))
    before = play(scene(first, second), *moves[:-1])
    assert not told(before, RoundOver)
    check_over(play(before.state, moves[-1]), row)


def check_over(step, row):
    (over,) = told(step, RoundOver)
    assert over.reason == row["Reason"]
    assert over.totals == numbers(row["Totals"])
    assert row["Winner"] == ("nobody" if over.winner is None else f"seat {over.winner}")


@pytest.mark.parametrize("row", rows("Who starts (R6)"))
def test_who_starts(row):
    mains = [deck("", bottom=row[f"Seat {seat}'s deck ends with"]) for seat in (0, 1)]
    step, _ = start([TEN.split(), TEN.split(), *mains], (TEN, TEN))
    assert told(step, Opener) == [Opener(numbers(row["Shown"]))]
    assert row["Starter"] == f"seat {step.state.starter}"


@pytest.mark.parametrize("row", rows("Matches (R6, R23, R24)"))
def test_a_match(row):
    """A seat wins a round by one draw while the other stands on nothing."""
    winners, starters = row["Winners of the rounds"].split(", "), []
    step = play(scene(half()))
    for winner in winners:
        assert PAZAAK.to_act(step.state), "the match ended too early"
        starters.append(step.state.starter)
        step = play(step.state, *round_won_by(winner, step.state.starter))
        assert step.scores == tuple(int(winner == str(seat)) for seat in (0, 1))
    assert tuple(starters) == numbers(row["Starters"])
    (over,) = told(step, MatchOver)
    assert f"{over.wins[0]}–{over.wins[1]}" == row["Wins"]
    assert f"seat {over.winner}" == row["Match"]
    outcome = PAZAAK.outcome(step.state)
    assert (outcome.winners, outcome.points) == ((over.winner,), over.wins)
    assert outcome.places[over.winner] == 1
    assert outcome.reason == "rounds"
    assert PAZAAK.to_act(step.state) == ()


def round_won_by(winner, starter):
    if winner == "tie":
        return ["stand", "stand"]
    seat = int(winner)
    takes, stands = [f"{seat} draw", f"{seat} pass"], [f"{1 - seat} stand"]
    return [*takes, *stands, f"{seat} stand"] if seat == starter else [*stands, *takes, "stand"]


def test_the_allowance_of_a_cheater():
    table = _table("The allowance of a cheater (R25)")
    mains = [deck("1 1 1 1", bottom=bottom) for _ in table for bottom in ("9", "8")]
    brought = "PM1 PM2 PM2 PM3 PM3 PM4 PM5 PM6 PM12 T"
    step, shuffle = start(
        [brought.split(), TEN.split(), *mains], (None, TEN), ("cheater", None), rounds_to_win=9
    )
    for row in table:
        assert told(step, RoundStarted)[0].round_no == int(row["Round"])
        (grown,) = [event.count for event in told(step, HandDrawn) if event.cheating]
        assert grown == int(row["Added"])
        assert step.state.halves[0].allowance == int(row["Before"]) + grown
        if row["Played"] != NONE:
            step = cheat(step, int(row["Played"]), shuffle)
            continue
        assert step.state.halves[0].allowance == int(row["After"])
        assert len(step.state.halves[0].side) == int(row["After"])


def cheat(step, cards, shuffle):
    """The cheater plays so many cards, each after a draw, while seat 1 stands on nothing."""
    if step.state.to_act == 1:
        step = play(step.state, "1 stand")
    for _ in range(cards):
        step = play(step.state, "0 draw")
        minus = next(move for move in PAZAAK.legal_moves(step.state, 0) if move.endswith("-"))
        step = play(step.state, f"0 {minus}")
        if step.state.to_act == 1:
            step = play(step.state, "1 stand")
    return play(step.state, "0 stand", shuffle=shuffle)


# Cases beside the tables.


def round_over(step):
    return told(step, RoundOver)[0]


def hands_of(step):
    return {event.seat: event.cards for event in told(step, HandDrawn)}


def ladder_match(**options):
    mains = [deck("2 1", bottom="9"), deck("2 1", bottom="8")] * 4
    return start([TEN.split(), TEN.split(), *mains], (TEN, TEN), rounds_to_win=9, **options)


def test_vector_1_a_hand_grows_by_four_four_two_and_nothing():
    step, shuffle = ladder_match()
    assert step.state.halves[0].hand == ("P1", "P2", "P3", "P4")
    step = play(step.state, "0 draw", "0 P2", "1 stand", "0 stand", shuffle=shuffle)
    assert hands_of(step)[0] == ("P5", "P6", "M1", "M2")
    assert step.state.halves[0].hand == ("P1", "P3", "P4", "P5", "P6", "M1", "M2")
    step = play(
        step.state, "1 stand", "0 draw", "0 P5", "0 draw", "0 P1", "0 stand", shuffle=shuffle
    )
    assert hands_of(step)[0] == ("M3", "M4")
    assert step.state.halves[0].hand == ("P3", "P4", "P6", "M1", "M2", "M3", "M4")
    step = play(step.state, "0 stand", "1 stand", shuffle=shuffle)
    assert hands_of(step) == {0: (), 1: ()}
    assert [event.count for event in told(step, HandDrawn)] == [0, 0]


def test_vector_1_a_tied_round_draws_too():
    step, shuffle = ladder_match()
    step = play(step.state, "0 stand", "1 stand", shuffle=shuffle)
    assert round_over(step).winner is None
    assert len(step.state.halves[0].hand) == 8


def test_vector_1_once_draws_for_the_first_round_only():
    step, shuffle = ladder_match(hand_rule="once")
    step = play(step.state, "0 draw", "0 P2", "1 stand", "0 stand", shuffle=shuffle)
    assert step.state.halves[0].hand == ("P1", "P3", "P4")


def test_vector_2_a_card_repairs_a_bust_before_the_turn_ends():
    table = scene(half("7 6", draws="9", hand="M3"))
    step = play(table, "0 draw", "0 M3")
    stood = play(step.state, "1 draw", "1 pass", "0 stand")
    assert stood.state.halves[0].standing
    assert stood.state.halves[0].total == 19


def test_vector_4_exactly_20_stands_by_itself():
    step = play(scene(half("6 6", draws="8")), "0 draw", "0 pass")
    assert told(step, Stood) == [Stood(0, 20, auto=True)]
    assert step.state.halves[0].standing


def test_vector_6_a_flip_turns_every_matching_card_and_takes_no_place():
    table = scene(half("4 2 -2:M2 9", hand="F24"), phase="turn_play")
    step = play(table, "0 F24")
    assert told(step, CardPlayed) == [
        CardPlayed(seat=0, code="F24", sign=None, value=None, effect=(0, 1, 2), total=5)
    ]


def test_vector_7_double_makes_the_drawn_card_worth_twice():
    step = play(scene(half("2 4", draws="5", hand="D F56")), "0 draw", "0 D", "1 draw", "1 pass")
    later = play(step.state, "0 draw", "0 F56")
    assert values(later.state, 0)[2] == 10


def test_vector_8_the_ninth_card_wins_at_the_draw_even_against_20():
    table = scene(half("1 1 2 2 2 3 1 2", draws="3"), half("10 10", standing=True))
    step = play(table, "0 draw")
    assert round_over(step) == RoundOver(0, "filled", (17, 20), (1, 0))


@pytest.mark.parametrize("move", ["PM12+", "PM12", "PM3", "P3+", "T", "D+", "PM3+3", "PM12+3"])
def test_vector_13_a_missing_or_superfluous_choice_is_malformed(move):
    table = scene(half("8 9", hand="PM12 PM3 P3 T D"), phase="turn_play")
    with pytest.raises(MalformedMove) as refused:
        play(table, f"0 {move}")
    assert refused.value.reason == "bad_fields"


def test_vector_14_a_whole_round_ends_in_a_tie():
    mains = [deck("10 7", bottom="8"), deck("9 9", bottom="5")]
    sides = ("P3 P1 P1 P1 P1 P1 P1 P1 P1 P1", "PM2 T P1 P1 P1 P1 P1 P1 P1 P1")
    decks = [sides[0].split(), sides[1].split(), *mains, deck(""), deck("")]
    step, shuffle = start(decks, sides)
    assert told(step, Opener) == [Opener((8, 5))]
    moves = ["0 draw", "0 pass", "1 draw", "1 pass", "0 draw", "0 P3", "1 draw"]
    step = play(step.state, *moves, "1 PM2+", shuffle=shuffle)
    assert round_over(step) == RoundOver(None, "tie", (20, 20), (0, 0))
    assert (step.state.round_no, step.state.starter, step.state.to_act) == (2, 1, 1)


def test_vector_17_a_negative_total_is_legal_and_low():
    table = scene(half("1", hand="M6"), half(standing=True), phase="turn_play")
    step = play(table, "0 M6", "0 stand")
    assert told(step, CardPlayed)[0].total == -5
    assert round_over(step) == RoundOver(1, "outscore", (-5, 0), (0, 1))
