"""Options that the players choose before a match."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from cardroom.rules.option import option
from cardroom.rules.text import say
from cardroom.rules.values import Options


class NewGameOptions(Options, frozen=True, kw_only=True):
    players: Annotated[
        int, Meta(ge=2, le=5), option(say("Players"), say("How many seats play."))
    ] = 2
    hand_size: Annotated[int, Meta(ge=3, le=7), option(say("Cards in a hand"))] = 5
    rounds: Annotated[
        int,
        Meta(ge=1, le=20),
        option(
            say("Rounds"),
            say("The cards are dealt again for each."),
            note=say("The tricks of all rounds count."),
        ),
    ] = 3


PRESETS: Final[Mapping[str, NewGameOptions]] = {
    "usual": NewGameOptions(),
    "short": NewGameOptions(rounds=1),
    "four": NewGameOptions(players=4),
}
