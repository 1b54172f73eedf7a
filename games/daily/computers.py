"""What the house's computers make of a deal, on the person's seat, once it is revealed.

Before, nobody plays it: no figure of a running day exists that could be read.
"""

from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import Any, Final

from games.arena import compiled_code
from games.arena.playouts import play_match
from games.daily.models import ComputerScores, DailyDeal
from games.daily.scores import score
from games.daily.selectors import ONE_DAY, today
from games.rules import catalog
from games.rules.bot import RANDOM, Bot
from games.rules.game import AnyGame
from games.rules.shuffles import Sealed
from games.rules.values import Setup

MATCHES: Final = 50  # of each computer
SECONDS: Final = 2.0  # of a task: what else waits in the queue gets its turns
PLAIN_SHARE: Final = 10  # so many times fewer playouts where a search is not compiled
LATELY: Final = 7 * ONE_DAY


def house_levels(game: AnyGame) -> list[Bot[Any]]:
    return [bot for bot in game.bots if bot.rated and bot is not RANDOM]


def play_revealed(seconds: float = SECONDS) -> int:
    """Plays what is missing for about so long; how many matches that were."""
    until, played = monotonic() + seconds, 0
    for daily, bot in _missing():
        row, _ = ComputerScores.objects.get_or_create(daily=daily, bot=bot.slug)
        before = len(row.scores)
        while len(row.scores) < MATCHES and (monotonic() < until or not played):
            row.scores.append(_play(daily, bot, len(row.scores)))
            played += 1
        # Only where no other process has added to it meanwhile.
        ComputerScores.objects.filter(pk=row.pk, scores__len=before).update(scores=row.scores)
        if monotonic() >= until:
            break
    return played


def _missing() -> Iterator[tuple[DailyDeal, Bot[Any]]]:
    revealed = DailyDeal.objects.filter(
        day__gte=today() - LATELY, deal__revealed_at__isnull=False
    ).select_related("deal")
    for daily in revealed:
        played = {row.bot: len(row.scores) for row in daily.computers.all()}
        for bot in house_levels(catalog.find(daily.game)):
            if played.get(bot.slug, 0) < MATCHES:
                yield daily, bot


def in_time(game: AnyGame, bot: Bot[Any]) -> Bot[Any]:
    """The compiled form, or one that plays a match within a task in plain Python too."""
    quick = compiled_code.quick(game, bot)
    if quick is bot and bot.search is not None and bot.cost == "slow":
        return bot.search.tuned(bot, bot.slug, max(1, bot.search.playouts // PLAIN_SHARE))
    return quick


def _play(daily: DailyDeal, bot: Bot[Any], number: int) -> int:
    """The same deal again; only the choices of the computers differ."""
    game = catalog.find(daily.game)
    options = game.decode_options(bytes(daily.options))
    bots = [in_time(game, each) for each in (bot, *map(game.bot, daily.bots))]
    setups = [game.complete_setup(options, Setup(one.name, one.slug)) for one in bots]
    chance = Random(f"{daily.pk} {bot.slug} {number}")
    shuffle = Sealed(bytes(daily.deal.seed))
    return score(game, options, play_match(game, options, bots, setups, shuffle, chance).outcome)
