"""New Game: everybody lays a card a trick, the highest rank takes it; the most tricks win.

Comments cite the rules by number (RULES.md, R1 to R9).
"""

from typing import Final

from cardroom.rules.game import Game
from cardroom.rules.values import Measure
from games.newgame.template.bots import BOTS
from games.newgame.template.encoding import ACTIONS, OBSERVATION, observe
from games.newgame.template.events import NewGameEvent, TrickTaken
from games.newgame.template.lesson import LESSON
from games.newgame.template.narration import narrate
from games.newgame.template.options import PRESETS, NewGameOptions
from games.newgame.template.rules import legal_moves, outcome, play, start, to_act
from games.newgame.template.state import NewGameState
from games.newgame.template.view import view

GAME: Final = Game(
    slug="new-game",
    name="New Game",
    summary="Everybody lays a card, the highest one takes the trick.",
    options=NewGameOptions,
    state=NewGameState,
    events=NewGameEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    presets=PRESETS,
    lesson=LESSON,
    bots=BOTS,
    narrate=narrate,
    measures=(Measure(name="tricks", event=TrickTaken),),
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
