"""Plays, captures and refusals (rules R10 to R22)."""

import pytest

from cardroom.rules.cards import texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import CardPlayed, LeftoverAwarded
from cardroom.rules.values import IllegalMove, NotYourTurn
from tests.rules.pisti.scene import heap, last_play, play, scene, scores, stacked, steps_of, told


def test_any_card_of_the_hand_may_be_played_in_the_order_dealt():  # R10
    state = scene("9C", ("9H 2C JD", "3C 4C 5C"))
    assert PISTI.legal_moves(state, 0) == ("9H", "2C", "JD")
    assert PISTI.legal_moves(state, 1) == ()


def test_the_capturer_does_not_move_again():  # R15
    taken, laid = steps_of(scene("9C 4D", ("4H 2C", "3C 4C")), "0 4H", "1 3C")
    assert taken.state.last_capturer == 0
    assert texts(laid.state.pile) == ("3C",)
    assert heap(laid.state, 0) == {"9C", "4D", "4H"}


def test_a_card_that_does_not_capture_becomes_the_top():  # R14
    step = play(scene("9C", ("2C 3D", "3C 4C")), "0 2C")
    assert texts(step.state.pile) == ("9C", "2C")
    assert step.events == (CardPlayed(0, "2C", 11),)
    assert (step.scores, step.move) == (None, "2C")


def test_buried_cards_do_not_match():
    step = play(scene("9C 5D", ("9H 3D", "3C 4C")), "0 9H")
    assert texts(step.state.pile) == ("9C", "5D", "9H")


def test_the_turn_goes_round():  # R1
    state = scene("", ("2C", "3C 4C", "5C 6C"), to_play=2, plays_made=11)
    assert PISTI.to_act(play(state, "2 5C").state) == (0,)


def test_partners_share_their_pistis():  # R21
    state = scene("TC", ("2C", "3C", "TD 4C", "5C"), to_play=2, teams=True)
    assert play(state, "2 TD").state.pistis == (1, 0)


def test_a_pile_nobody_can_claim_scores_for_nobody():  # R22
    step = play(last_play("6H QS", "4D", last_capturer=None, target_score=None), "1 4D")
    assert told(step, LeftoverAwarded) == []
    assert [side.cards for side in scores(step).sides] == [0, 0]


@pytest.mark.parametrize("seat", [1, -1, 2, 10**9])
def test_only_the_seat_to_act_plays(seat):
    with pytest.raises(NotYourTurn):
        PISTI.play(scene("", ("7H", "3C")), seat, "3C", stacked())


def test_a_card_not_held_is_refused_and_says_what_is():
    with pytest.raises(IllegalMove, match=r"You do not hold 3♣; you hold 7♥, 10♦\.") as refused:
        PISTI.play(scene("", ("7H TD", "3C")), 0, "3C", stacked())
    assert refused.value.reason == "not_in_hand"


def test_after_the_end_nobody_plays():
    over = play(last_play("", "3C", target_score=None), "1 3C").state
    assert PISTI.to_act(over) == PISTI.legal_moves(over, 0) == ()
    with pytest.raises(NotYourTurn, match="The match is over"):
        PISTI.play(over, 0, "3C", stacked())
