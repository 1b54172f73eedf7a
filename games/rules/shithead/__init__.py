"""Shithead for 2 to 18 seats: get rid of all cards; the last player left is the shed.

Everybody has hidden, top and hand cards. Cards go onto one pile, each rank as high as the one
below or higher; twos, threes, tens and jokers go on anything, tens burn the pile, and who cannot
play picks it up. ``options`` says what can be chosen, ``notation`` how moves are written,
``predicates`` what lies on what; ``rules`` begins, ``turns`` and ``table`` play, ``endings`` ends
a game; ``memory`` knows which hand cards everybody has seen. Comments cite the rules by
number (RULES.md, R1 to R19).
"""

from typing import Final

from games.rules.cards import text
from games.rules.game import Game
from games.rules.shithead.bots import BOTS
from games.rules.shithead.endings import outcome
from games.rules.shithead.events import Burned, GameStarted, ShitheadEvent
from games.rules.shithead.imagine import imagine
from games.rules.shithead.options import NOTES, PRESETS, ShitheadOptions, check, seats
from games.rules.shithead.redealing import play_past, redeal
from games.rules.shithead.rules import legal_moves, out, play, start, to_act
from games.rules.shithead.state import ShitheadState, cards
from games.rules.shithead.view import ShitheadView, view
from games.rules.shithead.words import label, narrate
from games.rules.values import Measure

SHITHEAD: Final[Game[ShitheadOptions, ShitheadState, ShitheadView]] = Game(
    slug="shithead",
    name="Shithead",
    summary="Get rid of all your cards; the last one left is the shed.",
    min_seats=2,
    max_seats=18,
    options=ShitheadOptions,
    state=ShitheadState,
    view_type=ShitheadView,
    events=ShitheadEvent,
    presets=PRESETS,
    bots=BOTS,
    stand_in="keeper",
    seats=seats,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    imagine=imagine,
    redeal=redeal,
    play_past=play_past,
    cards=cards,
    card_text=text,
    label=label,
    narrate=narrate,
    opening=GameStarted,
    check_options=check,
    retired_seats=out,
    option_notes=NOTES,
    measures=(Measure(name="burns", event=Burned),),
)
