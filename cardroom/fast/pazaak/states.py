"""Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules."""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import inner
from cardroom.fast.pazaak.layout import (
    ALLOWANCE,
    BOARD,
    CODE,
    GONE,
    IS_OVER,
    MAIN,
    MAIN_AT,
    MAIN_CODE,
    MAIN_SIZE,
    NONE,
    NUMBER,
    OPENED,
    PHASE,
    PLAYED,
    REST,
    ROUND_NO,
    SIDE,
    SIDE_CARDS,
    STANDING,
    STARTER,
    TO_ACT,
    TOTAL,
    TURN_CLOSE,
    TURN_PLAY,
    TURN_START,
    WINS_0,
    WINS_1,
)
from cardroom.fast.tracing import note_cards
from cardroom.rules.pazaak.deal import CHEATER, complete_setup
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.side_cards import CODES
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.values import Setup

PHASES: Final = {
    "turn_start": TURN_START,
    "turn_play": TURN_PLAY,
    "turn_close": TURN_CLOSE,
    "over": IS_OVER,
}
NUMBERS: Final = {code: at for at, code in enumerate(CODES)}


@inner
def note(cards: Any, seats: Any, hands: Any, facts: Any, trace: Any, ply: int) -> None:
    """The whole state as ``row`` has it, into the trace."""
    out, at = trace[ply], 1
    for fact in (ROUND_NO, OPENED, STARTER, TO_ACT, PHASE, WINS_0, WINS_1):
        out[at] = facts[fact]
        at += 1
    for seat in range(2):
        for fact in (STANDING, TOTAL, ALLOWANCE):
            out[at] = seats[seat, fact]
            at += 1
        at = note_cards(out, at, cards[seat, MAIN], seats[seat, MAIN_AT], MAIN_SIZE)
        at = note_cards(out, at, cards[seat, REST], 0, seats[seat, SIDE])
        at = note_cards(out, at, cards[seat, GONE], 0, seats[seat, PLAYED])
        at = note_cards(out, at, cards[seat, CODE], 0, seats[seat, BOARD])
        at = note_cards(out, at, cards[seat, NUMBER], 0, seats[seat, BOARD])
        for code in range(SIDE_CARDS):
            out[at] = hands[seat, code]
            at += 1
    out[0] = at - 1


def encode(options: PazaakOptions, setups: Sequence[Setup]) -> Any:
    facts = encode_options(options, [setup.bot == CHEATER for setup in setups])
    for setup in setups:
        deck = complete_setup(options, setup).side_deck or ()
        facts += [NUMBERS[code] for code in deck]
    return numpy.array(facts, dtype=numpy.int64)


def encode_options(options: PazaakOptions, cheats: Sequence[bool]) -> list[int]:
    """The options and who cheats, without side decks."""
    return [
        options.hand_rule == "once",
        options.rounds_to_win,
        options.stand_timing == "turn_end",
        options.auto_stand_20,
        options.table_fill == "stand",
        options.specials_take_slot,
        options.tiebreaker_scope == "played_this_round",
        ("opener", "seat0", "seat1").index(options.first_starter),
        ("alternate", "winner", "loser", "fixed").index(options.next_starter),
        NONE if options.max_rounds is None else options.max_rounds,
        *cheats,
    ]


def row(state: PazaakState) -> list[int]:
    """A state of the rules as ``note`` writes it."""
    to_act = NONE if state.to_act is None else state.to_act
    numbers = [state.round_no, state.opener, state.starter, to_act, PHASES[state.phase]]
    numbers += state.wins
    for player in state.halves:
        numbers += _half(player)
    return numbers


def _half(player: PlayerState) -> list[int]:
    main, board, allowance = player.main, player.board, player.allowance
    numbers = [player.standing, player.total, NONE if allowance is None else allowance]
    for cards in (
        main,
        [NUMBERS[code] for code in player.side],
        [NUMBERS[code] for code in player.played],
        [
            MAIN_CODE + int(card.code) if card.source == "main" else NUMBERS[card.code]
            for card in board
        ],
        [card.value for card in board],
    ):
        numbers.append(len(cards))
        numbers += cards
    held = [0] * SIDE_CARDS
    for code in player.hand if allowance is None else player.side:
        held[NUMBERS[code]] += 1
    return numbers + held
