"""The computer players: each is a pure choice from what its seat may know."""

from typing import Final

from cardroom.rules.bot import RANDOM, Bot
from cardroom.rules.pazaak.bots.professor import PROFESSOR
from cardroom.rules.pazaak.bots.simple import BEGINNER, CHEATER, ROOKIE
from cardroom.rules.pazaak.bots.six_rule import GAMBLER
from cardroom.rules.pazaak.view import PazaakView

BOTS: Final[tuple[Bot[PazaakView], ...]] = (ROOKIE, BEGINNER, GAMBLER, PROFESSOR, CHEATER, RANDOM)
