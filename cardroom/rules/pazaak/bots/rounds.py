"""What follows a choice in the fast world: turns, rounds and matches go on (R4-R12, R18-R24)."""

from random import Random

from cardroom.rules.flat import shuffle
from cardroom.rules.pazaak.bots.world import (
    ALTERNATE,
    CLOSE,
    DRAW,
    FIXED,
    HAND,
    OVER,
    STAND,
    START,
    WINNER,
    PazaakWorld,
    draw,
    is_decided,
    is_full,
    lay,
    leader,
)
from cardroom.rules.pazaak.predicates import MAIN_PACK, PLACES, TARGET

# What is to be done before a seat has a choice again.
NOTHING, DO_DRAW, DO_END, DO_FILLED, DO_GO_ON, DO_OVER = range(6)


def play(world: PazaakWorld, card: int, amount: int, later: Random, pack: list[int]) -> None:
    """A choice of the seat to play and all that follows by itself.

    ``later`` shuffles the main decks of later rounds, in ``pack``.
    """
    do = act(world, card, amount)
    while do != NOTHING:
        do = end_round(world, later, pack) if do == DO_OVER else follow(world, do)


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
        world.standing[world.turn] = 1
        return DO_END if world.at_end else DO_GO_ON
    if card >= 0:
        lay(world, card, amount)
        if world.at_end:
            world.phase = CLOSE
            return NOTHING
    return DO_END


def end_turn(world: PazaakWorld) -> int:
    """The checks of R12, in their order."""
    seat = world.turn
    if world.total[seat] > TARGET:
        return DO_OVER
    if world.board_size[seat] == PLACES:
        return DO_FILLED
    if world.total[seat] == TARGET and world.auto_20:
        world.standing[seat] = 1
    return DO_GO_ON


def fill(world: PazaakWorld) -> int:
    """R20."""
    if world.fill_wins:
        return DO_OVER
    world.standing[world.turn] = 1
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


def end_round(world: PazaakWorld, later: Random, pack: list[int]) -> int:
    winner = winner_of_round(world)
    if winner >= 0:
        world.wins[winner] += 1
    world.starter = next_starter(world, winner)
    if is_decided(world) or world.round_no in (world.max_rounds, world.last):
        world.phase = OVER
        return NOTHING
    open_round(world, later, pack)
    return DO_DRAW if world.at_end else NOTHING


def next_starter(world: PazaakWorld, winner: int) -> int:
    if world.next_starter == FIXED:
        return world.opener
    if world.next_starter == ALTERNATE or winner < 0:
        return 1 - world.starter
    return winner if world.next_starter == WINNER else 1 - winner


def open_round(world: PazaakWorld, later: Random, pack: list[int]) -> None:
    """R4 to R6."""
    world.round_no += 1
    for seat in range(2):
        world.total[seat] = world.board_size[seat] = world.drawn[seat] = 0
        world.standing[seat] = world.newest_tie[seat] = world.ties[seat] = 0
        for at in range(len(MAIN_PACK)):
            pack[at] = MAIN_PACK[at]
        shuffle(later, pack, len(MAIN_PACK))
        for at in range(PLACES):
            world.main[seat][at] = pack[at]
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
