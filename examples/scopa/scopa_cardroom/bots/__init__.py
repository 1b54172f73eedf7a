"""The computer players. They see a view and never a state."""

from typing import Final

from cardroom.rules.bot import RANDOM
from scopa_cardroom.bots.careful import CAREFUL
from scopa_cardroom.bots.greedy import GREEDY
from scopa_cardroom.bots.planner import PLANNER

BOTS: Final = (PLANNER, CAREFUL, GREEDY, RANDOM)
