"""Moves and views of Pazaak as numbers: an action is one of the texts a move can be."""

from array import array
from typing import Final

from cardroom.rules.encoding import (
    MOST,
    Feature,
    Layout,
    capped,
    numbered,
    option_features,
    option_numbers,
)
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import MAIN_PACK, MOVES, PLACES
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE
from cardroom.rules.pazaak.view import HalfView, PazaakView

PHASES: Final = ("turn_start", "turn_play", "turn_close", "over")
NUMBER: Final = {code: number for number, code in enumerate(CODES)}
MOST_TOTAL: Final = 200
TIEBREAKER: Final = "T"

ACTIONS: Final = numbered(tuple(MOVES))


def _half(whose: str) -> tuple[Feature, ...]:
    return (
        Feature(f"{whose}.values", PLACES, "what the cards on the board count, oldest first",
                most=MOST_TOTAL, least=-MOST_TOTAL),
        Feature(f"{whose}.side", PLACES, "1 for a card from the side deck"),
        Feature(f"{whose}.tiebreaker", PLACES, "1 for a tiebreaker"),
        Feature(f"{whose}.played", len(CODES), "side cards played in this match, by card",
                most=DECK_SIZE),
        Feature(f"{whose}.total", 1, "the sum of the board", most=MOST_TOTAL, least=-MOST_TOTAL),
        Feature(f"{whose}.standing", 1, "1 if the seat stands"),
        Feature(f"{whose}.wins", 1, "rounds won", most=9),
        Feature(f"{whose}.cards_in_hand", 1, "side cards in hand", most=DECK_SIZE),
        Feature(f"{whose}.cards_in_side_deck", 1, "side cards not drawn yet", most=DECK_SIZE),
        Feature(f"{whose}.cards_in_main_deck", 1, "main cards not drawn yet", most=len(MAIN_PACK)),
        Feature(f"{whose}.cheater", 1, "1 for a cheater"),
        Feature(f"{whose}.allowance", 1, "cards that a cheater may still play", most=MOST),
    )  # fmt: skip


OBSERVATION: Final = Layout(
    Feature("phase", len(PHASES), "turn start, play, close, over: 1 for the one there is"),
    Feature("hand", len(CODES), "own side cards in hand, by card", most=DECK_SIZE),
    Feature("side_deck", len(CODES), "own side cards not drawn yet, by card", most=DECK_SIZE),
    Feature("starter", 1, "1 if this seat began the round"),
    Feature("round_no", 1, "the round being played, from 1", most=MOST),
    *_half("own"),
    *_half("rival"),
    *option_features(PazaakOptions),
)
_AT: Final = OBSERVATION.starts
PHASE, HAND, SIDE_DECK, STARTER, ROUND_NO, OWN, *_ = _AT.values()
RIVAL: Final = _AT["rival.values"]
OPTIONS: Final = _AT["options.hand_rule"]
VALUES, SIDE, TIEBREAKERS, PLAYED, FACTS, *_ = [at - OWN for at in _AT.values() if at >= OWN]


def observe(view: PazaakView) -> "array[int]":
    """The view of a seat in the layout of ``OBSERVATION``."""
    out, own = OBSERVATION.blank(), view.seat or 0
    out[PHASE + PHASES.index(view.phase)] = 1
    for code in view.hand or ():
        out[HAND + NUMBER[code]] += 1
    for code in view.side_deck or ():
        out[SIDE_DECK + NUMBER[code]] += 1
    out[STARTER] = view.starter == own
    out[ROUND_NO] = capped(view.round_no)
    _write(out, OWN, view.halves[own])
    _write(out, RIVAL, view.halves[1 - own])
    out[OPTIONS:] = option_numbers(view.options)
    return out


def _write(out: "array[int]", start: int, half: HalfView) -> None:
    for place, card in enumerate(half.board, start=start):
        out[VALUES + place] = card.value
        out[SIDE + place] = card.source == "side"
        out[TIEBREAKERS + place] = card.code == TIEBREAKER
    for code in half.played:
        out[start + PLAYED + NUMBER[code]] += 1
    facts = (
        half.total,
        half.standing,
        half.wins,
        half.cards_in_hand,
        half.cards_in_side_deck,
        half.cards_in_main_deck,
        half.allowance is not None,
        capped(half.allowance or 0),
    )
    out[start + FACTS : start + FACTS + len(facts)] = array("h", facts)
