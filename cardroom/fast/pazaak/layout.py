"""Which number means what: result columns, encoded options, the arrays of a match, side cards.

Options and states as rows of numbers; ``note`` writes what ``row`` reads off the rules.

Cards on a board: what may be laid, what it changes, ties (R14 to R17, R22, R25).
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy

from cardroom.fast.compiling import inner, note_cards
from cardroom.fast.kernel import Columns
from cardroom.rules.pazaak import predicates
from cardroom.rules.pazaak.bots.outlook import worth
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import CARD_PLAYS, MAIN_PACK, PLACES, TAKES_PLACE, WAYS
from cardroom.rules.pazaak.side_cards import CODES
from cardroom.rules.pazaak.state import CHEATER, PazaakState, PlayerState, complete_setup
from cardroom.rules.values import Setup

COLUMNS: Final = Columns(
    reasons=("rounds", "limit"),
    measures=(),
    events=(
        "match_started", "round_started", "opener", "hand_drawn", "main_drawn", "card_played",
        "passed", "stood", "round_over", "match_over",
    ),
)  # fmt: skip

ROUNDS, PLIES = 1, 2

(
    MATCH_STARTED, ROUND_STARTED, OPENER_TOLD, HAND_DRAWN, MAIN_DRAWN, CARD_PLAYED, PASSED, STOOD,
    ROUND_OVER, MATCH_OVER,
) = range(3, 13)  # fmt: skip

POINTS: Final = COLUMNS.points

# The options as they are encoded, then for each seat whether it cheats, then both side decks.
(
    ONCE, ROUNDS_TO_WIN, AT_END, AUTO_STAND, FILL_STANDS, TAKES_SLOT, ANY_TIEBREAKER, FIRST, NEXT,
    MAX_ROUNDS, CHEATS,
) = range(11)  # fmt: skip

SIDE_DECKS: Final = CHEATS + 2

OPENER, SEAT_0, SEAT_1 = range(3)

ALTERNATE, WINNER, LOSER, ALWAYS = range(4)

NONE: Final = -1

RANDOM, ROOKIE, GAMBLER = range(3)

SIDE_CARDS: Final = len(CODES)

MAIN_SIZE: Final = len(MAIN_PACK)

_PLAYS: Final = [[CARD_PLAYS[move] for move in WAYS[code]] for code in CODES]

_MOST_WAYS: Final = max(map(len, _PLAYS))


def _table(numbers: Any) -> Any:
    return numpy.array(list(numbers), dtype=numpy.int64)


VALUE, FLIP, DOUBLE = range(3)

KINDS: Final = _table(
    {"flip": FLIP, "double": DOUBLE}.get(plays[0].kind, VALUE) for plays in _PLAYS
)

WAY_COUNTS: Final = _table(len(plays) for plays in _PLAYS)

AMOUNTS: Final = _table(
    [play.amount for play in plays] + [0] * (_MOST_WAYS - len(plays)) for plays in _PLAYS
)

FLIPS: Final = _table(plays[0].flips or (0, 0) for plays in _PLAYS)

NEEDS_PLACE: Final = _table(code in TAKES_PLACE for code in CODES)

WORTHS: Final = _table(worth(code) for code in CODES)

MAIN_CARDS: Final = _table(MAIN_PACK)

TIEBREAKER: Final = CODES.index("T")

MAIN_CODE: Final = 100  # and its value: the code of a main card on a board

# The facts of a match.
ROUND_NO, OPENED, STARTER, TO_ACT, PHASE, WINS_0, WINS_1, CHOSEN, WAY, LEADS = range(10)

FACTS: Final = 10

TURN_START, TURN_PLAY, TURN_CLOSE, IS_OVER = range(4)

DRAW, STAND, CLOSE = -1, -2, -3  # CHOSEN where it is no card

# What is kept of a seat.
MAIN_AT, SIDE, PLAYED, BOARD, TOTAL, STANDING, ALLOWANCE = range(7)

# The cards of a seat: its decks and what it has played, in order.
MAIN, REST, GONE, CODE, NUMBER = range(5)

# What remains to be done before a seat has a choice again.
(
    WAIT, DO_DRAW, DO_END, DO_FILLED, DO_GO_ON, DO_BEGIN, DO_OVER,
) = range(7)  # fmt: skip

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


is_bust = inner(predicates.is_bust)

is_filled = inner(predicates.is_filled)


@inner
def has_space(options: Any, board: int, code: int) -> bool:
    if board < PLACES:
        return True
    return not NEEDS_PLACE[code] and not options[TAKES_SLOT]


@inner
def is_flipped(value: int, code: int) -> bool:
    size = abs(value)
    return size == FLIPS[code, 0] or size == FLIPS[code, 1]  # type: ignore[no-any-return]


@inner
def total_after(cards: Any, seats: Any, seat: int, code: int, way: int) -> int:
    total, board = seats[seat, TOTAL], seats[seat, BOARD]
    if KINDS[code] == VALUE:
        return total + AMOUNTS[code, way]  # type: ignore[no-any-return]
    if KINDS[code] == DOUBLE:
        return total + cards[seat, NUMBER, board - 1]  # type: ignore[no-any-return]
    for at in range(board):
        if is_flipped(cards[seat, NUMBER, at], code):
            total -= 2 * cards[seat, NUMBER, at]
    return total  # type: ignore[no-any-return]


@inner
def has_tiebreaker(options: Any, cards: Any, seats: Any, seat: int) -> bool:
    """R22."""
    board = seats[seat, BOARD]
    for at in range(0 if options[ANY_TIEBREAKER] else max(0, board - 1), board):
        if cards[seat, CODE, at] == TIEBREAKER:
            return True
    return False


@inner
def breaks_ties_after(options: Any, cards: Any, seats: Any, seat: int, code: int) -> bool:
    """Whether the seat has a tiebreaker that counts once it has played this card."""
    if code == TIEBREAKER:
        return True
    if not options[ANY_TIEBREAKER] and (KINDS[code] == VALUE or options[TAKES_SLOT]):
        return False
    return has_tiebreaker(options, cards, seats, seat)


@inner
def add(cards: Any, seats: Any, seat: int, code: int, value: int) -> None:
    board = seats[seat, BOARD]
    cards[seat, CODE, board] = code
    cards[seat, NUMBER, board] = value
    seats[seat, BOARD] = board + 1


@inner
def lay(options: Any, cards: Any, seats: Any, seat: int, code: int, way: int) -> None:
    """R14 to R17."""
    newest = seats[seat, BOARD] - 1
    if KINDS[code] == VALUE:
        add(cards, seats, seat, code, AMOUNTS[code, way])
    elif KINDS[code] == DOUBLE:
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, cards[seat, NUMBER, newest])
        else:
            cards[seat, NUMBER, newest] *= 2
    else:
        for at in range(seats[seat, BOARD]):
            if is_flipped(cards[seat, NUMBER, at], code):
                cards[seat, NUMBER, at] = -cards[seat, NUMBER, at]
        if options[TAKES_SLOT]:
            add(cards, seats, seat, code, 0)
    total = 0
    for at in range(seats[seat, BOARD]):
        total += cards[seat, NUMBER, at]
    seats[seat, TOTAL] = total


@inner
def spend(cards: Any, seats: Any, hands: Any, seat: int, code: int) -> None:
    """The card is gone for the match (R3), off a cheater's allowance (R25)."""
    hands[seat, code] -= 1
    cards[seat, GONE, seats[seat, PLAYED]] = code
    seats[seat, PLAYED] += 1
    if seats[seat, ALLOWANCE] < 0:
        return
    seats[seat, ALLOWANCE] -= 1
    at = 0
    while cards[seat, REST, at] != code:
        at += 1
    seats[seat, SIDE] -= 1
    for place in range(at, seats[seat, SIDE]):
        cards[seat, REST, place] = cards[seat, REST, place + 1]
