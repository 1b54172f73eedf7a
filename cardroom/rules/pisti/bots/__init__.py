"""The computer players of Pişti; each is a pure choice from what its seat knows."""

from typing import Final

from cardroom.rules.bot import RANDOM
from cardroom.rules.pisti.bots.searcher import SEARCHER
from cardroom.rules.pisti.bots.simple import BEGINNER, COUNTER, GREEDY

BOTS: Final = (BEGINNER, GREEDY, COUNTER, SEARCHER, RANDOM)
