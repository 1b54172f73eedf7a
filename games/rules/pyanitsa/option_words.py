"""The house rules of Pyanitsa as a form says them: a sentence for each option and each choice."""

from collections.abc import Mapping
from typing import Final

from games.rules.options_in_words import OptionWords
from games.rules.text import Words, say

OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "deck": OptionWords(
        say("Cards"),
        choices={
            36: say("36, six to ace"),
            52: say("52, two to ace"),
            54: say("54, with two jokers"),
        },
    ),
    "dispute": OptionWords(
        say("A dispute is settled"),
        choices={
            "open": say("with one open card each"),
            "mortgage": say("with one card face down and one open each"),
        },
    ),
    "collect_to": OptionWords(
        say("Taken cards go"),
        choices={
            "won_pile": say("to a pile of their own"),
            "bottom": say("under the draw pile"),
        },
    ),
    "recycle": OptionWords(
        say("The won pile comes up again"),
        choices={
            "fifo": say("first won first"),
            "lifo": say("last won first"),
            "shuffle": say("shuffled"),
        },
    ),
    "collect_order": OptionWords(
        say("Taken cards are put away"),
        choices={
            "as_laid": say("as they were laid"),
            "own_first": say("the own ones first"),
            "random": say("in random order"),
            "arbitrary": say("in the order the taker likes"),
        },
    ),
    "short_dispute": OptionWords(
        say("Who has no card for a dispute"),
        choices={
            "takes_all": say("takes the table"),
            "loses": say("loses the dispute"),
        },
    ),
    "goal": OptionWords(
        say("The winner is"),
        choices={
            "collect": say("who holds all cards"),
            "giveaway": say("who is the first without cards"),
        },
    ),
    "low_beats_ace": OptionWords(
        say("A low card beats an ace"),
        choices={
            "off": say("never"),
            "lowest": say("the lowest rank does"),
            "six": say("the six does"),
        },
    ),
    "jokers": OptionWords(
        say("Jokers"),
        say("Of 54 cards only."),
        choices={
            "equal": say("are equal"),
            "ranked": say("differ: the first beats the second"),
        },
    ),
    "leader": OptionWords(
        say("Who leads a trick"),
        choices={
            "winner": say("who took the one before"),
            "fixed": say("always the lowest seat"),
            "rotate": say("each in turn"),
        },
    ),
    "max_tricks": OptionWords(
        say("Tricks at most"),
        say("The match stops after so many."),
    ),
    "pace": OptionWords(
        say("Cards are turned up"),
        choices={
            "manual": say("by the players"),
            "auto": say("by the table"),
        },
    ),
}

PRESET_WORDS: Final[Mapping[str, Words]] = {
    "six_beats_ace": say(
        "52 cards, disputes with a card face down, taken cards go under; the six beats an ace."
    ),
}
