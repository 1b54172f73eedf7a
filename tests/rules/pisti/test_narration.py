"""What is said of moves and events."""

import pytest

from cardroom.rules.pisti import GAME as PISTI
from cardroom.rules.pisti.events import (
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
from tests.rules.pisti.scene import NAMES, last_play, play, scores

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
    (Pisti(1, 1, "single", 1), "Ben makes a pişti: 1 point."),
    (LeftoverAwarded(0, 1), "The last card goes to Ada."),
    (LeftoverAwarded(0, 3), "The last 3 cards go to Ada."),
    (SCORED, "The deal is scored: Ada 4 (now 4), Ben 0 (now 0)."),
    (MatchOver(1, (120, 155)), "Ben wins the match, 155 to 120."),
    (MatchOver(None, (9, 9)), "The match is over, 9 to 9: a draw."),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_events_are_told_in_a_sentence(event, sentence):
    assert str(PISTI.narrate(event, NAMES[:2])) == sentence


def test_partners_are_named_together():
    told = PISTI.narrate(MatchOver(0, (151, 90)), NAMES)
    assert str(told) == "Ada and Cleo win the match, 151 to 90."


def test_every_event_is_told():
    assert {type(event) for event, _ in TOLD} == set(PISTI.events.__args__)


def test_a_move_has_a_label():
    assert str(PISTI.label("TD")) == "Play 10♦"
