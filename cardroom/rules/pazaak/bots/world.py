"""Pazaak on plain ints, changed in place: quick matches for bots that search, and for kernels.

The same rules as ``rules`` and ``state`` (a test plays both side by side), without events and text.
The effects of a choice stand at the end: turns, rounds and matches go on (R3-R12, R18-R24).
"""

from random import Random
from typing import Annotated, Final

from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import CARD_PLAYS, MAIN_PACK, PLACES, TARGET, WAYS
from cardroom.rules.pazaak.side_cards import CODES, DECK_SIZE
from cardroom.rules.search import Flat, shuffle

START, PLAY, CLOSE, OVER = range(4)
HAND: Final = 4
HONEST: Final = -1  # the allowance of a seat that holds a hand
NOBODY: Final = -1
LONGEST: Final = 60  # the last round of a playout; ties can follow ties
FIRST_STARTERS: Final = ("opener", "seat0", "seat1")
OPENER, _, SEAT_1 = range(len(FIRST_STARTERS))
STARTERS: Final = ("alternate", "winner", "loser", "fixed")
ALTERNATE, WINNER, LOSER, FIXED = range(4)

VALUE, FLIP, DOUBLE = range(3)
_KINDS = {"flip": FLIP, "double": DOUBLE}
_WAYS = [[CARD_PLAYS[move] for move in WAYS[code]] for code in CODES]
TIEBREAKER: Final = CODES.index("T")
NUMBER: Final = {code: at for at, code in enumerate(CODES)}
KIND: Final = tuple(_KINDS.get(plays[0].kind, VALUE) for plays in _WAYS)
WAY_COUNTS: Final = tuple(len(plays) for plays in _WAYS)
MOST_WAYS: Final = max(WAY_COUNTS)
AMOUNTS: Final = tuple(
    (*(play.amount for play in plays), *(0 for _ in range(MOST_WAYS - len(plays))))
    for plays in _WAYS
)
FLIPS: Final = tuple(plays[0].flips or (0, 0) for plays in _WAYS)

MAIN_SIZE: Final = len(MAIN_PACK)
MAIN_CODE: Final = 100  # and its value: a main card on the board

# Choices of a seat other than a card.
DRAW, STAND, END = -1, -2, -3
CHOICES: Final = {"draw": (DRAW, 0), "stand": (STAND, 0), "pass": (END, 0), "end": (END, 0)} | {
    move: (NUMBER[play.code], play.amount) for move, play in CARD_PLAYS.items()
}

BySeat = Annotated[list[int], 2]


class PazaakWorld(Flat):
    """One match in play; lists have an entry a seat. ``me`` is the seat that searches.

    It is over when the match is, or after round ``last``, unless that is 0.

    ``board`` is what each card counts now, the newest last, ``codes`` what it is; ``newest_tie``
    whether that is a tiebreaker, ``ties`` whether there is one. ``side`` is what is left of the
    side deck, next card last; of a ``main`` deck the first ``drawn`` cards lie on the board.
    ``played`` has the side cards that are gone. ``draws``, ``passes`` and ``stands`` are counted.
    """

    at_end: int
    auto_20: int
    fill_wins: int
    slots: int
    tie_anywhere: int
    once: int
    first_starter: int
    next_starter: int
    to_win: int
    max_rounds: int
    last: int
    me: int
    total: BySeat
    board: Annotated[list[list[int]], 2, PLACES]
    codes: Annotated[list[list[int]], 2, PLACES]
    board_size: BySeat
    newest_tie: BySeat
    ties: BySeat
    standing: BySeat
    hand: Annotated[list[list[int]], 2, DECK_SIZE]
    hand_size: BySeat
    side: Annotated[list[list[int]], 2, DECK_SIZE]
    side_size: BySeat
    main: Annotated[list[list[int]], 2, MAIN_SIZE]
    drawn: BySeat
    played: Annotated[list[list[int]], 2, DECK_SIZE]
    played_size: BySeat
    allowance: BySeat
    wins: BySeat
    round_no: int
    opener: int
    starter: int
    turn: int
    phase: int
    draws: int
    passes: int
    stands: int


def empty_world(options: PazaakOptions, me: int) -> PazaakWorld:
    """Before anything is dealt."""
    world = PazaakWorld()
    world.at_end = int(options.stand_timing == "turn_end")
    world.auto_20 = int(options.auto_stand_20)
    world.fill_wins = int(options.table_fill == "win")
    world.slots = int(options.specials_take_slot)
    world.tie_anywhere = int(options.tiebreaker_scope == "played_this_round")
    world.once = int(options.hand_rule == "once")
    world.first_starter = FIRST_STARTERS.index(options.first_starter)
    world.next_starter = STARTERS.index(options.next_starter)
    world.to_win, world.max_rounds = options.rounds_to_win, options.max_rounds or 0
    world.last, world.round_no, world.me = LONGEST, 1, me
    world.allowance[:] = [HONEST, HONEST]
    return world


def draw(world: PazaakWorld) -> None:
    """R9, R10."""
    seat = world.turn
    value = world.main[seat][world.drawn[seat]]
    world.drawn[seat] += 1
    world.draws += 1
    add(world, seat, MAIN_CODE + value, value)
    world.newest_tie[seat] = 0
    world.total[seat] += value
    world.phase = PLAY


def add(world: PazaakWorld, seat: int, code: int, value: int) -> None:
    world.codes[seat][world.board_size[seat]] = code
    world.board[seat][world.board_size[seat]] = value
    world.board_size[seat] += 1


def lay(world: PazaakWorld, card: int, amount: int) -> None:
    """A side card onto the own board (R14 to R17); ``amount`` is what a value card counts."""
    seat, kind = world.turn, KIND[card]
    if kind == VALUE:
        add(world, seat, card, amount)
        world.total[seat] += amount
        world.newest_tie[seat] = 1 if card == TIEBREAKER else 0
        if card == TIEBREAKER:
            world.ties[seat] = 1
    else:
        world.total[seat] += changed_by(world, card)
        if kind == FLIP:
            turn_over(world, seat, card)
        newest = world.board[seat][world.board_size[seat] - 1]
        if world.slots:
            add(world, seat, card, 0 if kind == FLIP else newest)
            world.newest_tie[seat] = 0
        elif kind == DOUBLE:
            world.board[seat][world.board_size[seat] - 1] = 2 * newest
    world.played[seat][world.played_size[seat]] = card
    world.played_size[seat] += 1
    if world.allowance[seat] >= 0:
        world.allowance[seat] -= 1
        world.side_size[seat] = without(world.side[seat], world.side_size[seat], card)
    else:
        world.hand_size[seat] = without(world.hand[seat], world.hand_size[seat], card)


def changed_by(world: PazaakWorld, card: int) -> int:
    """The amount that a flip or a double adds to the total."""
    seat = world.turn
    board, size = world.board[seat], world.board_size[seat]
    if KIND[card] != FLIP:
        return board[size - 1]
    changed = 0
    for at in range(size):
        if is_flipped(board[at], card):
            changed -= 2 * board[at]
    return changed


def turn_over(world: PazaakWorld, seat: int, card: int) -> None:
    board = world.board[seat]
    for at in range(world.board_size[seat]):
        if is_flipped(board[at], card):
            board[at] = -board[at]


def is_flipped(value: int, card: int) -> bool:
    return abs(value) == FLIPS[card][0] or abs(value) == FLIPS[card][1]


def without(cards: list[int], size: int, card: int) -> int:
    """Takes one card like this out; how many are left."""
    at = 0
    while cards[at] != card:
        at += 1
    for place in range(at, size - 1):
        cards[place] = cards[place + 1]
    return size - 1


def leader(world: PazaakWorld) -> int:
    """The seat that wins the round if both stand, or ``NOBODY`` (R21, R22)."""
    first, second = world.total[0], world.total[1]
    if first != second:
        return 1 if second > first else 0
    first_tie, second_tie = has_tie(world, 0), has_tie(world, 1)
    if first_tie == second_tie:
        return NOBODY
    return 1 if second_tie else 0


def has_tie(world: PazaakWorld, seat: int) -> int:
    """Whether a tiebreaker counts for this seat."""
    return world.ties[seat] if world.tie_anywhere else world.newest_tie[seat]


def cards_to_play(world: PazaakWorld, seat: int) -> int:
    """How many side cards the seat may choose from."""
    if world.allowance[seat] < 0:
        return world.hand_size[seat]
    return world.side_size[seat] if world.allowance[seat] else 0


def card_to_play(world: PazaakWorld, seat: int, at: int) -> int:
    return world.hand[seat][at] if world.allowance[seat] < 0 else world.side[seat][at]


def fits(world: PazaakWorld, card: int) -> bool:
    """R14: value cards need a free place, and with ``slots`` all cards do."""
    full = world.board_size[world.turn] == PLACES
    return not (full and (world.slots or KIND[card] == VALUE))


def is_decided(world: PazaakWorld) -> bool:
    return max(world.wins[0], world.wins[1]) == world.to_win


def is_full(world: PazaakWorld, seat: int) -> bool:
    """R20: nine cards, not bust."""
    return world.board_size[seat] == PLACES and world.total[seat] <= TARGET


# Steps that are due before a seat has a choice again.
NOTHING, DO_DRAW, DO_END, DO_FILLED, DO_GO_ON, DO_OVER = range(6)


def play(world: PazaakWorld, card: int, amount: int, later: Random) -> None:
    """A choice of the seat to play and all that follows by itself.

    ``later`` shuffles the main decks of later rounds.
    """
    do = act(world, card, amount)
    while do != NOTHING:
        do = end_round(world, later) if do == DO_OVER else follow(world, do)


def follow(world: PazaakWorld, do: int) -> int:
    """Does what is to be done within a round; what is to be done next."""
    if do == DO_DRAW:
        draw(world)
        return DO_FILLED if is_full(world, world.turn) else NOTHING
    if do == DO_END:
        return end_turn(world)
    return fill(world) if do == DO_FILLED else go_on(world)


def act(world: PazaakWorld, card: int, amount: int) -> int:
    """The choice alone; what is to be done next."""
    if card == DRAW:
        return DO_DRAW
    if card == STAND:
        stand(world)
        return DO_END if world.at_end else DO_GO_ON
    if card == END:
        world.passes += 1
        return DO_END
    lay(world, card, amount)
    world.phase = CLOSE
    return NOTHING if world.at_end else DO_END


def stand(world: PazaakWorld) -> None:
    if not world.standing[world.turn]:
        world.standing[world.turn] = 1
        world.stands += 1


def end_turn(world: PazaakWorld) -> int:
    """The checks of R12, in their order."""
    seat = world.turn
    if world.total[seat] > TARGET:
        return DO_OVER
    if world.board_size[seat] == PLACES:
        return DO_FILLED
    if world.total[seat] == TARGET and world.auto_20:
        stand(world)
    return DO_GO_ON


def fill(world: PazaakWorld) -> int:
    """R20."""
    if world.fill_wins:
        return DO_OVER
    stand(world)
    return DO_GO_ON


def go_on(world: PazaakWorld) -> int:
    seat = world.turn
    if not world.standing[1 - seat]:
        world.turn = 1 - seat
    elif world.standing[seat]:
        return DO_OVER
    world.phase = START
    return DO_DRAW if world.at_end else NOTHING


def winner_of_round(world: PazaakWorld) -> int:
    """The seat that is not bust, has filled the table, or leads when both stand (R18 to R22)."""
    seat = world.turn
    if world.total[seat] > TARGET:
        return 1 - seat
    if world.fill_wins and is_full(world, seat):
        return seat
    return leader(world)


def end_round(world: PazaakWorld, later: Random) -> int:
    winner = winner_of_round(world)
    if winner >= 0:
        world.wins[winner] += 1
    if is_decided(world) or world.round_no in (world.max_rounds, world.last):
        world.phase = OVER
        return NOTHING
    world.starter = next_starter(world, winner)
    open_round(world, later)
    return DO_DRAW if world.at_end else NOTHING


def next_starter(world: PazaakWorld, winner: int) -> int:
    if world.next_starter == FIXED:
        return world.opener
    if world.next_starter == ALTERNATE or winner < 0:
        return 1 - world.starter
    return winner if world.next_starter == WINNER else 1 - winner


def open_match(later: Random, world: PazaakWorld) -> None:
    """R3 to R6; the side decks are there as they were brought."""
    for seat in range(2):
        side = world.side[seat]
        shuffle(later, side, DECK_SIZE)
        if world.allowance[seat] < 0:  # its next card is the last one
            for at in range(DECK_SIZE // 2):
                card = side[at]
                side[at] = side[DECK_SIZE - 1 - at]
                side[DECK_SIZE - 1 - at] = card
        if world.once:
            draw_hand(world, seat)
    open_round(world, later)
    world.starter = world.opener = world.turn = first_starter(world)
    if world.at_end:
        draw(world)


def first_starter(world: PazaakWorld) -> int:
    """R6."""
    if world.first_starter != OPENER:
        return 1 if world.first_starter == SEAT_1 else 0
    for at in range(MAIN_SIZE - 1, -1, -1):
        if world.main[0][at] != world.main[1][at]:
            return 1 if world.main[1][at] > world.main[0][at] else 0
    return 0


def open_round(world: PazaakWorld, later: Random) -> None:
    """R4 to R6."""
    world.round_no += 1
    for seat in range(2):
        world.total[seat] = world.board_size[seat] = world.drawn[seat] = 0
        world.standing[seat] = world.newest_tie[seat] = world.ties[seat] = 0
        for at in range(MAIN_SIZE):
            world.main[seat][at] = MAIN_PACK[at]
        shuffle(later, world.main[seat], MAIN_SIZE)
        if not world.once:
            draw_hand(world, seat)
    world.turn, world.phase = world.starter, START


def draw_hand(world: PazaakWorld, seat: int) -> None:
    """R5, R25."""
    left = world.side_size[seat]
    if world.allowance[seat] >= 0:
        world.allowance[seat] = min(world.allowance[seat] + HAND, left)
        return
    for _ in range(min(HAND, left)):
        left -= 1
        world.hand[seat][world.hand_size[seat]] = world.side[seat][left]
        world.hand_size[seat] += 1
    world.side_size[seat] = left
