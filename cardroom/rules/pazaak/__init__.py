"""Pazaak: a duel of nerves at 20. Draw, improve the total with a side card, or stand.

Each of two seats has its own deck of forty cards (four each of 1 to 10) and a side deck of ten
cards that change the total. Over 20 loses the round, nine cards at 20 or less win it at once,
otherwise the higher total wins when both stand. The first seat to two round wins takes the match.

``side_cards`` is the catalogue and what makes a deck legal, ``predicates`` are the facts about a
board, the nine places in front of a seat. Comments cite the rules by number (RULES.md, R1 to R25).
"""

from typing import Final

from cardroom.rules.game import DailyTerms, Game
from cardroom.rules.pazaak.bots import BOTS
from cardroom.rules.pazaak.coaching import CHANCES, REASONS, THEMES
from cardroom.rules.pazaak.encoding import ACTIONS, OBSERVATION, observe
from cardroom.rules.pazaak.events import HandDrawn, Opener, PazaakEvent
from cardroom.rules.pazaak.knowledge import imagine, redeal
from cardroom.rules.pazaak.lesson import LESSON
from cardroom.rules.pazaak.narration import PHRASES, label, match_point, narrate
from cardroom.rules.pazaak.options import PRESET_NAMES, PRESET_WORDS, PRESETS, PazaakOptions
from cardroom.rules.pazaak.rules import legal_moves, outcome, play, start, to_act
from cardroom.rules.pazaak.state import PazaakState, cards, complete_setup
from cardroom.rules.pazaak.view import view
from cardroom.rules.text import say

GAME: Final = Game(
    slug="pazaak",
    name="Pazaak",
    summary="Draw towards 20 without going over; ten side cards of your own mend the total.",
    options=PazaakOptions,
    state=PazaakState,
    events=PazaakEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    lesson=LESSON,
    presets=PRESETS,
    short={"rounds_to_win": 1},
    short_words=say("One round, about two minutes."),
    bots=BOTS,
    stand_in="gambler",
    cards=cards,
    redeal=redeal,
    deals_anew=False,  # the side decks are those of the whole match
    imagine=imagine,
    chances=CHANCES,
    reasons=REASONS,
    themes=THEMES,
    card_text=str,
    label=label,
    narrate=narrate,
    phrases=PHRASES,
    daily=DailyTerms({"rounds_to_win": 3}, ("professor",)),
    preset_words=PRESET_WORDS,
    preset_names=PRESET_NAMES,
    quiet_events=(HandDrawn, Opener),
    complete_setup=complete_setup,
    needs_side_deck=True,
    distinct_cards=False,
    match_point=match_point,
    limit_option="max_rounds",
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
