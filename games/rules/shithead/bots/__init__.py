"""The strategies that play Shithead, weakest first."""

from typing import Any, Final

from games.rules.bot import RANDOM, Bot
from games.rules.shithead.bots.beginner import BEGINNER
from games.rules.shithead.bots.keeper import KEEPER
from games.rules.shithead.bots.lowest import LOWEST
from games.rules.shithead.bots.searcher import SEARCHER, STRONG_SEARCHER

BOTS: Final[tuple[Bot[Any], ...]] = (LOWEST, BEGINNER, KEEPER, SEARCHER, STRONG_SEARCHER, RANDOM)
