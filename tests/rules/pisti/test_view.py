"""What a seat sees and what it does not (rules §5)."""

import msgspec
import pytest

from cardroom.rules.cards import texts
from cardroom.rules.pisti import GAME as PISTI
from tests.rules.pisti.scene import deck, last_play, play, scene, start


def test_a_seat_sees_its_hand_and_the_size_of_the_others():
    state = scene("4C TC", ("9H 2C", "3C"), heaps=("5C 6C", ""), last_capturer=0)
    view = PISTI.view(state, 1)
    assert (view.hand, view.hand_sizes) == (("3C",), (2, 1))
    assert (view.top, view.pile_size, view.heap_sizes) == ("TC", 2, (2, 0))
    assert view.stock_size == len(state.stock)
    assert (view.to_act, view.legal_moves) == ((0,), ())


def test_a_spectator_sees_no_hand():
    view = PISTI.view(scene("TC", ("9H 2C", "3C")), None)
    assert (view.hand, view.hand_sizes, view.top) == ((), (2, 1), "TC")


def test_partners_do_not_see_each_other():
    state = scene("TC", ("2C", "3C", "4C", "5C"), teams=True)
    assert PISTI.view(state, 2).hand == ("4C",)


def test_without_counts_only_hands_and_stock_are_counted():
    state = scene("4C TC", ("9H", "3C"), heaps=("5C 6C", ""), show_counts=False)
    view = PISTI.view(state, 0)
    assert (view.pile_size, view.heap_sizes) == (None, None)
    assert (view.hand_sizes, view.stock_size) == ((1, 1), len(state.stock))


def test_the_empty_table_has_no_top():
    view = PISTI.view(scene("", ("9H", "3C")), 0)
    assert (view.top, view.pile_size) == (None, 0)


def test_the_view_says_when_the_match_is_over():
    state = last_play("", "3C", target_score=None)
    assert PISTI.view(state, 0).phase == "playing"
    assert PISTI.view(play(state, "1 3C").state, 0).phase == "over"


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_centre_below_the_top_is_nobodys_to_see(seat):
    state = start(deck("")).state
    view = PISTI.view(state, seat)
    written = msgspec.json.encode(view).decode()
    assert (view.face_down, view.pile_size) == (3, 4)
    assert not [code for code in texts(state.pile[:3]) if f'"{code}"' in written]
