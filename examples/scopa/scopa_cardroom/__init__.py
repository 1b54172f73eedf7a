"""Scopa: the Italian fishing game. A card takes one of its own value, or several that add up to it.

Two or three seats each for itself, four in two partnerships, play with 40 cards. To clear the table
is a *scopa* and scores; the most cards, the most coins, the seven of coins and the best primiera
score too. Escoba, in which a card takes what makes 15 with it, is an option.

Comments cite the rules by number (RULES.md, R1 to R18).
"""

from typing import Final

from cardroom.rules.game import Game
from cardroom.rules.values import Measure
from scopa_cardroom.bots import BOTS
from scopa_cardroom.encoding import ACTIONS, OBSERVATION, observe
from scopa_cardroom.events import (
    Captured,
    DealStarted,
    HandsDealt,
    ScopaEvent,
    TableLaid,
    ThrownIn,
)
from scopa_cardroom.imagine import imagine
from scopa_cardroom.narration import label, narrate
from scopa_cardroom.options import PRESET_WORDS, PRESETS, ScopaOptions, check, sides
from scopa_cardroom.rules import legal_moves, outcome, play, start, to_act
from scopa_cardroom.state import ScopaState
from scopa_cardroom.view import view


def deals(_state: ScopaState, event: object) -> bool:
    """Each deck comes with one of these: the first of a deal, or the one after R4."""
    return isinstance(event, DealStarted | ThrownIn)


def time_goes_on(state: ScopaState) -> bool:
    """R9: to choose what a card takes is part of the same turn."""
    return bool(state.laid)


GAME: Final = Game(
    slug="scopa",
    name="Scopa",
    summary="Take cards that add up to yours, and sweep the table clean.",
    options=ScopaOptions,
    state=ScopaState,
    events=ScopaEvent,
    start=start,
    to_act=to_act,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    view=view,
    presets=PRESETS,
    preset_words=PRESET_WORDS,
    bots=BOTS,
    stand_in="careful",
    sides=sides,
    deals=deals,
    imagine=imagine,
    label=label,
    narrate=narrate,
    time_goes_on=time_goes_on,
    quiet_events=(DealStarted, TableLaid, HandsDealt),
    check_options=check,
    round_name="deal",
    measures=(Measure(name="scope", event=Captured, where=lambda event: event.sweep),),
    actions=ACTIONS,
    observation=OBSERVATION,
    observe=observe,
)
