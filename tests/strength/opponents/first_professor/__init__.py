"""``professor``: weighs every choice by the chance to win the match that it leads to.

``prospects`` says what a round's result is worth, ``hands`` what hands can do, ``alone``,
``chased`` and ``together`` what positions are worth, ``choice`` which choices there are.
"""

from typing import Final

from games.rules.bot import Bot
from games.rules.pazaak.view import PazaakView
from tests.strength.opponents.first_professor.choice import choose

PROFESSOR: Final[Bot[PazaakView]] = Bot(
    slug="first_professor",
    name="First professor",
    summary="Weighs every choice over the draws to come, the rival's likely hand and the match.",
    level=5,
    choose=choose,
    cost="slow",
    seconds=2.0,
)
