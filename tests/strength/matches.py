"""One match by given bots, for measurements that look into it while it is played."""

from collections.abc import Sequence
from typing import Any, Final

from cardroom.arena.playouts import MatchInPlay
from cardroom.arena.series import generator
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.shuffles import seeded
from cardroom.rules.values import Options, Setup

SEED: Final = 1


def begun(
    game: AnyGame, options: Options, bots: Sequence[Bot[Any]], deal: int, number: int
) -> MatchInPlay:
    """The match has the decks of this deal; its bots draw from the generator of this number."""
    decks, rng = generator(SEED, "decks", deal), generator(SEED, "bots", number)
    match = MatchInPlay(game, bots, seeded(decks), rng)
    match.begin(options, [game.complete_setup(options, Setup(bot.slug)) for bot in bots])
    return match
