"""High Card: a game as small as a game can be, added by the README's recipe "Add a game".

Everybody gets three cards and lays one a trick; the highest rank takes the trick, the first of
equal ones; the most tricks win. It states twelve facts; the rest are the defaults of ``Game``.
"""

from typing import Final

from cardroom.rules.game import Game
from tests.fifth_game.events import HighCardEvent
from tests.fifth_game.options import HighCardOptions
from tests.fifth_game.rules import legal_moves, outcome, play, start, to_act
from tests.fifth_game.state import HighCardState
from tests.fifth_game.view import view

GAME: Final = Game(
    slug="high-card",
    name="High Card",
    summary="The highest card takes the trick; most tricks win.",
    options=HighCardOptions,
    state=HighCardState,
    events=HighCardEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
)
