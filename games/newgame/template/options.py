"""What the players choose before a match."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from games.rules.options_in_words import OptionWords
from games.rules.text import Words, say
from games.rules.values import Options


class NewGameOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=5, description="Number of seats.")] = 2
    hand_size: Annotated[int, Meta(ge=3, le=7, description="Cards in a hand.")] = 5
    rounds: Annotated[int, Meta(ge=1, le=20, description="Rounds in a match.")] = 3


PRESETS: Final[Mapping[str, NewGameOptions]] = {
    "usual": NewGameOptions(),
    "short": NewGameOptions(rounds=1),
    "four": NewGameOptions(players=4),
}

OPTION_WORDS: Final[Mapping[str, OptionWords]] = {
    "hand_size": OptionWords(say("Cards in a hand")),
    "rounds": OptionWords(say("Rounds"), say("Each is dealt anew.")),
}

NOTES: Final[Mapping[str, Words]] = {"rounds": say("The tricks of all rounds count.")}
