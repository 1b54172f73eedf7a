"""Shithead for 2 to 18 seats: get rid of all cards; the last player left is the shed.

Each seat has hidden, top and hand cards. Cards go onto one pile, each rank as high as the one
below or higher; twos, threes, tens and jokers go on anything, tens burn the pile, and a seat that
cannot play picks it up. ``moves`` is the notation, ``predicates`` say what lies on what;
``deal`` opens a game, ``turn`` changes a ``working_copy`` of the state, ``score`` ends a game;
``knowledge`` is which hand cards everybody has seen. Comments cite the rules by number
(RULES.md, R1 to R19).
"""

from typing import Final

from games.rules.game import Game
from games.rules.shithead.bots import BOTS
from games.rules.shithead.encoding import ACTIONS, OBSERVATION, observe
from games.rules.shithead.events import Burned, Dealt, Drew, ShitheadEvent, Turn
from games.rules.shithead.imagine import imagine
from games.rules.shithead.moves import alike
from games.rules.shithead.narration import label, narrate
from games.rules.shithead.options import PRESET_WORDS, PRESETS, ShitheadOptions, check
from games.rules.shithead.past import arrange, pinned, play_past
from games.rules.shithead.phrases import PHRASES
from games.rules.shithead.reasons import REASONS
from games.rules.shithead.recap import leaders, match_point
from games.rules.shithead.rules import (
    legal_moves,
    outcome,
    play,
    retired_seats,
    start,
    start_version_1,
    time_goes_on,
    to_act,
)
from games.rules.shithead.state import ShitheadState
from games.rules.shithead.themes import THEMES
from games.rules.shithead.view import ShitheadView, view
from games.rules.values import Measure

GAME: Final[Game[ShitheadOptions, ShitheadState, ShitheadView]] = Game(
    slug="shithead",
    name="Shithead",
    summary="Get rid of all your cards; the last one left is the shed.",
    options=ShitheadOptions,
    state=ShitheadState,
    events=ShitheadEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    rules_version=2,
    earlier={1: {"start": start_version_1}},
    presets=PRESETS,
    quick_preset="traditional",
    bots=BOTS,
    stand_in="keeper",
    pinned=pinned,
    arrange=arrange,
    play_past=play_past,
    imagine=imagine,
    reasons=REASONS,
    themes=THEMES,
    label=label,
    narrate=narrate,
    phrases=PHRASES,
    preset_words=PRESET_WORDS,
    alike=alike,
    quiet_events=(Dealt, Drew, Turn),
    check_options=check,
    retired_seats=retired_seats,
    time_goes_on=time_goes_on,
    leaders=leaders,
    match_point=match_point,
    round_name="game",
    measures=(Measure(name="burns", event=Burned),),
    points_are_places=True,
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
