"""What a seat sees and what it does not (rules §5), in views, events and words."""

import msgspec
import pytest

from games.rules.cards import texts
from games.rules.pisti import PISTI
from games.rules.pisti.events import (
    Captured,
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    LeftoverAwarded,
    MatchOver,
    Pisti,
    Redeal,
)
from tests.rules.pisti.scene import NAMES, deck, last_play, play, scene, scores, start


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


SCORED = scores(play(last_play("", "3C", ["AC KD", ""], last_capturer=0), "1 3C"))

TOLD = [
    (DealStarted(2, 0, 1), "Deal 2: Ada deals, Ben starts."),
    (HandDealt(1, 4), "Ben gets 4 cards."),
    (HandDealt(0, 4, ("2C", "TD", "JH", "AS")), "Ada gets 4 cards: 2♣ 10♦ J♥ A♠."),
    (CentreDealt(4, "TD"), "4 cards lie in the centre, 10♦ on top."),
    (JackBuried("JS", "9H"), "J♠ goes under the pile; 9♥ is turned up."),
    (
        Redeal("four_jacks", ("JC", "JD", "JH", "JS")),
        "Four jacks lie in the centre: the cards are dealt again.",
    ),
    (CardPlayed(1, "7H", 3), "Ben plays 7♥."),
    (Captured(0, 2), "Ada captures 2 cards."),
    (Captured(0, 5, None), "Ada captures 5 cards."),
    (Captured(0, 5, ("2C", "3C", "4C")), "Ada captures 5 cards; face down lay 2♣ 3♣ 4♣."),
    (Pisti(0, 0, "single", 10), "Ada makes a pişti: 10 points."),
    (Pisti(1, 1, "double", 20), "Ben makes a double pişti: 20 points."),
    (LeftoverAwarded(0, 1), "The last card goes to Ada."),
    (LeftoverAwarded(0, 3), "The last 3 cards go to Ada."),
    (SCORED, "The deal is scored: Ada 4 (now 4), Ben 0 (now 0)."),
    (MatchOver(1, (120, 155)), "Ben wins the match, 155 to 120."),
    (MatchOver(None, (9, 9)), "The match is over, 9 to 9: a draw."),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_events_are_told_in_a_sentence(event, sentence):
    assert PISTI.narrate(event, NAMES[:2]) == sentence


def test_partners_are_named_together():
    assert PISTI.narrate(MatchOver(0, (151, 90)), NAMES) == "Ada and Cleo win the match, 151 to 90."


def test_every_event_is_told():
    assert {type(event) for event, _ in TOLD} == set(PISTI.events.__args__)


def test_a_move_has_a_label():
    assert PISTI.label("TD") == "Play 10♦"
