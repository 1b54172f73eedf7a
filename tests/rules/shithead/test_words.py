"""Moves on buttons and events in sentences."""

import pytest

from games.rules.shithead import SHITHEAD
from games.rules.shithead import events as happened

NAMES = ("Ada", "Bo", "Cy")


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
    assert SHITHEAD.label(move) == label


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (happened.GameStarted(2, 1, 2, 3, 9), "Game 2: Bo deals 3 cards of each kind."),
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
    assert SHITHEAD.narrate(event, NAMES) == sentence


def test_the_fields_of_an_event_have_the_names_of_the_rules():  # shithead §4
    events = SHITHEAD.decode_events(
        b'[{"type":"played","seat":0,"cards":["5C"],"from":"hand"},'
        b'{"type":"hidden_failed","seat":0,"slot":1,"card":"5C"},{"type":"match_over","standings":[]}]'
    )
    assert events[0] == happened.Played(0, ("5C",), "hand")
    assert events[1:] == (happened.HiddenFailed(0, 1, "5C"), happened.MatchOver(()))
