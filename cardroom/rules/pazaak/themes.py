"""The themes of exercises of Pazaak, the most special one first."""

from collections.abc import Sequence
from typing import Final

from cardroom.rules.pazaak.moves import WORDS
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.text import say
from cardroom.rules.theme import Theme, Themes
from cardroom.rules.values import Event, Move


def of(
    view: PazaakView,
    events: Sequence[Event],  # noqa: ARG001 - both halves of the table lie open
    moves: Sequence[Move],
) -> str | None:
    rival = view.halves[1 - view.to_act[0]]
    is_card = [move not in WORDS for move in moves[:2]]
    if rival.standing:
        return "against_a_total"
    if all(is_card):
        return "which_card"
    if any(is_card):
        return "spend_a_card" if is_card[0] else "keep_a_card"
    return "when_to_stand" if "stand" in moves[:2] else None


THEMES: Final = Themes(
    {
        "when_to_stand": Theme(
            say("When to stand"), say("Is this total enough, or is one more card worth its risk?")
        ),
        "against_a_total": Theme(
            say("Against a standing total"), say("The other seat stands: its total is to beat.")
        ),
        "spend_a_card": Theme(
            say("Spending a side card"), say("A side card played is gone for the whole match.")
        ),
        "keep_a_card": Theme(
            say("Keeping a side card"), say("What you could play now may be worth more later.")
        ),
        "which_card": Theme(
            say("Which side card"), say("Several cards help: which of them can you spare?")
        ),
    },
    of,
)
