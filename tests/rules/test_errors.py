"""Refusals carry phrases for the doors and read as English sentences."""

from cardroom.rules.text import CardName, say
from cardroom.rules.values import MATCH_OVER, BadOptions, IllegalMove, NotYourTurn


def test_a_refusal_keeps_its_phrase():
    phrase = say("You do not hold {card}.", card=CardName("TD"))
    refusal = IllegalMove("not_in_hand", phrase)
    assert str(refusal) == "You do not hold 10♦."
    assert (refusal.reason, refusal.sentence) == ("not_in_hand", phrase)


def test_faults_are_told_one_after_the_other():
    refusal = BadOptions(say("Teams need {n} players.", n=4), "There is no deck of 40 cards.")
    assert str(refusal) == "Teams need 4 players. There is no deck of 40 cards."
    assert list(map(str, refusal.faults)) == [
        "Teams need 4 players.",
        "There is no deck of 40 cards.",
    ]


def test_a_turn_that_is_not_ones_own():
    assert str(NotYourTurn()) == "It is not your turn."
    assert str(NotYourTurn(MATCH_OVER)) == "The match is over."
    assert NotYourTurn(MATCH_OVER).reason == "not_your_turn"
