"""Shithead for 2 to 18 seats: get rid of all cards; the last player left is the shed.

Each seat has hidden, top and hand cards. Cards go onto one pile, each rank as high as the one
below or higher; twos, threes, tens and jokers go on anything, tens burn the pile, and a seat that
cannot play picks it up. ``predicates`` are the notation and what lies on what, ``state`` deals
and has a working copy for a turn, ``knowledge`` is which hand cards everybody has seen. Comments
cite the rules by number (RULES.md, R1 to R19).
"""

from typing import Final

from cardroom.rules.game import DailyTerms, Game
from cardroom.rules.shithead import rules
from cardroom.rules.shithead.bots import BOTS
from cardroom.rules.shithead.coaching import REASONS, THEMES
from cardroom.rules.shithead.encoding import ACTIONS, OBSERVATION, observe
from cardroom.rules.shithead.events import Burned, Dealt, Drew, ShitheadEvent, Turn
from cardroom.rules.shithead.knowledge import imagine
from cardroom.rules.shithead.lesson import LESSON
from cardroom.rules.shithead.narration import PHRASES, label, leaders, match_point, narrate
from cardroom.rules.shithead.options import PRESET_WORDS, PRESETS, ShitheadOptions, check
from cardroom.rules.shithead.predicates import alike
from cardroom.rules.shithead.state import ShitheadState
from cardroom.rules.shithead.view import ShitheadView, view
from cardroom.rules.text import say
from cardroom.rules.values import Measure

GAME: Final[Game[ShitheadOptions, ShitheadState, ShitheadView]] = Game(
    slug="shithead",
    name="Shithead",
    summary="Get rid of all your cards; the last one left is the shed.",
    options=ShitheadOptions,
    state=ShitheadState,
    events=ShitheadEvent,
    start=rules.start,
    to_act=rules.to_act,
    legal_moves=rules.legal_moves,
    play=rules.play,
    outcome=rules.outcome,
    view=view,
    rules_version=2,
    earlier={1: {"start": rules.start_version_1}},
    lesson=LESSON,
    presets=PRESETS,
    short_words=say("One game, about three minutes."),
    quick_preset="traditional",
    bots=BOTS,
    stand_in="keeper",
    pinned=rules.pinned,
    arrange=rules.arrange,
    play_past=rules.play_past,
    imagine=imagine,
    reasons=REASONS,
    themes=THEMES,
    label=label,
    narrate=narrate,
    phrases=PHRASES,
    daily=DailyTerms({"players": 4}, ("searcher", "keeper", "lowest")),
    preset_words=PRESET_WORDS,
    alike=alike,
    quiet_events=(Dealt, Drew, Turn),
    check_options=check,
    retired_seats=rules.retired_seats,
    time_goes_on=rules.time_goes_on,
    leaders=leaders,
    match_point=match_point,
    round_name="game",
    measures=(Measure(name="burns", event=Burned),),
    points_are_places=True,
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
