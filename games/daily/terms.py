"""What is played on a day: the options of each game and its computers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.text import Words, say


class Feat(NamedTuple):
    """``event`` is the name of an event of the person's seat; ``words``: the title for it."""

    event: str
    words: Words


class Terms(NamedTuple):
    """``bots`` sit on the seats after the person's. ``feat`` gives a title."""

    options: Mapping[str, Any]
    bots: Sequence[str]
    feat: Feat | None = None


PISTI: Final = Feat("Pisti", say("A pişti in a deal of the day"))


TERMS: Final = {
    "pisti": Terms({"target_score": None}, ("searcher",), PISTI),
    "pazaak": Terms({"rounds_to_win": 3}, ("professor",)),
    "shithead": Terms({"players": 4}, ("searcher", "keeper", "lowest")),
}


def games_of_the_day() -> Iterator[tuple[AnyGame, Terms]]:
    for game in catalog.GAMES:
        if game.slug in TERMS:
            yield game, TERMS[game.slug]
