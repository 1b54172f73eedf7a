"""Durak: attack, beat or take; the last one with cards is the fool.

Comments cite the rules by number (RULES.md, R1 to R25).
"""

from typing import Final

from cardroom.rules.game import Game
from cardroom.rules.values import Measure
from durak_cardroom.bots import BOTS
from durak_cardroom.encoding import ACTIONS, OBSERVATION, observe
from durak_cardroom.events import Drew, DurakEvent, Passed, Took, Transferred
from durak_cardroom.imagine import imagine
from durak_cardroom.narration import label, narrate
from durak_cardroom.options import PRESET_NAMES, PRESET_WORDS, PRESETS, DurakOptions, check
from durak_cardroom.pins import pinned
from durak_cardroom.rules import legal_moves, outcome, play, retired_seats, start, to_act
from durak_cardroom.state import DurakState
from durak_cardroom.view import view

GAME: Final = Game(
    slug="durak",
    name="Durak",
    summary="Attack, beat or take. The last one with cards is the fool.",
    options=DurakOptions,
    state=DurakState,
    events=DurakEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    preset_names=PRESET_NAMES,
    bots=BOTS,
    stand_in="greedy",
    pinned=pinned,
    imagine=imagine,
    label=label,
    narrate=narrate,
    quiet_events=(Drew, Passed),
    check_options=check,
    retired_seats=retired_seats,
    round_name="game",
    measures=(
        Measure(name="attacks taken", event=Took),
        Measure(name="attacks passed on", event=Transferred),
    ),
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
