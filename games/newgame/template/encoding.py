"""Moves and views as numbers, for programs that learn: an action is the card to be laid."""

from array import array
from typing import Final

from cardroom.rules.cards import pack, texts
from cardroom.rules.encoding import (
    MOST,
    Feature,
    Layout,
    capped,
    numbered,
    option_features,
    option_numbers,
)
from games.newgame.template.options import NewGameOptions
from games.newgame.template.view import NewGameView

SEATS: Final = 5
CODES: Final = texts(pack(36))
PLACE: Final = {code: at for at, code in enumerate(CODES)}
CARDS: Final = len(CODES)

ACTIONS: Final = numbered(CODES)

OBSERVATION: Final = Layout(
    Feature("hand", CARDS, "1 for every card in the own hand"),
    Feature("laid", CARDS, "1 for every card of the trick so far"),
    Feature("gone", CARDS, "1 for every card of the tricks before"),
    Feature("hand_sizes", SEATS, "cards in hand, by seat", most=7),
    Feature("leader", SEATS, "1 for the seat that leads the trick"),
    Feature("tricks", SEATS, "tricks of this round, by seat", most=7),
    Feature("totals", SEATS, "tricks of the rounds before, by seat", most=MOST),
    Feature("round", 1, "the number of the round", most=MOST),
    *option_features(NewGameOptions),
)
(
    HAND, LAID, GONE, HAND_SIZES, LEADER, TRICKS, TOTALS, ROUND, OPTIONS, *_,
) = OBSERVATION.starts.values()  # fmt: skip


def observe(view: NewGameView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``; seats are counted from the own one."""
    out, own, players = OBSERVATION.blank(), view.seat or 0, view.options.players
    for start, codes in ((HAND, view.hand), (LAID, view.laid), (GONE, view.gone)):
        for code in codes:
            out[start + PLACE[code]] = 1
    for seat in range(players):
        at = (own + seat) % players
        out[HAND_SIZES + seat] = view.hand_sizes[at]
        out[LEADER + seat] = int(view.leader == at)
        out[TRICKS + seat] = view.tricks[at]
        out[TOTALS + seat] = capped(view.totals[at])
    out[ROUND] = capped(view.round)
    out[OPTIONS:] = option_numbers(view.options)
    return out
