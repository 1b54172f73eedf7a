"""The strategies that play Shithead, weakest first."""

from typing import Any, Final

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.shithead.bots.beginner import BEGINNER
from cardroom.rules.shithead.bots.searcher import SEARCHER, STRONG_SEARCHER
from cardroom.rules.shithead.bots.simple import KEEPER, LOWEST

BOTS: Final[tuple[Bot[Any], ...]] = (LOWEST, BEGINNER, KEEPER, SEARCHER, STRONG_SEARCHER, RANDOM)
