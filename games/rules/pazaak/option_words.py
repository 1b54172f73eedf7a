"""The house rules of Pazaak as a form says them: a sentence for each option and each choice."""

from collections.abc import Mapping
from typing import Final

from games.rules.options_in_words import OptionWords
from games.rules.text import Words, say

OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "hand_rule": OptionWords(
        say("Side cards in the hand"),
        choices={
            "per_round": say("up to four new ones each round; what is not played is kept"),
            "once": say("four for the whole match"),
        },
    ),
    "rounds_to_win": OptionWords(
        say("Rounds that win the match"),
        say("Ties count for nobody."),
    ),
    "catalogue": OptionWords(
        say("Side cards that may be brought"),
        choices={
            "full": say("all 36"),
            "kotor1": say("plus, minus, and plus-or-minus cards"),
            "kotor2": say("those, ±1/2, the flips 2 & 4 and 3 & 6, double, tiebreaker"),
        },
    ),
    "max_copies": OptionWords(
        say("Equal cards in a side deck"),
        say("At most so many; left empty, as many as you like."),
    ),
    "stand_timing": OptionWords(
        say("When one may stand"),
        choices={
            "turn_start": say("before drawing: draw or stand"),
            "turn_end": say("after drawing: end the turn or stand"),
        },
    ),
    "auto_stand_20": OptionWords(
        say("Stand at 20 without being asked"),
        say("Who ends a turn with exactly 20 stands without being asked."),
    ),
    "specials_take_slot": OptionWords(
        say("Flip and double take a place"),
        say("Flip and double are placed on the board too, so they need a free place."),
    ),
    "table_fill": OptionWords(
        say("Nine cards at 20 or less"),
        choices={
            "win": say("win the round at once"),
            "stand": say("end the player's turns, as standing does"),
        },
    ),
    "tiebreaker_scope": OptionWords(
        say("A tiebreaker wins a tie"),
        say("If both have one it stays a tie."),
        choices={
            "last_card": say("if it is the newest card on its board"),
            "played_this_round": say("wherever it lies on its board"),
        },
    ),
    "first_starter": OptionWords(
        say("Who starts the first round"),
        choices={
            "opener": say("who has the higher bottom card"),
            "seat0": say("the first seat"),
            "seat1": say("the second seat"),
        },
    ),
    "next_starter": OptionWords(
        say("Who starts the next rounds"),
        say("After a tie it is the other seat."),
        choices={
            "alternate": say("the other seat each time"),
            "winner": say("who won the round before"),
            "loser": say("who lost the round before"),
            "fixed": say("who started the first round"),
        },
    ),
    "max_rounds": OptionWords(
        say("Rounds at most"),
        say("Ties included; more round wins take the match then. Left empty, there is no limit."),
    ),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "classic": say("Two round wins, all side cards, new ones each round."),
    "kotor1": say(
        "Three round wins, four side cards a match, stand after drawing; nine cards only stand."
    ),
    "kotor2": say(
        "Three round wins, four side cards a match, stand after drawing, more kinds of cards."
    ),
}

PRESET_NAMES: Final[Mapping[str, Words]] = {"kotor1": "KotOR", "kotor2": "KotOR II"}
