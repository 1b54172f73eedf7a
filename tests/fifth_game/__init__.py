"""High Card: a game as small as a game can be, added by the README's recipe "Add a game".

Everybody gets three cards and lays one a trick; the highest rank takes the trick, the first of
equal ones; the most tricks win. Nothing of it is known outside this folder.
"""

from typing import Final

from games.rules.bot import RANDOM
from games.rules.cards import text
from games.rules.game import Game
from tests.fifth_game.events import CardLaid, Dealt, TrickTaken
from tests.fifth_game.options import PRESETS, HighCardOptions, seats
from tests.fifth_game.rules import cards, legal_moves, outcome, play, redeal, start, to_act
from tests.fifth_game.state import HighCardState
from tests.fifth_game.view import HighCardView, imagine, view
from tests.fifth_game.words import label, narrate

HIGH_CARD: Final = Game(
    slug="high-card",
    name="High Card",
    summary="The highest card takes the trick; most tricks win.",
    min_seats=2,
    max_seats=5,
    options=HighCardOptions,
    state=HighCardState,
    view_type=HighCardView,
    events=Dealt | CardLaid | TrickTaken,
    presets=PRESETS,
    bots=(RANDOM,),
    stand_in="random",
    seats=seats,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    imagine=imagine,
    redeal=redeal,
    cards=cards,
    card_text=text,
    label=label,
    narrate=narrate,
    opening=Dealt,
)
