"""Moves and events in words."""

import pytest

from cardroom.rules.pyanitsa import GAME as PYANITSA
from cardroom.rules.pyanitsa.events import (
    CardLaid,
    Dealt,
    Dispute,
    MatchOver,
    Recycled,
    SeatOut,
    TrickTaken,
)
from cardroom.rules.values import Resigned

NAMES = ("Ann", "Bob", "Cem")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Dealt(18, 0), "Everybody gets 18 cards."),
        (Dealt(7, 1), "Everybody gets 7 cards. 1 card set aside unseen."),
        (CardLaid(0, "TD", 0), "Ann lays 10♦."),
        (CardLaid(1, None, 1), "Bob lays a card face down."),
        (Recycled(2, 6), "Cem turns the won pile over: 6 cards."),
        (Dispute(1, (0, 1), False), "Dispute between Ann and Bob."),
        (
            Dispute(2, (0, 1, 2), True),
            "Another dispute between Ann, Bob and Cem, each with a card face down.",
        ),
        (TrickTaken(0, 2, "highest"), "Ann takes 2 cards."),
        (TrickTaken(0, 6, "dispute_won"), "Ann takes 6 cards, winning the dispute."),
        (
            TrickTaken(0, 6, "dispute_won", ("7D", "AH")),
            "Ann takes 6 cards, winning the dispute; face down lay 7♦, A♥.",
        ),
        (TrickTaken(1, 3, "no_cards"), "Bob takes 3 cards, having none left to dispute with."),
        (
            TrickTaken(1, 4, "no_cards", ("7D",)),
            "Bob takes 4 cards, having none left to dispute with; face down lay 7♦.",
        ),
        (Dispute(1, (1, 2), True), "Dispute between Bob and Cem, each with a card face down."),
        (Dispute(3, (1, 2), False), "Another dispute between Bob and Cem."),
        (Dealt(6, 4), "Everybody gets 6 cards. 4 cards set aside unseen."),
        (SeatOut(1, 4), "Bob has no cards left and is out."),
        (MatchOver((0,), "all_cards", (1, 2, 3)), "Ann wins the match with all the cards."),
        (
            MatchOver((0, 2), "gave_away", (1, 3, 1)),
            "Ann and Cem share the win with no cards left.",
        ),
        (MatchOver((1,), "limit", (2, 1, 3)), "Bob wins the match at the trick limit."),
    ],
)
def test_every_event_in_words(event, sentence):
    assert str(PYANITSA.narrate(event, NAMES)) == sentence


def test_the_words_are_of_what_one_may_know():
    event = TrickTaken(0, 6, "dispute_won", ("7D", "AH"))
    assert "7♦" not in str(PYANITSA.narrate(event.seen_by(1), NAMES))


def test_an_event_of_another_kind_has_no_words_here():
    with pytest.raises(TypeError, match="Resigned"):
        PYANITSA.narrate(Resigned(0), NAMES)


@pytest.mark.parametrize(
    ("move", "label"),
    [
        ("flip", "Turn up the next card"),
        ("collect KC TD X1", "Collect K♣ 10♦ Joker 1"),
        ("collect", "Collect the trick"),
    ],
)
def test_a_move_as_a_button_says_it(move, label):
    assert str(PYANITSA.label(move)) == label
