"""The view of a seat, and the cards that it hides (rules §5)."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.rules.cards import texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import Captured, HandDealt
from cardroom.rules.pisti.knowledge import imagine, knowledge_of
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import HistoryStep
from tests.rules.pisti.scene import deck, last_play, play, scene, scores, start
from tests.rules.playing import Sitting, examples, somewhere


def test_a_seat_sees_its_hand_and_the_size_of_the_others():
    state = scene("4C TC", ("9H 2C", "3C"), heaps=("5C 6C", ""), last_capturer=0)
    view = PISTI.view(state, 1)
    assert (view.hand, view.hand_sizes) == (("3C",), (2, 1))
    assert (view.top, view.pile_size, view.heap_sizes) == ("TC", 2, (2, 0))
    assert view.stock_size == len(state.stock)
    assert (view.to_act, view.legal_moves) == ((0,), ())


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


# Events as the other seats see them (rules §4).


def test_a_hand_is_told_to_its_seat_alone():
    dealt = HandDealt(1, 4, ("2C", "3C", "4C", "5C"))
    assert dealt.seen_by(1) == dealt
    assert dealt.seen_by(0) == dealt.seen_by(None) == HandDealt(1, 4, None)


def test_the_first_centre_is_told_to_its_capturer_alone():
    taken = Captured(0, 5, ("JS", "5C", "JD"))
    assert taken.seen_by(0) == taken
    assert taken.seen_by(1) == taken.seen_by(None) == Captured(0, 5, None)


def test_a_capture_of_seen_cards_is_public():
    taken = Captured(0, 2)
    assert taken.seen_by(1) == taken


def test_heaps_are_public_with_the_score():
    step = play(last_play("6H", "4D", ["AC KD", ""], last_capturer=0), "1 4D")
    assert [side.heap for side in scores(step).sides] == [("AC", "4D", "KD", "6H"), ()]
    assert scores(step).seen_by(None) == scores(step)


# Imagined worlds: true to everything that was seen, free in the rest.


def of_this_deal(events):
    return PISTI.recent_events(events, "round")


@examples(40)
@given(data=st.data())
def test_an_imagined_world_keeps_every_card_seen_in_its_place(data):
    sitting = somewhere(PISTI, data, 150)
    state = sitting.state
    for seat in range(len(sitting.setups)):
        events = of_this_deal(sitting.seen_by(seat))
        knowledge = knowledge_of(PISTI.view(state, seat), events)
        world = imagine(PISTI.view(state, seat), Random(2), events)
        assert [a for a in state.pile if a in knowledge.seen] == [
            a for a in world.pile if a in knowledge.seen
        ]
        for true, imagined in zip(state.heaps, world.heaps, strict=True):
            assert true.bit_count() == imagined.bit_count()
            assert not [card for card in knowledge.seen if (true ^ imagined) >> card & 1]


def test_worlds_differ_in_what_is_unknown():
    state = start(deck("")).state
    worlds = {imagine(PISTI.view(state, 0), Random(n)).hands[1] for n in range(20)}
    assert len(worlds) > 15


# Re-dealt matches: what was seen stays, what was not is dealt again.


@pytest.mark.parametrize("last", ["5C 6C", "5C JD", "4C JC JH JS JD"])
def test_an_exposed_bottom_card_stays_through_a_redeal(last):
    values = {"bottom_card": "exposed", "players": 3}
    step = start(deck("", last), **values)
    sitting = Sitting(PISTI, PISTI.choose_options(values), bytes(32))
    dealt = tuple(map(deck("").index, deck("", last)))
    history = (HistoryStep(1, (dealt,), step.events),)
    redealt = PISTI.redeal(step.state, history, frozenset({1}), sitting.sealed)
    again = PISTI.start(sitting.options, sitting.setups, lambda _: list(redealt.decks[0]))
    assert again.state == redealt.state
    assert PISTI.view(again.state, 1) == PISTI.view(step.state, 1)


def test_nothing_is_unknown_when_the_match_is_over():
    chosen = PISTI.choose_options({"target_score": None})
    sitting = Sitting.begun(PISTI, chosen, 9).play_on(Random(9))
    redealt = PISTI.redeal(sitting.state, sitting.history, frozenset({0}), seeded(Random(1)))
    assert redealt.moved == ()
    assert redealt.state == sitting.state
