"""``professor``: weighs every choice by the chance to win the match, learned from many matches.

``position`` is what it knows, ``weighing`` the choices and the draws, ``outlook`` what the
positions are worth that they lead to, ``learned`` the table for that. It fills its table of nine
where that is quicker, keeps cards for the rounds that they decide, and minds the score.

Every choice weighed by the chance to win the match that it leads to, draws included (R8-R12).

The cards to be drawn are known except for their order, so the mean over them is exact. The end of
a turn is looked up (``outlook``): the same for every hand that the rival may hold.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.rules import search
from cardroom.rules.bot import Bot, Search
from cardroom.rules.pazaak.bots.outlook import (
    Sight,
    chance_of,
    halves,
    hold,
    look,
    look_ahead,
    position_of,
    see,
    table_of,
    unseen,
    within_reach,
)
from cardroom.rules.pazaak.bots.six_rule import READING, breaks_ties
from cardroom.rules.pazaak.bots.world import (
    AMOUNTS,
    CHOICES,
    DRAW,
    KIND,
    NOBODY,
    STAND,
    VALUE,
    WAY_COUNTS,
    PazaakWorld,
    card_to_play,
    cards_to_play,
    changed_by,
    fits,
    has_tie,
    next_starter,
)
from cardroom.rules.pazaak.predicates import PLACES, TARGET
from cardroom.rules.pazaak.view import PazaakView
from cardroom.rules.values import Event, Move, Seat, Weighing

NO_CARD: Final = -1
GOES_ON: Final = -2  # beside the winner of a round
IMPOSSIBLE: Final = -1.0
HIGHEST: Final = 10  # card of a main deck


class Workspace(NamedTuple):
    """The position, what the seat sees of it, the choices and the learned table."""

    worlds: list[PazaakWorld]
    sights: list[Sight]
    choices: list[list[int]]
    table: Any


def weigh_choices(
    rng: Random,  # noqa: ARG001 - nothing is left to chance
    worlds: int,
    moves: list[int],
    totals: list[float],
    workspace: Workspace,
) -> None:
    """Adds to ``totals`` what each of these moves comes to in so many worlds: the same in all."""
    world, sight = workspace.worlds[0], workspace.sights[0]
    see(world, world.turn, sight)
    for nth in range(len(moves)):
        chosen = workspace.choices[moves[nth]]
        totals[nth] += worlds * worth_of(world, chosen[0], chosen[1], sight, workspace.table)


def worth_of(world: PazaakWorld, card: int, amount: int, sight: Sight, table: Any) -> float:
    """The worth of a choice of the seat to play: ``DRAW``, ``STAND``, ``END`` or a card."""
    worth, cards = 0.0, 0
    for value in range(HIGHEST + 1):
        count = sight.unseen[value] if card == DRAW else int(value == 0)
        if count:
            tie = put(world, value)
            worth += count * best_end(world, card, amount, sight, table)
            take_back(world, value, tie)
            cards += count
    return worth / cards


def weigh_draws(worths: list[float], workspace: Workspace) -> None:
    """Write the worth of each value that the seat to play may draw, by value; the others stay."""
    world, sight = workspace.worlds[0], workspace.sights[0]
    see(world, world.turn, sight)
    for value in range(1, HIGHEST + 1):
        if sight.unseen[value]:
            tie = put(world, value)
            worths[value] = best_end(world, DRAW, 0, sight, workspace.table)
            take_back(world, value, tie)


def put(world: PazaakWorld, value: int) -> int:
    """Draws a card of this value, nothing if it is 0; whether a tiebreaker was the newest."""
    seat = world.turn
    tie = world.newest_tie[seat]
    if value:
        world.board[seat][world.board_size[seat]] = value
        world.board_size[seat] += 1
        world.total[seat] += value
        world.newest_tie[seat] = 0
    return tie


def take_back(world: PazaakWorld, value: int, tie: int) -> None:
    seat = world.turn
    if value:
        world.board_size[seat] -= 1
        world.total[seat] -= value
    world.newest_tie[seat] = tie


def best_end(world: PazaakWorld, chosen: int, amount: int, sight: Sight, table: Any) -> float:
    """The best way to end the turn that the choice leaves: any card or none after a draw."""
    best, last = IMPOSSIBLE, 0
    if chosen >= 0 or (chosen == DRAW and not is_done(world)):
        last = cards_to_play(world, world.turn)
    for at in range(NO_CARD, last):
        card = NO_CARD if at < 0 else card_to_play(world, world.turn, at)
        if not is_open(world, chosen, card, at):
            continue
        value_card = card >= 0 and KIND[card] == VALUE
        for way in range(WAY_COUNTS[card] if value_card else 1):
            added = 0
            if value_card:
                added = AMOUNTS[card][way]
            elif card >= 0:
                added = changed_by(world, card)
            if chosen < 0 or not value_card or added == amount:
                best = max(best, worth_with(world, chosen, card, added, sight, table))
    return best


def is_done(world: PazaakWorld) -> bool:
    """Whether the draw has filled the table (R10)."""
    seat = world.turn
    return world.board_size[seat] == PLACES and world.total[seat] <= TARGET


def is_open(world: PazaakWorld, chosen: int, card: int, at: int) -> bool:
    """Whether the choice leaves this card to be played, or none; equal cards count once."""
    if chosen >= 0 or card < 0:
        return card == chosen if chosen >= 0 else True
    if not fits(world, card):
        return False
    for before in range(at):  # noqa: SIM110 - compiled code has no generators
        if card_to_play(world, world.turn, before) == card:
            return False
    return True


def worth_with(
    world: PazaakWorld, chosen: int, card: int, added: int, sight: Sight, table: Any
) -> float:
    """The better of ending the turn and standing with this card, as far as the choice is open."""
    seat, tie = world.turn, has_tie(world, world.turn)
    size = world.board_size[seat]
    if card >= 0:
        size += int(world.slots or KIND[card] == VALUE)
        tie = int(breaks_ties(world, card))
        hold(sight, card, -1)
    best = IMPOSSIBLE
    for ends in range(2):
        stands = 1 - ends
        if stands == (chosen == STAND) or (stands and may_stand(world, chosen)):
            after = worth_after(world, world.total[seat] + added, size, tie, stands, sight, table)
            best = max(best, after)
    if card >= 0:
        hold(sight, card, 1)
    return best


def may_stand(world: PazaakWorld, chosen: int) -> bool:
    """Whether the choice leaves it open to stand on what the turn ends with: at its end, or as the
    next move where the rival stands already (R7, R8)."""
    if world.at_end:
        return chosen == DRAW or chosen >= 0
    return world.standing[1 - world.turn] == 1


def worth_after(
    world: PazaakWorld, total: int, size: int, tie: int, stands: int, sight: Sight, table: Any
) -> float:
    """The chance to win the match when the turn ends with this (R12)."""
    seat = world.turn
    if size == PLACES or (total == TARGET and world.auto_20):
        stands = 1
    winner = winner_after(world, total, size, tie, stands)
    if winner == GOES_ON:
        look(world, seat, total, size, tie, stands, sight)
        return chance_of(sight, table)
    mine = world.to_win - world.wins[seat] - int(winner == seat)
    theirs = world.to_win - world.wins[1 - seat] - int(winner == 1 - seat)
    if mine == 0 or theirs == 0:
        return 1.0 if mine == 0 else 0.0
    look_ahead(world, seat, mine, theirs, int(next_starter(world, winner) == seat), sight)
    return chance_of(sight, table)


def winner_after(world: PazaakWorld, total: int, size: int, tie: int, stands: int) -> int:
    """The seat that has won the round then, or ``NOBODY``, or ``GOES_ON``."""
    seat, rival = world.turn, 1 - world.turn
    if total > TARGET:
        return rival
    if size == PLACES and world.fill_wins:
        return seat
    if not (stands and world.standing[rival]):
        return GOES_ON
    if total != world.total[rival]:
        return seat if total > world.total[rival] else rival
    if tie == has_tie(world, rival):
        return NOBODY
    return seat if tie else rival


SAFE: Final = 10  # no draw is a bust
NEAR: Final = 0.001  # nothing is sampled, so only choices as good as equal are left to chance


class Known(NamedTuple):
    """The knowledge of the seat to play: the position, and how many of each card it may draw."""

    world: PazaakWorld
    sight: Sight


Compare = Callable[[Known, list[list[int]], Random], search.Compare]


def choose(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,
    comparison: Compare | None = None,
) -> Move:
    """``comparison`` is that of the compiled form. More playouts change nothing: it draws none."""
    moves = considered(view)
    if len(moves) == 1:
        return moves[0]
    known = believed(view, view.to_act[0], events)
    choices = [list(CHOICES[move]) for move in moves]
    compare = (comparison or _compare)(known, choices, rng)
    return search.best_by(compare, moves, playouts, rng, NEAR, at_once=playouts)


def weigh(
    view: PazaakView,
    events: Sequence[Event],
    rng: Random,
    playouts: int,  # noqa: ARG001 - it draws none
    comparison: Compare | None = None,
) -> Weighing:
    """``comparison`` is that of the compiled form; no move is left out, and nothing is sampled."""
    known = believed(view, view.to_act[0], events)
    choices = [list(CHOICES[move]) for move in view.legal_moves]
    compare = (comparison or _compare)(known, choices, rng)
    return search.weigh_by(compare, view.legal_moves, 1, batches=1)


def considered(view: PazaakView) -> list[Move]:
    """Every move, but nobody stands where no draw can be a bust."""
    mine, rival = halves(view)
    early = len(mine.board) < PLACES - 2 and not rival.standing
    if mine.total <= SAFE and early:
        return [move for move in view.legal_moves if move != "stand"]
    return list(view.legal_moves)


def believed(view: PazaakView, me: Seat, events: Sequence[Event]) -> Known:
    world = within_reach(position_of(view, me))
    sight = Sight()
    for value in unseen(view, events)[me]:
        sight.unseen[value] += 1
    return Known(world, sight)


def _compare(known: Known, choices: list[list[int]], rng: Random) -> search.Compare:
    table = table_of(known.world)
    workspace = Workspace([known.world], [known.sight], choices, table)

    def weigh_in_table(worlds: int, moves: list[int], totals: list[float]) -> None:
        weigh_choices(rng, worlds, moves, totals, workspace)

    return search.comparison(weigh_in_table)


PROFESSOR: Final[Bot[PazaakView]] = Search(
    choose, playouts=1, playouts_a_ms=1, weigh=weigh, reading=READING
).bot(
    slug="professor",
    name="Professor",
    summary="Weighs every choice and every draw by what millions of matches have taught it.",
    level=5,
    remembers="match",
)
