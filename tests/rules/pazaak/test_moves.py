"""The notation of moves (pazaak §3)."""

import pytest

from cardroom.rules.pazaak.predicates import CARD_PLAYS
from cardroom.rules.values import MalformedMove
from tests.rules.pazaak.scene import half, refusal, scene


def test_there_are_46_ways_to_play_a_side_card():
    assert len(CARD_PLAYS) == 6 + 6 + 12 + 4 + 15 + 1 + 2


@pytest.mark.parametrize("move", ["", "P7", "p3", "P 3", "F42", "DRAW", "3", "PM0+", "+", "\x00"])
def test_what_is_no_move_is_malformed_even_out_of_turn(move):
    table = scene(half("4", hand="P3"), phase="turn_play")
    for seat in (0, 1, 7):
        assert refusal(table, move, MalformedMove, seat) == "unknown_move"
