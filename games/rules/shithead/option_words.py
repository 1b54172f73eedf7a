"""The house rules of Shithead as a form says them: a sentence for each option and each choice."""

from collections.abc import Mapping
from typing import Final

from games.rules.options_in_words import OptionWords
from games.rules.text import Words, say

OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "jokers": OptionWords(
        say("Jokers in the pack"),
        choices={
            2: say("two"),
            0: say("none"),
        },
    ),
    "deal": OptionWords(
        say("The deal"),
        choices={
            "even": say("the whole pack, evenly"),
            "three": say(
                "three hidden, three top and three hand cards each; the rest is the stock"
            ),
        },
    ),
    "refill": OptionWords(
        say("Drawing after a turn"),
        choices={
            "one_per_turn": say("one card"),
            "up_to_three": say("until the hand has three"),
        },
    ),
    "pickup": OptionWords(
        say("Picking up the pile"),
        choices={
            "forced": say("only when nothing can be played"),
            "voluntary": say("whenever you like"),
        },
    ),
    "games": OptionWords(
        say("Games in the match"),
    ),
    "burn_through_threes": OptionWords(
        say("Threes do not stop a burn"),
        say("Threes do not interrupt four of a kind or two jokers."),
    ),
    "seven_lower": OptionWords(
        say("After a seven, seven or lower"),
        say("After a seven the next card must be a seven or lower."),
    ),
    "exchange": OptionWords(
        say("Swap cards before the first turn"),
        say("Hand and top cards may be swapped before the first turn."),
    ),
    "joker_top": OptionWords(
        say("A joker on the pile"),
        choices={
            "high": say("is beaten only by 2, 3, 10 and jokers"),
            "transparent": say("is ignored, as a three is"),
            "reset": say("lets anything follow"),
        },
    ),
    "two_player_joker": OptionWords(
        say("Jokers in a match of two"),
        choices={
            "plain": say("change nothing"),
            "again": say("give another turn when their number is odd"),
        },
    ),
    "first_starter": OptionWords(
        say("Who starts the first game"),
        choices={
            "dealer_left": say("the seat left of the dealer"),
            "lowest_card": say("who holds the lowest card from three up"),
        },
    ),
    "next_starter": OptionWords(
        say("Who starts the next games"),
        choices={
            "shed": say("the shed of the game before"),
            "left_of_shed": say("the seat left of the shed"),
        },
    ),
    "max_turns": OptionWords(
        say("Turns of a game at most"),
        say("Then who holds most cards is the shed. Left empty, there is no limit."),
    ),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "traditional": say(
        "Three cards of each kind, no jokers, draw to three, pick up at will; the lowest starts."
    ),
}
