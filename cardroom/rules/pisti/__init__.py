"""Pişti: the Turkish fishing game. Match the top card of the pile, or play a jack, and take all.

Two to four seats, each for itself or in teams of two, play four cards at a time. Captured jacks,
aces, the two of clubs, the ten of diamonds and the majority of the cards score; a single card
captured by its own rank is a *pişti* and scores most. The match goes to 151 points.

Comments cite the rules by number (RULES.md, R1 to R28).
"""

from typing import Final

from cardroom.rules.game import DailyTerms, Feat, Game
from cardroom.rules.pisti.bots import BOTS
from cardroom.rules.pisti.coaching import CHANCES, REASONS, THEMES
from cardroom.rules.pisti.encoding import ACTIONS, OBSERVATION, observe
from cardroom.rules.pisti.events import CentreDealt, DealStarted, HandDealt, Pisti, PistiEvent
from cardroom.rules.pisti.knowledge import deals, imagine, pinned
from cardroom.rules.pisti.lesson import LESSON
from cardroom.rules.pisti.narration import PHRASES, label, match_point, narrate
from cardroom.rules.pisti.options import PRESET_WORDS, PRESETS, PistiOptions, check, sides
from cardroom.rules.pisti.rules import legal_moves, outcome, play, start, to_act
from cardroom.rules.pisti.state import PistiState
from cardroom.rules.pisti.view import view
from cardroom.rules.text import say
from cardroom.rules.values import Measure

GAME: Final = Game(
    slug="pisti",
    name="Pişti",
    summary="Match the top card or play a jack to take the pile; a single card is a pişti.",
    options=PistiOptions,
    state=PistiState,
    events=PistiEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    lesson=LESSON,
    presets=PRESETS,
    short={"target_score": None},
    short_words=say("One deal, about three minutes."),
    bots=BOTS,
    stand_in="counter",
    sides=sides,
    pinned=pinned,
    deals=deals,
    imagine=imagine,
    chances=CHANCES,
    reasons=REASONS,
    themes=THEMES,
    label=label,
    narrate=narrate,
    phrases=PHRASES,
    daily=DailyTerms(
        {"target_score": None}, ("searcher",), Feat(Pisti, say("A pişti in a deal of the day"))
    ),
    preset_words=PRESET_WORDS,
    quiet_events=(HandDealt, CentreDealt, DealStarted),
    check_options=check,
    match_point=match_point,
    round_name="deal",
    measures=(Measure(name="piştis", event=Pisti),),
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
