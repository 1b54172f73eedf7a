"""Turns beyond the vectors of §6."""

from cardroom.rules.cards import TEXT
from cardroom.rules.shithead.events import Burned, PickedUp, Played, SeatOut, Turn
from tests.rules.shithead.scene import hand, legal, of, one, pile, play, position, top


def test_a_seat_cannot_go_out_while_stock_remains():  # shithead R16
    step = play(position(["5C", "7C"], stock="KC"), "5C")
    assert not list(of(step, SeatOut))
    assert hand(step.state, 0) == "KC"


def test_after_the_hand_come_the_tops():  # shithead R6
    state = position(["", "4C"], ["8C 8D 5C", ""], pile="6C")
    assert legal(state) == {"8C", "8C 8D"}
    step = play(state, "8D")
    assert one(step, Played).source == "top"
    assert top(step.state, 0) == "5C 8C"


def test_who_cannot_play_a_top_card_picks_up():  # shithead R8
    state = position(["", "4C"], ["8C 9D", ""], pile="KC")
    assert legal(state) == {"pickup"}
    step = play(state, "pickup")
    assert one(step, PickedUp).count == 1
    assert (hand(step.state, 0), top(step.state, 0)) == ("KC", "8C 9D")


def test_with_stock_the_last_hand_cards_may_take_tops_along():  # shithead R9
    step = play(position(["QC QS", "4C"], ["QD 4S"], stock="2C"), "QC QS QD")
    assert one(step, Played).source == "hand_top"
    assert (hand(step.state, 0), top(step.state, 0)) == ("2C", "4S")


def test_a_part_of_the_hand_takes_no_tops_along():  # shithead R9
    assert legal(position(["QC QS", "4C"], ["QD 4S"])) == {"QC", "QC QS", "QC QS QD"}


def test_a_hidden_joker_turns_round_and_burns_on_a_joker():  # shithead R10, R13
    step = play(position(["", "4C", "5C"], hidden=["X2 9C"], pile="4D X1"), "blind 0")
    assert one(step, Burned).reason == "jokers"
    assert (step.state.direction, step.state.turn) == (-1, 0)


def test_a_hidden_ten_leads_on_with_the_next_slot():  # shithead R10, R14
    state = play(position(["", "4C"], hidden=["TD 9C"], pile="4D"), "blind 0").state
    assert (state.turn, legal(state)) == (0, {"blind 1"})


def test_tens_burn_what_they_are_laid_on_and_themselves():  # shithead R13
    step = play(position(["TC TD 4C", "4D"], pile="7C"), "TC TD")
    assert one(step, Burned) == Burned(0, 3, "ten")
    assert {TEXT[card] for card in step.state.burned} >= {"7C", "TC", "TD"}


def test_a_burn_hands_the_lead_on_in_the_direction_of_play():  # shithead R14, R17
    state = position(["TD", "4C 5C", "6C"], direction=-1)
    step = play(state, "TD")
    assert step.state.turn == 2
    assert step.events[-1] == Turn(2)


def test_the_joker_of_a_seat_that_goes_out_still_turns_round():  # shithead R15
    state = position(["X1", "4C 5C", "6C"])
    assert play(state, "X1").state.turn == 2


def test_turns_are_counted_per_game():  # shithead R19
    state = position(["5C 6C", "7C 8C"], pile="4C", turns=7)
    assert play(state, "5C", "7C").state.turns == 9
    assert pile(play(state, "5C", "7C").state) == "4C 5C 7C"
