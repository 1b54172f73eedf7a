"""Moves on buttons and events in sentences."""

import pytest

from cardroom.rules.shithead import GAME as SHITHEAD
from cardroom.rules.shithead import events as happened

NAMES = ("Ada", "Bo", "Cy")


def started(k):
    return happened.GameStarted(game_no=2, dealer=1, starter=2, k=k, stock=9)


@pytest.mark.parametrize(
    ("move", "label"),
    [
        ("5H 5D", "Play 5♥ 5♦"),
        ("X1", "Play Joker 1"),
        ("TD", "Play 10♦"),
        ("blind 2", "Turn up hidden card 3"),
        ("pickup", "Pick up the pile"),
        ("ready", "Ready"),
        ("swap 5C 2S", "Lay 5♣ open, take 2♠"),
    ],
)
def test_a_move_as_a_button_says_it(move, label):
    assert str(SHITHEAD.label(move)) == label


class CardsInRussian:
    """A reader's language: other words, other letters on the cards."""

    def knows(self, message, plural):
        return True

    def gettext(self, message):
        return {"Play {cards}": "Сыграть {cards}"}[message]

    def ngettext(self, one, many, count):
        raise AssertionError("nothing is counted")

    def card(self, code):
        return {"KD": "К♦", "KS": "К♠"}[code]


def test_a_move_in_another_language():
    assert SHITHEAD.label("KD KS").render(CardsInRussian()) == "Сыграть К♦ К♠"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (started(k=3), "Game 2: Bo deals 3 cards of each kind."),
        (started(k=1), "Game 2: Bo deals 1 card of each kind."),
        (happened.Dealt(0, ("5C", "TD"), None), "Ada shows 5♣ 10♦."),
        (happened.Dealt(0, ("5C",), ("KC",)), "Ada shows 5♣."),
        (happened.Exchanged(0, "5C", "2S"), "Ada lays 5♣ open and takes 2♠."),
        (happened.Ready(1), "Bo is ready."),
        (happened.Played(0, ("5C", "5D"), "hand"), "Ada plays 5♣ 5♦."),
        (happened.Played(0, ("5C",), "hidden"), "Ada plays 5♣ from the hidden cards."),
        (happened.Played(0, ("5C",), "hand_top"), "Ada plays 5♣ from hand and top cards."),
        (happened.HiddenFailed(0, 1, "5C"), "Ada turns up 5♣, which may not be played."),
        (happened.PickedUp(0, 1), "Ada picks up one card."),
        (happened.PickedUp(0, 7), "Ada picks up 7 cards."),
        (happened.Direction(-1), "Play goes anticlockwise now."),
        (happened.Burned(0, 5, "four"), "Four of a kind: Ada burns 5 cards."),
        (happened.Drew(0, 3, None), "Ada draws a card; 3 left in the stock."),
        (happened.Drew(0, 3, "KC"), "Ada draws K♣; 3 left in the stock."),
        (happened.SeatOut(2, 1), "Cy is out in place 1."),
        (happened.Turn(1), "Bo is to play."),
        (
            happened.GameOver((1,), (1, 2), (happened.Remaining(1, ("5C",), (), ("KC",)),)),
            "The game is over; Bo is the shed. Bo is left with 5♣ K♣.",
        ),
        (
            happened.GameOver((0, 1), (3, 3, 1), ()),
            "The game is over; Ada and Bo share being the shed.",
        ),
        (
            happened.MatchOver((happened.Standing(2, 1, 0, 1), happened.Standing(0, 2, 1, 2))),
            "The match is over; Cy wins.",
        ),
        (
            happened.MatchOver((happened.Standing(0, 1, 0, 1), happened.Standing(1, 1, 0, 1))),
            "The match is over; Ada and Bo share the win.",
        ),
    ],
)
def test_an_event_in_words(event, sentence):
    assert str(SHITHEAD.narrate(event, NAMES)) == sentence
