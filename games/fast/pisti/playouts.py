"""The playouts of ``searcher`` compiled: the moves of its seat in many worlds of a pool."""

from typing import Any

from games.fast.compiling import inner, outer
from games.fast.pisti.outlook import chance_to_win
from games.fast.pisti.planning import play_block
from games.fast.pisti.worlds import (
    COUNTS,
    HAND,
    HANDS,
    ME,
    PLAYERS,
    PLAYS,
    RANKS,
    WORLD,
    finish,
    put,
)
from games.fast.stream import chance
from games.rules.pisti.predicates import PLAYS_PER_DEAL


@inner
def drawn(words: Any, weights: Any) -> int:
    """The row of the pool that ``Belief.sample`` takes: ``bisect`` for a chance of the weights."""
    low, high = 0, len(weights) - 1
    wanted = chance(words, 0) * weights[high]
    while low < high:
        middle = (low + high) // 2
        if wanted < weights[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@outer
def play_worlds(
    words: Any, worlds: int, moves: Any, totals: Any,
    cards: Any, setting: Any, pool: Any, weights: Any, counting: Any,
    keys: Any, tries: Any, gains: Any, chosen: Any, world: Any, counts: Any, worths: Any,
) -> None:  # fmt: skip
    """Plays each of the moves to the end of the block in so many worlds of the pool; ``cards`` are
    the places in the hand of the moves. ``totals`` grow by what they were worth.
    """
    me, players = setting[ME], setting[PLAYERS]
    for _ in range(worlds):
        row = drawn(words, weights)
        for seat in range(players):
            if seat != me:
                counts[seat] = 1 if chance(words, 0) < counting[row, seat] else 0
        for nth in range(len(moves)):
            for at in range(WORLD):
                world[at] = pool[row, at]
            for seat in range(players):
                world[COUNTS + seat] = counts[seat]
            place = cards[moves[nth]]
            path = world[HANDS + HAND * me + place] % RANKS + 1
            put(world, setting, place)
            passed = play_block(world, setting, worths, keys, tries, gains, chosen, path)
            if world[PLAYS] == PLAYS_PER_DEAL:
                finish(world, setting)
            worth = chance_to_win(world, setting)
            totals[nth] += worth
            for node in range(passed):
                tries[chosen[node, 0], chosen[node, 1]] += 1
                gains[chosen[node, 0], chosen[node, 1]] += worth
