"""Who may act, and what is legal then (pazaak §3, R8 to R11)."""

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.values import NotYourTurn
from tests.rules.pazaak.scene import half, play, refusal, scene


def test_a_turn_begins_with_draw_or_stand():
    table = scene(half("4", hand="P1"))
    assert PAZAAK.legal_moves(table, 0) == ("draw", "stand")
    for move in ("P1", "pass", "end"):
        assert refusal(table, move) == "wrong_phase"


def test_after_the_draw_every_way_to_play_a_card_is_listed_once():
    table = scene(half("4", hand="P3 P3 PM2 PM12 F24 D T"), phase="turn_play")
    cards = "P3 PM2+ PM2- PM12+1 PM12+2 PM12-1 PM12-2 F24 D T+ T-"
    assert PAZAAK.legal_moves(table, 0) == (*cards.split(), "pass")
    for move in ("draw", "stand", "end"):
        assert refusal(table, move) == "wrong_phase"


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_only_the_seat_to_act_may_move(seat):
    table = scene(half("4"))
    assert PAZAAK.legal_moves(table, seat) == ()
    assert refusal(table, "draw", NotYourTurn, seat) == "not_your_turn"
    assert refusal(table, "P3", NotYourTurn, seat) == "not_your_turn"


def test_after_the_match_it_is_nobodys_turn():
    over = play(scene(half(), half("1", standing=True), rounds_to_win=1), "0 stand").state
    assert PAZAAK.to_act(over) == ()
    assert refusal(over, "draw", NotYourTurn) == "not_your_turn"
