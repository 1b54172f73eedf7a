"""The games that have a deal of the day: each states how it is played then (``Game.daily``)."""

from collections.abc import Iterator

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame, DailyTerms


def games_of_the_day() -> Iterator[tuple[AnyGame, DailyTerms]]:
    for game in catalog.GAMES:
        if game.daily is not None:
            yield game, game.daily
