"""What a seat sees (shithead §5)."""

from msgspec.structs import replace

from cardroom.rules.shithead import GAME as SHITHEAD
from tests.rules.shithead.scene import TABLE


def test_a_seat_sees_its_own_hand_and_what_lies_open():
    seen = SHITHEAD.view(TABLE, 0)
    assert seen.hand == ("5C", "8C")
    assert seen.tops == (("5H", "KD"), ("4D",))
    assert seen.hand_counts == (2, 3)
    assert seen.hidden == ((0, 2), (0,))
    assert (seen.pile, seen.to_beat, seen.stock_count) == (("6H", "3D"), "6H", 2)
    assert (seen.turn, seen.next_seat, seen.to_act) == (0, 1, (0,))
    assert seen.legal_moves == ("8C",)
    assert SHITHEAD.view(TABLE, 1).legal_moves == ()


def test_a_spectator_sees_no_hand():
    seen = SHITHEAD.view(TABLE, None)
    assert (seen.hand, seen.legal_moves) == ((), ())


def test_places_of_the_games_before_are_shown():
    state = replace(TABLE, times_shed=(1, 0), points=(2, 1), last_shed=(0,), game_no=2)
    seen = SHITHEAD.view(state, 0)
    assert (seen.times_shed, seen.points, seen.last_shed) == ((1, 0), (2, 1), (0,))
