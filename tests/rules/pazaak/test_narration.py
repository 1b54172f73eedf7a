"""Moves and events in words."""

import pytest

from cardroom.rules.pazaak import GAME as PAZAAK
from cardroom.rules.pazaak.events import CardPlayed, HandDrawn, MatchOver, RoundOver
from cardroom.rules.values import MalformedMove

NAMES = ("Ann", "Bob")


def card_played(code, seat=0, sign=None, looked_at=None, *, effect, total):
    return CardPlayed(
        seat=seat,
        code=code,
        sign=sign,
        value=None,
        effect=effect,
        total=total,
        looked_at=looked_at,
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("draw", "Draw a card"),
        ("stand", "Stand"),
        ("pass", "Play no card"),
        ("end", "End the turn"),
        ("P3", "Play +3"),
        ("M3", "Play −3"),
        ("PM3-", "Play ±3 as −3"),
        ("PM12+2", "Play ±1/2 as +2"),
        ("F24", "Flip 2 & 4"),
        ("D", "Double the newest card"),
        ("T+", "Play Tiebreaker ±1 as +1"),
    ],
)
def test_a_button_says_what_it_does(move, words):
    assert str(PAZAAK.label(move)) == words


def test_what_is_no_move_has_no_label():
    with pytest.raises(MalformedMove):
        PAZAAK.label("P9")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (HandDrawn(0, 2, ("P1", "T")), "Ann draws +1, Tiebreaker ±1."),
        (HandDrawn(0, 2, None), "Ann draws 2 cards."),
        (HandDrawn(0, 0, None), "Ann draws no side cards."),
        (
            HandDrawn(1, 4, (), cheating=True),
            "Bob cheats: it may play 4 cards more, any of its whole side deck.",
        ),
        (card_played("PM3", sign="-", effect=-3, total=-1), "Ann plays ±3 as −3: −1."),
        (
            card_played("F24", effect=(0, 2), total=5),
            "Ann plays Flip 2 & 4, turning 2 cards over: 5.",
        ),
        (card_played("F24", effect=(), total=5), "Ann plays Flip 2 & 4 in vain: 5."),
        (card_played("D", effect=(1,), total=10), "Ann plays Double: 10."),
        (
            card_played("T", seat=1, sign="+", effect=1, total=20, looked_at=7),
            (
                "Bob plays Tiebreaker ±1 as +1, having looked at all 7 cards left in its side deck"
                ": 20."
            ),
        ),
        (
            RoundOver(1, "bust", (22, 3), (0, 1)),
            "Ann is bust at 22: Bob wins the round. It stands 0 to 1.",
        ),
        (
            RoundOver(None, "tie", (20, 20), (0, 0)),
            "Equal totals: the round is a tie. It stands 0 to 0.",
        ),
        (MatchOver(1, (0, 2)), "Bob wins the match 2 to 0."),
        (MatchOver(None, (1, 1)), "The match is drawn, 1 to 1."),
    ],
)
def test_an_event_is_told_in_a_sentence(event, words):
    assert str(PAZAAK.narrate(event, NAMES)) == words
