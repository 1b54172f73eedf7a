"""The test vectors of RULES.md §6 of Pazaak, each a scene."""

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import CardPlayed, HandDrawn, MatchOver, Opener, RoundOver, Stood
from cardroom.rules.values import IllegalMove, MalformedMove
from tests.rules.pazaak.scene import board, deck, half, play, scene, start, told, values

LADDER = "P1 P2 P3 P4 P5 P6 M1 M2 M3 M4"  # s0 … s9, all unlike
TEN = LADDER.split()


def round_over(step):
    return told(step, RoundOver)[0]


def hands_of(step):
    return {event.seat: event.cards for event in told(step, HandDrawn)}


def lose_on_nothing(seat):
    """Moves in which ``seat`` stands at 0 and the other draws once and stands: a round won."""
    return [f"{seat} stand", f"{1 - seat} draw", f"{1 - seat} pass", f"{1 - seat} stand"]


def ladder_match(**options):
    mains = [deck("2 1", bottom="9"), deck("2 1", bottom="8")] * 4
    return start([TEN, TEN, *mains], (LADDER, LADDER), rounds_to_win=9, **options)


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
    assert values(step.state, 0) == [7, 6, 9, -3]
    assert step.state.halves[0].total == 19
    assert step.state.to_act == 1
    stood = play(step.state, "1 draw", "1 pass", "0 stand")
    assert stood.state.halves[0].standing
    assert stood.state.halves[0].total == 19


def test_vector_3_passing_above_20_loses_whatever_the_other_has():
    step = play(scene(half("7 6", draws="9", hand="M3"), half("3")), "0 draw", "0 pass")
    assert round_over(step) == RoundOver(1, "bust", (22, 3), (0, 1))
    assert step.scores == (0, 1)


def test_vector_4_exactly_20_stands_by_itself():
    step = play(scene(half("6 6", draws="8")), "0 draw", "0 pass")
    assert told(step, Stood) == [Stood(0, 20, auto=True)]
    assert step.state.halves[0].standing


def test_vector_5_standing_on_nothing_loses_to_one():
    step = play(scene(half(), half(draws="1")), "0 stand", "1 draw", "1 pass", "1 stand")
    assert round_over(step) == RoundOver(1, "outscore", (0, 1), (0, 1))


def test_vector_6_a_flip_turns_every_matching_card_and_takes_no_place():
    table = scene(half("4 2 -2:M2 9", hand="F24"), phase="turn_play")
    step = play(table, "0 F24")
    assert values(step.state, 0) == [-4, -2, 2, 9]
    assert step.state.halves[0].total == 5
    assert told(step, CardPlayed) == [
        CardPlayed(seat=0, code="F24", sign=None, value=None, effect=(0, 1, 2), total=5)
    ]


def test_vector_7_double_makes_the_drawn_card_worth_twice():
    step = play(scene(half("2 4", draws="5", hand="D F56")), "0 draw", "0 D", "1 draw", "1 pass")
    assert values(step.state, 0) == [2, 4, 10]
    assert step.state.halves[0].total == 16
    later = play(step.state, "0 draw", "0 F56")
    assert values(later.state, 0)[2] == 10


def test_vector_7_with_slots_double_is_a_card_of_its_own():
    table = scene(half("2 4", draws="5", hand="D F56"), specials_take_slot=True)
    step = play(table, "0 draw", "0 D")
    assert step.state.halves[0].board == board("2 4 5 5:D")
    assert step.state.halves[0].total == 16


def test_vector_8_the_ninth_card_wins_at_the_draw_even_against_20():
    table = scene(half("1 1 2 2 2 3 1 2", draws="3"), half("10 10", standing=True))
    step = play(table, "0 draw")
    assert round_over(step) == RoundOver(0, "filled", (17, 20), (1, 0))


def test_vector_9_a_full_table_over_20():
    table = scene(half("2 2 2 3 3 1 1 4", draws="5", hand="M4 F25"))
    drawn = play(table, "0 draw").state
    assert drawn.phase == "turn_play"
    with pytest.raises(IllegalMove) as refused:
        play(drawn, "0 M4")
    assert refused.value.reason == "no_space"
    assert PAZAAK.legal_moves(drawn, 0) == ("F25", "pass")
    flipped = play(drawn, "0 F25")
    assert told(flipped, CardPlayed)[0].total == 1
    assert round_over(flipped).reason == "filled"
    assert round_over(play(drawn, "0 pass")).reason == "bust"


@pytest.mark.parametrize(("card", "winner", "reason"), [("P1", 0, "filled"), ("P3", 1, "bust")])
def test_vector_10_the_ninth_card_from_the_hand(card, winner, reason):
    table = scene(half("1 1 2 2 3 3 1", draws="6", hand="P1 P3"))
    step = play(table, "0 draw", f"0 {card}")
    assert (round_over(step).winner, round_over(step).reason) == (winner, reason)


def test_vector_11_a_tiebreaker_wins_an_equal_round():
    table = scene(half("9 8 1:T"), half("10 8"))
    step = play(table, "0 stand", "1 stand")
    assert round_over(step) == RoundOver(0, "tiebreaker", (18, 18), (1, 0))


def test_vector_12_a_buried_tiebreaker_counts_only_in_the_wider_scope():
    buried, plain = half("9 1:T 8"), half("10 8")
    step = play(scene(buried, plain), "0 stand", "1 stand")
    assert round_over(step) == RoundOver(None, "tie", (18, 18), (0, 0))
    wider = scene(buried, plain, tiebreaker_scope="played_this_round")
    assert round_over(play(wider, "0 stand", "1 stand")).winner == 0


def test_vector_12_two_newest_tiebreakers_tie():
    step = play(scene(half("9 8 1:T"), half("10 9 -1:T")), "0 stand", "1 stand")
    assert round_over(step).reason == "tie"


@pytest.mark.parametrize(("move", "total"), [("PM12+2", 19), ("PM12-2", 15), ("PM12+1", 18)])
def test_vector_13_pm12_chooses_sign_and_value(move, total):
    step = play(scene(half("8 9", hand="PM12"), phase="turn_play"), f"0 {move}")
    assert step.state.halves[0].total == total


@pytest.mark.parametrize("move", ["PM12+", "PM12", "PM3", "P3+", "T", "D+", "PM3+3", "PM12+3"])
def test_vector_13_a_missing_or_superfluous_choice_is_malformed(move):
    table = scene(half("8 9", hand="PM12 PM3 P3 T D"), phase="turn_play")
    with pytest.raises(MalformedMove) as refused:
        play(table, f"0 {move}")
    assert refused.value.reason == "bad_fields"


def whole_round(second_card):
    mains = [deck("10 7", bottom="8"), deck(f"9 {second_card}", bottom="5")]
    sides = ("P3 P1 P1 P1 P1 P1 P1 P1 P1 P1", "PM2 T P1 P1 P1 P1 P1 P1 P1 P1")
    decks = [sides[0].split(), sides[1].split(), *mains, deck(""), deck("")]
    step, shuffle = start(decks, sides)
    assert told(step, Opener) == [Opener((8, 5))]
    moves = ["0 draw", "0 pass", "1 draw", "1 pass", "0 draw", "0 P3", "1 draw"]
    return play(step.state, *moves, shuffle=shuffle), shuffle


def test_vector_14_a_whole_round_ends_in_a_tie():
    step, shuffle = whole_round(9)
    step = play(step.state, "1 PM2+", shuffle=shuffle)
    assert round_over(step) == RoundOver(None, "tie", (20, 20), (0, 0))
    assert (step.state.round_no, step.state.starter, step.state.to_act) == (2, 1, 1)


def test_vector_14_a_tiebreaker_wins_it():
    step, shuffle = whole_round(10)
    step = play(step.state, "1 T+", shuffle=shuffle)
    assert round_over(step) == RoundOver(1, "tiebreaker", (20, 20), (0, 1))


def test_vector_15_a_match_of_five_rounds():
    table = scene(half())
    starters, scores = [], []
    for winner in (0, None, 1, None, 0):
        starters.append(table.starter)
        moves = ["stand", "stand"] if winner is None else lose_on_nothing(1 - winner)
        if winner == table.starter:  # the starter wins by drawing first, as the other stands
            moves = [f"{winner} draw", f"{winner} pass", f"{1 - winner} stand", f"{winner} stand"]
        step = play(table, *moves)
        table = step.state
        scores.append(step.scores)
    assert starters == [0, 1, 0, 1, 0]
    assert scores == [(1, 0), (0, 0), (0, 1), (0, 0), (1, 0)]
    assert told(step, MatchOver) == [MatchOver(0, (2, 1))]
    outcome = PAZAAK.outcome(table)
    assert (outcome.winners, outcome.points, outcome.places) == ((0,), (2, 1), (1, 2))
    assert outcome.reason == "rounds"


def test_vector_15_two_straight_wins_end_it():
    step = play(scene(half()), *lose_on_nothing(0), "1 draw", "1 pass", "0 stand", "1 stand")
    assert told(step, MatchOver) == [MatchOver(1, (0, 2))]
    assert PAZAAK.to_act(step.state) == ()


def test_vector_16_equal_bottom_cards_look_one_higher():
    mains = [deck("", bottom="2 6"), deck("", bottom="10 6")]
    step, _ = start([TEN, TEN, *mains], (LADDER, LADDER))
    assert told(step, Opener) == [Opener((2, 10))]
    assert step.state.to_act == 1


def test_vector_17_a_negative_total_is_legal_and_low():
    table = scene(half("1", hand="M6"), half(standing=True), phase="turn_play")
    step = play(table, "0 M6", "0 stand")
    assert told(step, CardPlayed)[0].total == -5
    assert round_over(step) == RoundOver(1, "outscore", (-5, 0), (0, 1))


def test_vector_18_the_cheaters_allowance():
    brought = "PM1 PM2 PM2 PM3 PM3 PM4 PM5 PM6 PM12 T"
    mains = [deck("1 1 1 1", bottom="9"), deck("1 1 1 1", bottom="8")] * 3
    step, shuffle = start(
        [brought.split(), TEN, *mains], (None, LADDER), ("cheater", None), rounds_to_win=3
    )
    cheater = step.state.halves[0]
    assert (cheater.allowance, cheater.hand, len(cheater.side)) == (4, (), 10)
    twice = ["0 draw", "0 PM1+", "1 stand", "0 draw", "0 PM2-", "0 stand"]
    step = play(step.state, *twice, shuffle=shuffle)
    assert step.state.halves[0].allowance == 2 + 4
    assert told(step, HandDrawn)[0] == HandDrawn(0, 4, (), cheating=True)
    thrice = ["1 stand", "0 draw", "0 PM2+", "0 draw", "0 PM3+", "0 draw", "0 PM3-", "0 stand"]
    step = play(step.state, *thrice, shuffle=shuffle)
    cheater = step.state.halves[0]
    assert cheater.allowance == 3 + 2 == len(cheater.side)


def test_vector_19_against_a_standing_seat_the_other_must_stand_to_win():
    table = scene(half("10 7"), half("10", draws="8"))
    step = play(table, "0 stand", "1 draw", "1 pass")
    assert (step.state.to_act, step.state.phase) == (1, "turn_start")
    assert not told(step, RoundOver)
    assert round_over(play(step.state, "1 stand")).winner == 1
