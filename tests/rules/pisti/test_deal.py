"""Deals, batches and the exposed bottom card (rules R3 to R9, R16 and ``bottom_card``)."""

import pytest

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import CentreDealt, DealStarted, HandDealt, Redeal
from cardroom.rules.pisti.state import starter_of, with_exposed_bottom
from tests.rules.pisti.scene import deck, last_play, options, play, scene, stacked, start, told

STOCK = {2: 40, 3: 36, 4: 32}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_gets_four_and_the_rest_is_the_stock(players):  # R5, R9
    step = start(deck(""), players=players)
    assert [len(hand) for hand in step.state.hands] == [4] * players
    assert len(step.state.stock) == STOCK[players]
    assert step.state.to_play == 0
    assert [event.seat for event in told(step, HandDealt)] == list(range(players))


def test_the_deal_is_told_in_order():
    step = start(deck("2C 3C 4C 5C 6C 7C 8C 9C TC QC KC AC"))
    assert step.events == (
        DealStarted(1, 1, 0),
        HandDealt(0, 4, ("2C", "3C", "4C", "5C")),
        HandDealt(1, 4, ("6C", "7C", "8C", "9C")),
        CentreDealt(4, "AC"),
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_dealer_moves_one_seat_a_deal(players):  # R3
    chosen = options(players=players)
    starters = [starter_of(chosen, deal_no) for deal_no in range(1, 2 * players + 1)]
    assert starters == [*range(players)] * 2


def test_the_packets_of_a_later_deal_begin_with_its_starter():  # R5
    state = last_play("", "3C", players=4, deal_no=4, last_capturer=0)
    step = play(state, "3 3C", shuffle=stacked(deck("")))  # deal 5: seat 0 starts
    assert told(step, DealStarted) == [DealStarted(5, 3, 0)]
    state = last_play("", "3C", players=4, deal_no=1, last_capturer=0)
    step = play(state, "3 3C", shuffle=stacked(deck("")))
    assert told(step, DealStarted) == [DealStarted(2, 0, 1)]
    assert [event.seat for event in told(step, HandDealt)] == [1, 2, 3, 0]
    assert texts(step.state.hands[1]) == deck("")[4:8]


def test_a_batch_is_dealt_when_all_hands_are_empty():  # R16
    state = scene("", ("", "3C"), to_play=1, plays_made=7, stock="4C 5C 6C 7C 8C 9C TC QC KC")
    step = play(state, "1 3C")
    assert told(step, HandDealt) == [
        HandDealt(0, 4, ("4C", "5C", "6C", "7C")),
        HandDealt(1, 4, ("8C", "9C", "TC", "QC")),
    ]
    assert texts(step.state.stock) == ("KC",)
    assert texts(step.state.pile) == ("3C",)  # none to the centre
    assert step.state.to_play == 0
    assert step.scores is None


@pytest.mark.parametrize(
    ("last", "becomes"),
    [
        ("5C 6C", "5C 6C"),
        ("5C JD", "JD 5C"),
        ("4C 5C JS JD", "4C JS JD 5C"),
        ("4C JC JH JS JD", "JC JH JS JD 4C"),
    ],
)
def test_no_jack_lies_at_the_bottom_of_an_exposed_pack(last, becomes):
    adjusted = with_exposed_bottom([TEXT.index(code) for code in deck("", last)])
    size = len(becomes.split())
    assert " ".join(texts(adjusted[-size:])) == becomes
    assert texts(adjusted[:-size]) == deck("", last)[:-size]


def test_the_exposed_card_is_seen_by_all_from_deal_to_deal_end():
    state = start(deck("", "5C JD"), bottom_card="exposed").state
    shown = [PISTI.view(state, seat).bottom_card for seat in (0, 1, None)]
    assert shown == ["5C"] * 3
    assert texts(state.stock[-2:]) == ("JD", "5C")
    for _ in range(40):
        (seat,) = PISTI.to_act(state)
        state = PISTI.play(state, seat, PISTI.legal_moves(state, seat)[0], stacked()).state
    assert "5C" in texts(state.hands[1])  # the dealer gets it in the last batch
    assert PISTI.view(state, 0).bottom_card == "5C"


def test_a_hidden_pack_keeps_its_bottom():
    state = start(deck("", "5C JD")).state
    assert texts(state.stock[-2:]) == ("5C", "JD")
    assert PISTI.view(state, 0).bottom_card is None


def test_after_a_redeal_the_bottom_is_looked_at_again():
    jacks = deck("2C 3C 4C 5C 6C 7C 8C 9C JC JD JH JS")
    step = start(jacks, deck("", "8H JD"), bottom_card="exposed")
    assert len(told(step, Redeal)) == 1
    assert PISTI.view(step.state, None).bottom_card == "8H"


def test_only_four_jacks_void_a_deal():  # R8
    step = start(deck("JC JD 2C JS"), players=3)
    assert told(step, Redeal) == []
    assert texts(step.state.pile) == ("JS", "JC", "JD", "2C")
