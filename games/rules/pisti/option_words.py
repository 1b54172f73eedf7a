"""The house rules of Pişti as a form says them: a sentence for each option and each choice."""

from collections.abc import Mapping
from typing import Final

from games.rules.options_in_words import OptionWords
from games.rules.text import Words, say

OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "teams": OptionWords(
        say("Two against two"),
        say("Four players only: those who sit opposite each other play together."),
    ),
    "target_score": OptionWords(
        say("Points that end the match"),
        say("The match ends after the deal that reaches them. Left empty, one deal is played."),
    ),
    "starter_rule": OptionWords(
        say("Who starts a deal"),
        choices={
            "rotate": say("the next seat each time"),
            "fixed": say("always the same seat"),
        },
    ),
    "fixed_starter_seat": OptionWords(
        say("Seat that always starts"),
        say("Where always the same seat starts."),
        choices={
            0: say("the first"),
            1: say("the second"),
            2: say("the third"),
            3: say("the fourth"),
        },
    ),
    "pisti_points": OptionWords(
        say("Points for a pişti"),
        say("For a single card captured by its own rank."),
    ),
    "double_pisti_points": OptionWords(
        say("Points for a double pişti"),
        say("For a single jack captured by a jack."),
    ),
    "majority_points": OptionWords(
        say("Points for the most cards"),
        say("For more cards than every other side."),
    ),
    "last_card_pisti": OptionWords(
        say("The last card can make a pişti"),
        say("The last card of a deal can score a pişti too."),
    ),
    "show_counts": OptionWords(
        say("Cards are counted for you"),
        say("The sizes of the pile and the heaps are shown."),
    ),
    "bottom_card": OptionWords(
        say("Bottom card of the pack"),
        choices={
            "hidden": say("stays hidden"),
            "exposed": say("lies open, and is no jack"),
        },
    ),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "classic": say("Two players, to 151 points."),
    "single": say("One deal, and always the same seat starts."),
    "four": say("Four players, each for themselves."),
    "partnership": say(
        "Two against two, the bottom card lies open, and nobody counts the piles for you."
    ),
}
