"""Pyanitsa («Пьяница», Russian War): the highest card takes the trick, and in the end one seat
holds the entire deck.

2 to 8 seats turn up their next cards; equal highest cards are disputed with further ones. Nobody
decides anything, unless the match lets the taker choose the order of the cards it puts away.

``options`` are the house rules, ``predicates`` say which card is higher; a match goes from
``dealing`` through ``laying``, ``disputes`` and ``taking`` to its ``ending``, and ``rules`` is the
door to all of them. ``view`` is what a seat may know, ``redealing`` what a loaded match deals
anew. Comments cite the rules by number (RULES.md, R1 to R16).
"""

from typing import Final

from games.rules.cards import text
from games.rules.game import Game
from games.rules.pyanitsa import events, words
from games.rules.pyanitsa.bots import AUTOMATON, BOTS
from games.rules.pyanitsa.dealing import start
from games.rules.pyanitsa.ending import outcome
from games.rules.pyanitsa.options import NOTES, PRESETS, PyanitsaOptions, check
from games.rules.pyanitsa.redealing import redeal
from games.rules.pyanitsa.rules import autoplays, legal_moves, out, play, public_move, to_act
from games.rules.pyanitsa.state import PyanitsaState, cards
from games.rules.pyanitsa.view import PyanitsaView, imagine, view
from games.rules.values import Measure

PYANITSA: Final[Game[PyanitsaOptions, PyanitsaState, PyanitsaView]] = Game(
    slug="pyanitsa",
    name="Pyanitsa",
    summary="Russian War: the highest card takes all, until one seat holds the entire deck.",
    min_seats=2,
    max_seats=8,
    options=PyanitsaOptions,
    state=PyanitsaState,
    view_type=PyanitsaView,
    events=events.PyanitsaEvent,
    presets=PRESETS,
    bots=BOTS,
    stand_in=AUTOMATON.slug,
    seats=lambda options: options.players,
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
    label=words.label,
    narrate=words.narrate,
    opening=events.Dealt,
    check_options=check,
    retired_seats=out,
    autoplays=autoplays,
    public_move=public_move,
    represents_others=lambda move: " " in move,  # `collect KC 9D` is listed once for every order
    option_notes=NOTES,
    measures=(
        Measure(name="tricks", event=events.TrickTaken),
        # A dispute of several levels is one dispute (R9, R11).
        Measure(name="disputes", event=events.Dispute, where=lambda event: event.level == 1),
    ),
    length="tricks",
)
