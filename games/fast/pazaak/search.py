"""The search of ``professor`` compiled: what the seat knows as arrays, for ``worlds``.

The bot of the rules decides what is considered and what is believed (``belief.Belief``); the
playouts alone are compiled. A test compares the choices of both.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy

from games.fast.pazaak import batch, worlds
from games.fast.pazaak.layout import (
    ALLOWANCE,
    BOARD,
    CLOSE,
    CODE,
    DRAW,
    LAST,
    MAIN_CODE,
    NUMBER,
    OPENED,
    PHASE,
    REST,
    ROUND_NO,
    SIDE,
    STAND,
    STANDING,
    STARTER,
    TIEBREAKER,
    TO_ACT,
    TOTAL,
    WINS_0,
)
from games.fast.pazaak.states import encode_options
from games.fast.searching import CompiledSearch, comparison
from games.rules import search
from games.rules.pazaak.bots import professor, prospects
from games.rules.pazaak.bots.belief import Belief
from games.rules.pazaak.bots.world import NUMBER as NUMBER_OF
from games.rules.pazaak.moves import CARD_PLAYS, WAYS
from games.rules.pazaak.side_cards import DECK_SIZE
from games.rules.pazaak.view import PazaakView
from games.rules.values import Event, Move

WORDS: Final = {"draw": (DRAW, 0), "stand": (STAND, 0), "pass": (CLOSE, 0), "end": (CLOSE, 0)}
CHOICES: Final = WORDS | {
    move: (NUMBER_OF[play.code], WAYS[play.code].index(move)) for move, play in CARD_PLAYS.items()
}
CARDS_OF_A_ROW: Final = 64


def choose(view: PazaakView, events: Sequence[Event], rng: Random, playouts: int) -> Move:
    return professor.choose(view, events, rng, playouts, _best_move)


def _best_move(belief: Belief, moves: Sequence[Move], playouts: int, rng: Random) -> Move:
    arrays = arrays_of(belief, moves)

    def play_worlds(words: Any, count: int, which: Any, totals: Any) -> None:
        worlds.play_worlds(words, count, which, totals, *arrays)

    compare = comparison(play_worlds, rng)
    return search.best_by(compare, moves, playouts, rng, at_once=search.AT_ONCE)


def arrays_of(belief: Belief, moves: Sequence[Move]) -> tuple[Any, ...]:
    """What ``worlds.play_worlds`` needs beside words and totals, in the order of its parameters."""
    weights = prospects.weights_of(belief)
    return (
        _numbers(encode_options(belief.options, [each >= 0 for each in belief.allowance])),
        _known(belief, weights),
        _numbers([CHOICES[move] for move in moves]),
        _leads(weights),
        _numbers(weights.cards),
        _rows(belief.main, CARDS_OF_A_ROW),
        _rows([belief.side[belief.me]], DECK_SIZE)[0],
        _rows([[len(deck), *deck] for deck, _ in belief.decks], 1 + DECK_SIZE),
        _rows([(wanted.start, wanted.stop, since) for wanted, since in belief.passed_by], 3),
        *_table(belief),
        *worlds.scratch(),
    )


def _known(belief: Belief, weights: prospects.Weights) -> Any:
    known = numpy.zeros(worlds.KNOWN, dtype=numpy.int64)
    known[worlds.ME], known[worlds.MODELLED] = belief.me, belief.modelled
    known[worlds.MAIN_LEFT : worlds.MAIN_LEFT + 2] = [len(deck) for deck in belief.main]
    known[worlds.DECKS_LIKELY], known[worlds.HELD] = len(belief.decks), belief.decks[0][1]
    known[worlds.PASSED], known[worlds.START] = len(belief.passed_by), weights.start
    return known


def _leads(weights: prospects.Weights) -> Any:
    leads = numpy.zeros((prospects.MOST_NEEDED + 1,) * 2, dtype=numpy.int64)
    for needed, counts in weights.leads.items():
        leads[needed] = counts
    return leads


def _table(belief: Belief) -> tuple[Any, Any, Any, Any]:
    """Cards, seats, hands and facts as the kernel keeps them, as far as they are known."""
    _, cards, seats, hands, facts = batch.scratch()
    for seat in (0, 1):
        board = belief.board[seat]
        cards[seat, CODE, : len(board)] = _codes(belief, seat)
        cards[seat, NUMBER, : len(board)] = board
        seats[seat, BOARD], seats[seat, TOTAL] = len(board), belief.total[seat]
        seats[seat, STANDING] = belief.standing[seat]
        seats[seat, ALLOWANCE] = belief.allowance[seat]
        facts[WINS_0 + seat] = belief.wins[seat]
    side = belief.side[belief.me]
    cards[belief.me, REST, : len(side)], seats[belief.me, SIDE] = side, len(side)
    for card in belief.hand[belief.me]:
        hands[belief.me, card] += 1
    facts[ROUND_NO], facts[LAST] = belief.round_no, belief.last
    facts[OPENED], facts[STARTER] = belief.opener, belief.starter
    facts[TO_ACT], facts[PHASE] = belief.turn, belief.phase
    return cards, seats, hands, facts


def _codes(belief: Belief, seat: int) -> list[int]:
    """What lies on the board as far as it counts: whether a tiebreaker does, and is the newest."""
    codes = [MAIN_CODE] * len(belief.board[seat])
    if belief.ties[seat]:
        codes[0] = TIEBREAKER
    if codes:
        codes[-1] = TIEBREAKER if belief.newest_tie[seat] else MAIN_CODE
    return codes


def _numbers(values: Sequence[Any]) -> Any:
    return numpy.array(values, dtype=numpy.int64)


def _rows(rows: Sequence[Sequence[int]], width: int) -> Any:
    filled = numpy.zeros((len(rows), width), dtype=numpy.int64)
    for at, row in enumerate(rows):
        filled[at, : len(row)] = row
    return filled


def load() -> None:
    """Compiles what ``choose`` calls, or loads it from the disk."""
    words, totals = numpy.zeros(1, dtype=numpy.uint64), numpy.zeros(0)
    one, two = numpy.zeros(0, dtype=numpy.int64), numpy.zeros((0, 0), dtype=numpy.int64)
    known = (one, one, two, two, one, two, one, two, two, *batch.scratch()[1:])
    worlds.play_worlds(words, 0, one, totals, *known, *worlds.scratch())


SEARCHES: Final = {"professor": CompiledSearch(choose, load)}
