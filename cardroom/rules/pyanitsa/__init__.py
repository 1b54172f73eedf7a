"""Pyanitsa («Пьяница», Russian War): the highest card takes the trick, and in the end one seat
holds the entire deck.

2 to 8 seats turn up their next cards; equal highest cards are disputed with further ones. Nobody
decides anything, unless the match lets the taker choose the order of the cards it puts away.

Comments cite the rules by number (RULES.md, R1 to R16).
"""

from typing import Final

from cardroom.rules.game import Game
from cardroom.rules.pyanitsa import rules
from cardroom.rules.pyanitsa.bots import BOTS
from cardroom.rules.pyanitsa.encoding import ACTIONS, OBSERVATION, observe
from cardroom.rules.pyanitsa.events import Dispute, PyanitsaEvent, Recycled, TrickTaken
from cardroom.rules.pyanitsa.lesson import LESSON
from cardroom.rules.pyanitsa.narration import PHRASES, label, narrate
from cardroom.rules.pyanitsa.options import PRESET_WORDS, PRESETS, PyanitsaOptions, check
from cardroom.rules.pyanitsa.predicates import public_move, represents_others
from cardroom.rules.pyanitsa.state import PyanitsaState
from cardroom.rules.pyanitsa.view import deals, imagine, pinned, redeal_suffices, view
from cardroom.rules.text import say
from cardroom.rules.values import Measure

GAME: Final = Game(
    slug="pyanitsa",
    name="Pyanitsa",
    summary="Russian War: the highest card takes all, until one seat holds the entire deck.",
    options=PyanitsaOptions,
    state=PyanitsaState,
    events=PyanitsaEvent,
    start=rules.start,
    to_act=rules.to_act,
    legal_moves=rules.legal_moves,
    play=rules.play,
    outcome=rules.outcome,
    view=view,
    lesson=LESSON,
    presets=PRESETS,
    short={"max_tricks": 40},
    short_words=say("40 tricks, about two minutes."),
    bots=BOTS,
    is_luck=True,
    pinned=pinned,
    deals=deals,
    redeal_suffices=redeal_suffices,
    imagine=imagine,
    label=label,
    narrate=narrate,
    phrases=PHRASES,
    preset_words=PRESET_WORDS,
    quiet_events=(Recycled,),
    check_options=check,
    retired_seats=rules.retired_seats,
    autoplays=rules.autoplays,
    public_move=public_move,
    represents_others=represents_others,
    points_are_places=True,
    limit_option="max_tricks",
    round_name="match",
    measures=(
        Measure(name="tricks", event=TrickTaken),
        # A dispute of several levels is one dispute (R9, R11).
        Measure(name="disputes", event=Dispute, where=lambda event: event.level == 1),
    ),
    length="tricks",
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
