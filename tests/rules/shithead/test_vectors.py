"""The vectors of shithead §6, one test each."""

import pytest

from cardroom.rules.cards import CARD, TEXT, texts
from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead.events import (
    Burned,
    Direction,
    Drew,
    GameOver,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
    SeatOut,
)
from cardroom.rules.shithead.predicates import in_order, why_not
from cardroom.rules.shithead.rules import finish
from cardroom.rules.shithead.state import deal
from cardroom.rules.values import IllegalMove, StepBuilder
from tests.rules.shithead.scene import (
    exchanging,
    hand,
    in_new_order,
    legal,
    of,
    one,
    pile,
    play,
    position,
    setups,
    top,
)


def test_vector_1_five_seats_are_dealt_in_turn():  # shithead R4
    table = deal(tuple(range(54)), 5, 3, 0)
    assert table.hidden[2] == (2, 7, 12)
    assert table.tops[2] == in_order([17, 22, 27])
    assert table.hands[2] == in_order([32, 37, 42])
    assert table.stock == tuple(range(45, 54))


def test_vector_1_eighteen_seats_have_one_card_of_each_kind():  # shithead R2, R4
    state = SHITHEAD.start(SHITHEAD.choose_options({"players": 18}), setups(18), in_new_order).state
    for seat in range(18):
        assert state.hidden[seat] == (seat,)
        assert state.tops[seat] == (18 + seat,)
        assert state.hands[seat] == (36 + seat,)
    assert state.stock == ()


def test_vector_1_the_second_game_is_dealt_from_the_shed():  # shithead R3, R4
    first = position(["", "", "", "5C", ""], places=[1, 2, 3, 0, 4], games=2, players=5)
    step = StepBuilder(in_new_order)
    state = finish(first, step)
    assert state.hidden[3] == (0, 5, 10)
    assert state.hidden[2] == (4, 9, 14)
    assert state.dealer == 2
    assert GameStarted(game_no=2, dealer=2, starter=3, k=3, stock=9) in step.done(state).events


def test_vector_2_an_exchange_swaps_a_hand_card_with_a_top_card():  # shithead R5
    state = exchanging(position(["5C 9D KH", ""], ["2S 4H JD"]))
    state = play(state, "swap 5C 2S").state
    with pytest.raises(IllegalMove) as refused:
        play(state, "swap 4H 9D")
    assert refused.value.reason == "card_not_available"
    assert hand(state, 0) == "2S 9D KH"
    assert top(state, 0) == "4H 5C JD"


def test_vector_3_higher_or_equal():  # shithead R11
    state = position(["5C 8C QS 2H 3C TD X1", "4C"], pile="8H")
    assert legal(state) == {"8C", "QS", "2H", "3C", "TD", "X1"}


def test_vector_4_after_a_seven_seven_or_lower():  # shithead R11
    state = position(["5C 7D 8D AS 2H 3C TD X1", "4C"], pile="7H")
    assert legal(state) == {"5C", "7D", "2H", "3C", "TD", "X1"}
    state = position(["8D AS", "4C"], pile="7H")
    assert legal(state) == {"pickup"}
    assert hand(play(state, "pickup").state, 0) == "7H 8D AS"


@pytest.mark.parametrize(
    ("lies", "may"),
    [
        ("9H 3C 3D", {"9S", "KS", "TS", "2S", "3S"}),
        ("3C", {"4S", "7S", "8S", "9S", "KS", "TS", "2S", "3S"}),
        ("7H 3C", {"4S", "7S", "TS", "2S", "3S"}),
        ("2H", {"4S", "7S", "8S", "9S", "KS", "TS", "2S", "3S"}),
        ("KD 2H 3H", {"4S", "7S", "8S", "9S", "KS", "TS", "2S", "3S"}),
    ],
)
def test_vector_5_threes_are_invisible(lies, may):  # shithead R11, R12
    assert legal(position(["4S 7S 8S 9S KS TS 2S 3S", "4C"], pile=lies)) == may


def test_vector_6_who_can_play_must():  # shithead R8
    state = position(["4C 2D", "5C"], pile="AS")
    assert legal(state) == {"2D"}
    with pytest.raises(IllegalMove) as refused:
        play(state, "pickup")
    assert refused.value.reason == "must_play"


def test_vector_7_a_ten_burns_and_gives_another_turn():  # shithead R13, R14, R16
    state = position(["TD 5C", "6C", "6D", "6H"], pile="KH", stock="4H 9C")
    step = play(state, "TD")
    assert one(step, Burned) == Burned(0, 2, "ten")
    assert one(step, Drew) == Drew(0, 1, "4H")
    assert step.state.turn == 0
    assert step.state.pile == ()
    assert hand(step.state, 0) == "4H 5C"


def test_vector_8_four_of_a_kind_burn():  # shithead R13
    step = play(position(["9S 9C KC", "4C"], pile="5C 9D 9H"), "9S 9C")
    assert one(step, Burned) == Burned(0, 5, "four")
    assert step.state.turn == 0


def test_vector_8_four_of_a_kind_by_two_seats_burn():  # shithead R13
    state = play(position(["9S 4D", "9C 4C"], pile="9D 9H"), "9S").state
    assert (state.turn, pile(state)) == (1, "9D 9H 9S")
    step = play(state, "9C")
    assert one(step, Burned) == Burned(1, 4, "four")
    assert step.state.turn == 1


def test_vector_9_a_three_interrupts():  # shithead R13
    step = play(position(["9S 9C KC", "4C"], pile="9D 9H 3C"), "9S 9C")
    assert not list(of(step, Burned))
    assert pile(step.state) == "9D 9H 3C 9C 9S"
    through = position(["9S 9C KC", "4C"], pile="9D 9H 3C", burn_through_threes=True)
    assert one(play(through, "9S 9C"), Burned).count == 5


def test_vector_10_four_threes_burn():  # shithead R13
    step = play(position(["3H 3S KC", "4C"], pile="8D 3C 3D"), "3H 3S")
    assert one(step, Burned) == Burned(0, 5, "four")


def joker_on_a_six(**options):
    state = position(["AS KD 4C X2", "X1 5C", "5D", "5H"], pile="6D", turn=1, players=4, **options)
    return play(state, "X1")


def test_vector_11_a_joker_turns_round_and_asks_for_a_wild_card():  # shithead R11, R12
    step = joker_on_a_six()
    assert one(step, Direction).value == -1
    assert step.state.turn == 0
    assert legal(step.state) == {"X2"}
    state = position(["AS KD 4C", "5C", "5D", "5H"], pile="6D X1", direction=-1)
    assert legal(state) == {"pickup"}
    state = play(state, "pickup").state
    assert (hand(state, 0), state.turn) == ("4C 6D KD AS X1", 3)


def test_vector_11_a_joker_may_be_transparent_or_reset():  # shithead §2 joker_top
    assert legal(joker_on_a_six(joker_top="transparent").state) == {"AS", "KD", "X2"}
    assert legal(joker_on_a_six(joker_top="reset").state) == {"4C", "KD", "AS", "X2"}


def test_vector_12_the_second_joker_turns_back_and_burns():  # shithead R12, R13, R14
    step = play(joker_on_a_six().state, "X2")
    assert one(step, Direction).value == 1
    assert one(step, Burned) == Burned(0, 3, "jokers")
    assert step.state.turn == 0
    assert play(step.state, "4C").state.turn == 1


def test_vector_12_both_jokers_at_once_keep_the_direction():  # shithead R12, R13
    step = play(position(["X1 X2 4C", "5C", "5D"], pile="6D"), "X1 X2")
    assert step.state.direction == 1
    assert not list(of(step, Direction))
    assert one(step, Burned).reason == "jokers"
    assert step.state.turn == 0


def test_vector_13_between_two_a_reversal_changes_nothing():  # shithead R17
    state = play(position(["X1 4C", "5C"]), "X1").state
    assert (state.direction, state.turn) == (-1, 1)


def test_vector_14_top_cards_go_with_the_last_hand_cards():  # shithead R9
    state = position(["QC", "5C"], ["QD 4S QH"], pile="9D")
    assert legal(state) == {"QC", "QC QD", "QC QD QH"}
    for cards in ("QC", "QC QD", "QC QH", "QC QD QH", "QH QC"):
        assert one(play(state, cards), Played).cards[0] == "QC"
    with pytest.raises(IllegalMove) as refused:
        play(state, "QD")
    assert refused.value.reason == "hand_first"


def test_vector_14_not_while_other_cards_stay_in_the_hand():  # shithead R9
    state = position(["QC KC", "5C"], ["QD 4S QH"], pile="9D")
    assert legal(state) == {"QC", "KC"}
    with pytest.raises(IllegalMove) as refused:
        play(state, "QC QD")
    assert refused.value.reason == "hand_first"


def test_vector_14_hand_and_top_complete_four():  # shithead R9, R13
    step = play(position(["QC", "5C"], ["QD 4S QH"], pile="QS"), "QC QD QH")
    assert one(step, Played).source == "hand_top"
    assert one(step, Burned) == Burned(0, 4, "four")


def test_vector_15_a_hidden_card_that_fails_is_picked_up():  # shithead R10
    step = play(position(["", "4C"], hidden=["8C 5D"], pile="KH"), "blind 1")
    assert one(step, HiddenFailed) == HiddenFailed(0, 1, "5D")
    assert one(step, PickedUp) == PickedUp(0, 2)
    assert hand(step.state, 0) == "5D KH"
    assert step.state.pile == ()
    assert step.state.hidden[0] == (CARD["8C"], None)
    assert step.state.turn == 1


def test_vector_15_a_hidden_card_that_fits_is_played():  # shithead R10, R12
    state = play(position(["", "4C"], hidden=["8C 3D"], pile="KH"), "blind 1").state
    assert pile(state) == "KH 3D"
    sentence = why_not(state.pile, state.options, CARD["4C"])
    assert str(sentence) == "4♣ is lower than the king that still counts below."


def test_vector_16_out_by_a_burn_hands_the_lead_on():  # shithead R14
    state = position(["", "4C 5C", "6C"], hidden=["- - TD"], pile="KH")
    step = play(state, "blind 2")
    assert one(step, SeatOut) == SeatOut(0, 1)
    assert (step.state.turn, step.state.pile) == (1, ())


def test_vector_17_one_card_is_drawn_after_every_turn():  # shithead R16
    state = position(["5C 5D 9H", "6C"], pile="4C", stock="JC JD JH")
    state = play(state, "5C 5D").state
    assert (hand(state, 0), len(state.stock)) == ("9H JC", 2)
    state = position(["4D", "6C"], pile="AC", stock="JC JD JH")
    state = play(state, "pickup").state
    assert (hand(state, 0), len(state.stock)) == ("4D JC AC", 2)


def test_vector_18_the_last_one_left_is_the_shed():  # shithead R3, R18
    state = position(
        ["9C", "4C 5C", ""], hidden=["", "", "-"], pile="8C", places=[0, 0, 1], games=2,
        direction=-1,
    )  # fmt: skip
    step = play(state, "9C", shuffle=in_new_order)
    over = one(step, GameOver)
    assert (over.shed, over.places) == ((1,), (2, 3, 1))
    assert over.remaining[0].hand == ("4C", "5C")
    assert step.scores == (2, 3, 1)
    assert (step.state.dealer, step.state.direction, step.state.game_no) == (0, 1, 2)
    state = play(step.state, "ready", "ready", "ready").state
    assert state.turn == 1


def test_vector_19_seats_that_are_out_are_skipped():  # shithead R17
    state = position(["", "5C 6C", "7C", "7D", "7H"], direction=-1, turn=1, places=[1, 0, 0, 0, 0])
    assert play(state, "5C").state.turn == 4


def test_every_card_has_one_place_in_the_order():
    assert " ".join(texts(in_order(range(54)))).startswith("2C 2D 2H 2S 3C")
    assert in_order(range(54))[-2:] == (CARD["X1"], CARD["X2"])
    assert len(set(TEXT)) == 54
