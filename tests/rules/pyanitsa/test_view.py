"""What a seat sees (pyanitsa §5): the table, counts, and nothing of what lies in a pile."""

from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import CARD
from cardroom.rules.pyanitsa import GAME as PYANITSA
from tests.rules.playing import examples
from tests.rules.pyanitsa.playouts import house_rules, steps
from tests.rules.pyanitsa.scene import flip, scene, trick

seeds = st.integers(min_value=0, max_value=2**32)


def test_piles_are_counts():
    state, _ = trick(scene("KC 7C", "9D 8D"))
    view = PYANITSA.view(flip(state).state, 1)
    assert (view.draw_counts, view.won_counts) == ((0, 1), (2, 0))
    assert [(card.seat, card.card) for card in view.table] == [(0, "7C")]
    assert (view.phase, view.to_act, view.legal_moves) == ("lay", (1,), ("flip",))


def test_a_spectator_sees_the_table_and_has_no_moves():
    state = scene("KC 7C", "9D 8D")
    seen = PYANITSA.view(state, None)
    assert (seen.seat, seen.legal_moves, seen.to_act) == (None, (), (0,))


def test_a_card_laid_face_down_is_seen_by_nobody():
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state = scene(*piles, dispute="mortgage")
    for _ in range(3):
        state = flip(state).state
    for seat in (0, 1, None):
        table = PYANITSA.view(state, seat).table
        assert [card.card for card in table] == ["8C", "8S", None, "QD"]
        assert [card.face_down for card in table] == [False, False, True, False]


def test_a_taker_that_chooses_the_order_sees_every_card_of_its_trick():
    piles = ("8C 7D QD 6C", "8S AH TD 6H")
    state, _ = trick(scene(*piles, dispute="mortgage", collect_order="arbitrary"))
    of_taker, of_other, of_nobody = (PYANITSA.view(state, seat) for seat in (0, 1, None))
    assert [card.card for card in of_taker.table] == ["8C", "8S", "7D", "QD", "AH", "TD"]
    hidden = ["8C", "8S", None, "QD", None, "TD"]
    assert [card.card for card in of_other.table] == hidden
    assert [card.card for card in of_nobody.table] == hidden
    assert of_other.legal_moves == ()
    assert (of_other.phase, of_other.taker) == ("collect", 0)


def test_the_end():
    state, _ = trick(scene("9C 8C", "7D"))
    view = PYANITSA.view(state, 1)
    assert (view.phase, view.to_act, view.out_in) == ("over", (), (0, 1))


@examples(40)
@given(house_rules(max_tricks=12), seeds)
def test_no_view_names_a_card_that_is_not_open_on_the_table(options, seed):
    for _, step in steps(options, Random(seed)):
        for seat in (*range(options.players), None):
            told = msgspec.json.encode(PYANITSA.view(step.state, seat)).decode()
            may_see = {
                PYANITSA.card_text(laid.card)
                for laid in step.state.table
                if not laid.face_down or (seat is not None and seat == step.state.taker)
            }
            named = {code for code in CARD if f'"{code}"' in told or f" {code}" in told}
            assert named == may_see
