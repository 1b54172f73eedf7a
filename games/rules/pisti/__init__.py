"""Pişti: the Turkish fishing game. Match the top card of the pile, or play a jack, and take all.

Two to four seats, each for itself or in teams of two, play four cards at a time. Captured jacks,
aces, the two of clubs, the ten of diamonds and the majority of the cards score; a single card
captured by its own rank is a *pişti* and scores most. The match goes to 151 points.

``options`` are the rule choices, ``dealing``, ``capture`` and ``scoring`` the three thoughts of
the rules, ``rules`` puts them in order; ``view`` is what a seat may know, ``memory`` what it has
seen. Comments cite the rules by number (RULES.md, R1 to R28).
"""

from typing import Final

from games.rules.cards import text
from games.rules.game import Game
from games.rules.pisti.bots import BOTS
from games.rules.pisti.events import DealStarted, Pisti, PistiEvent
from games.rules.pisti.imagine import imagine
from games.rules.pisti.options import PRESETS, PistiOptions, check, seats, sides
from games.rules.pisti.redeal import redeal
from games.rules.pisti.rules import legal_moves, outcome, play, start, to_act
from games.rules.pisti.state import PistiState, all_cards
from games.rules.pisti.view import PistiView, view
from games.rules.pisti.words import label, narrate
from games.rules.values import Measure

PISTI: Final = Game(
    slug="pisti",
    name="Pişti",
    summary="Match the top card or play a jack to take the pile; a single card is a pişti.",
    min_seats=2,
    max_seats=4,
    options=PistiOptions,
    state=PistiState,
    view_type=PistiView,
    events=PistiEvent,
    presets=PRESETS,
    bots=BOTS,
    stand_in="counter",
    seats=seats,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    imagine=imagine,
    redeal=redeal,
    cards=all_cards,
    card_text=text,
    label=label,
    narrate=narrate,
    opening=DealStarted,
    check_options=check,
    sides=sides,
    measures=(Measure(name="piştis", event=Pisti),),
)
