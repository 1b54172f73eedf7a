"""The settings of a Cardroom that also plays `tests/fifth_game`, which has no page of its own."""

from cardroom.rules import catalog
from config.settings import *  # noqa: F403
from tests.fifth_game import GAME as HIGH_CARD

catalog.GAMES = (*catalog.GAMES, HIGH_CARD)
