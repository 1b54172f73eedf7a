"""The computer players: each is a pure choice from what its seat may know."""

from typing import Final

from games.rules.bot import RANDOM, Bot
from games.rules.pazaak.bots.beginner import BEGINNER
from games.rules.pazaak.bots.cheater import CHEATER
from games.rules.pazaak.bots.gambler import GAMBLER
from games.rules.pazaak.bots.professor import PROFESSOR
from games.rules.pazaak.bots.rookie import ROOKIE
from games.rules.pazaak.view import PazaakView

BOTS: Final[tuple[Bot[PazaakView], ...]] = (ROOKIE, BEGINNER, GAMBLER, PROFESSOR, CHEATER, RANDOM)
