"""The computer players of Pişti; each is a pure choice from what its seat knows."""

from typing import Final

from cardroom.rules.bot import RANDOM
from cardroom.rules.pisti.bots.beginner import BEGINNER
from cardroom.rules.pisti.bots.counter import COUNTER
from cardroom.rules.pisti.bots.greedy import GREEDY
from cardroom.rules.pisti.bots.searcher import SEARCHER

BOTS: Final = (BEGINNER, GREEDY, COUNTER, SEARCHER, RANDOM)
