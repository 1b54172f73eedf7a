"""What is played on a day: the options of each game and its computers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.rules import catalog
from games.rules.game import AnyGame


class Terms(NamedTuple):
    """``bots`` sit on the seats after the person's."""

    options: Mapping[str, Any]
    bots: Sequence[str]


TERMS: Final = {
    "pisti": Terms({"target_score": None}, ("searcher",)),
    "pazaak": Terms({"rounds_to_win": 3}, ("professor",)),
    "shithead": Terms({"players": 4}, ("searcher", "keeper", "lowest")),
}


def games_of_the_day() -> Iterator[tuple[AnyGame, Terms]]:
    for game in catalog.GAMES:
        if game.slug in TERMS:
            yield game, TERMS[game.slug]
