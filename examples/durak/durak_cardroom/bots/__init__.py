"""The computer players, the strongest first. They see a view and never a state."""

from typing import Any, Final

from cardroom.rules.bot import RANDOM, Bot
from durak_cardroom.bots.beginner import BEGINNER
from durak_cardroom.bots.greedy import GREEDY
from durak_cardroom.bots.thinker import THINKER

BOTS: Final[tuple[Bot[Any], ...]] = (THINKER, GREEDY, BEGINNER, RANDOM)
