"""Pazaak: a duel of nerves at 20. Draw, improve the total with a side card, or stand.

Each of two seats has its own deck of forty cards (four each of 1 to 10) and a side deck of ten
cards that change the total. Over 20 loses the round, nine cards at 20 or less win it at once,
otherwise the higher total wins when both stand. The first seat to two round wins takes the match.

``side_cards`` is the catalogue and what a legal deck is, ``options`` the rule choices, ``board``
the facts about what lies in front of a seat, ``turns`` and ``rounds`` the two thoughts of the
rules, ``rules`` the contract's functions; ``view`` is what a seat may know. Comments cite the
rules by number (RULES.md, R1 to R25).
"""

from typing import Final

from games.rules.game import Game
from games.rules.pazaak.bots import BOTS
from games.rules.pazaak.events import PazaakEvent, RoundStarted
from games.rules.pazaak.imagine import imagine
from games.rules.pazaak.options import PRESETS, PazaakOptions, seats
from games.rules.pazaak.redealing import redeal
from games.rules.pazaak.rounds import outcome, outfit
from games.rules.pazaak.rules import cards, legal_moves, play, start, to_act
from games.rules.pazaak.state import PazaakState
from games.rules.pazaak.view import PazaakView, view
from games.rules.pazaak.words import label, narrate

PAZAAK: Final = Game(
    slug="pazaak",
    name="Pazaak",
    summary="Draw towards 20 without going over; ten side cards of your own mend the total.",
    min_seats=2,
    max_seats=2,
    options=PazaakOptions,
    state=PazaakState,
    view_type=PazaakView,
    events=PazaakEvent,
    presets=PRESETS,
    bots=BOTS,
    stand_in="gambler",
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
    card_text=str,
    label=label,
    narrate=narrate,
    opening=RoundStarted,
    complete_setup=outfit,
    needs_side_deck=True,
    distinct_cards=False,
)
