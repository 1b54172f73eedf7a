"""The options that players choose before a match (RULES.md §2)."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import Words, say
from cardroom.rules.values import BadOptions, Options

HAND: Final = 6  # R3


class DurakOptions(Options, frozen=True, kw_only=True):
    players: Annotated[
        int, Meta(ge=2, le=6), option(say("Players"), say("How many seats play."))
    ] = 2
    deck: Annotated[
        Literal[24, 36, 52],
        option(
            say("Pack"),
            say("Every player needs six cards of it."),
            choices={
                24: say("24 cards, from nine to ace"),
                36: say("36 cards, from six to ace"),
                52: say("52 cards, from two to ace"),
            },
        ),
    ] = 36
    transfer: Annotated[
        bool,
        option(
            say("Attacks may be passed on"),
            say("With a card of the same rank, before a card was beaten: perevodnoy durak."),
        ),
    ] = False
    throwers: Annotated[
        Literal["all", "neighbours"],
        option(
            say("Who may throw in"),
            choices={
                "all": say("everybody except the defender"),
                "neighbours": say("only the defender's neighbours"),
            },
        ),
    ] = "all"
    first_attack: Annotated[
        int,
        Meta(ge=1, le=6),
        option(say("Cards of the first attack"), say("How many there are at most.")),
    ] = 5
    games: Annotated[
        int,
        Meta(ge=1, le=20),
        option(say("Games"), say("The cards are dealt again for each.")),
    ] = 1


PRESETS: Final[Mapping[str, DurakOptions]] = {
    "podkidnoy": DurakOptions(),
    "perevodnoy": DurakOptions(transfer=True),
    "best_of_five": DurakOptions(games=5),
    "four": DurakOptions(players=4),
    "six": DurakOptions(players=6, deck=52, transfer=True),
}
PRESET_WORDS: Final[Mapping[str, Words]] = {
    "podkidnoy": say("Two players, 36 cards, others throw in."),
    "perevodnoy": say("Attacks may be passed on with a card of the same rank."),
    "best_of_five": say("Two players, five games."),
    "four": say("Four players, 36 cards."),
    "six": say("Six players with the full pack; attacks may be passed on."),
}
PRESET_NAMES: Final[Mapping[str, Words]] = {
    "podkidnoy": say("Podkidnoy"),
    "perevodnoy": say("Perevodnoy"),
    "best_of_five": say("Five games"),
    "four": say("For four"),
    "six": say("For six"),
}


def check(options: DurakOptions) -> None:
    """R2. Raises ``BadOptions``."""
    if options.players * HAND > options.deck:
        raise BadOptions(
            deck=say(
                "{deck} cards are too few for {players} players; everybody gets six.",
                deck=options.deck,
                players=options.players,
            )
        )
