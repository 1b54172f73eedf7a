"""The computer players of Pişti; each is a pure choice from what its seat knows."""

from typing import Final

from games.rules.bot import RANDOM
from games.rules.pisti.bots.beginner import BEGINNER
from games.rules.pisti.bots.counter import COUNTER
from games.rules.pisti.bots.greedy import GREEDY
from games.rules.pisti.bots.searcher import SEARCHER

BOTS: Final = (BEGINNER, GREEDY, COUNTER, SEARCHER, RANDOM)
