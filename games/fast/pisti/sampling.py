"""The pool of worlds of ``searcher``: ``games.rules.pisti.bots.belief``, compiled."""

from typing import Any, Final

from games.fast.compiling import i64, inner, outer
from games.fast.pisti.weighing import counter_likelihood, greedy_likelihood
from games.fast.pisti.worlds import (
    CARD_POINTS,
    HAND,
    HANDS,
    PILE_POINTS,
    PLAYERS,
    POINTS_OF,
    RANKS,
    REFUSED,
    SEATS,
    SIDES,
    SIZES,
    TURN,
    WORLD,
)
from games.fast.stream import chance
from games.rules.pisti.bots.belief import KEPT

# A decision of another seat: the world before it, then how many cards that seat played from it on,
# and which.
PLAYED: Final = WORLD
DECISION: Final = PLAYED + 1 + HAND


@inner
def recall(world: Any, story: Any, decision: int, sampled: Any) -> None:
    """The world before a decision, with the hand that its seat had if ``sampled`` is right."""
    for at in range(WORLD):
        world[at] = story[decision, at]
    seat = world[TURN]
    hand, played, held = HANDS + HAND * seat, story[decision, PLAYED], sampled[SIZES + seat]
    for at in range(played):
        world[hand + at] = story[decision, PLAYED + 1 + at]
    for at in range(held):
        world[hand + played + at] = sampled[hand + at]
    world[SIZES + seat] = played + held


@inner
def explain(
    sampled: Any,
    setting: Any,
    trust: Any,
    story: Any,
    world: Any,
    worths: Any,
    counting: Any,
    row: int,
) -> float:
    """``Belief._explain``; what each seat counts with goes into row ``row`` of ``counting``."""
    likely, players = 1.0, setting[PLAYERS]
    for seat in range(players):
        counter, greedy = trust[seat], 1 - trust[seat]
        for decision in range(len(story)):
            if story[decision, TURN] == seat:
                recall(world, story, decision, sampled)
                counter *= counter_likelihood(world, setting, worths)
                greedy *= greedy_likelihood(world)
        counting[row, seat] = counter / (counter + greedy)
        likely *= counter + greedy
    return likely


@inner
def deal_unknown(words: Any, world: Any, setting: Any, known: Any, lot: Any, hidden: Any) -> None:
    """``Belief._deal_unknown``: ``world`` holds what is known, ``hidden`` the cards a side (and
    last of the pile) that nobody saw, ``lot`` the unseen cards; ``known`` is a work array.
    """
    left = len(lot)
    for at in range(left):
        known[at] = lot[at]
    for seat in range(setting[PLAYERS]):
        hand, wanted = HANDS + HAND * seat, hidden[seat]
        tries, refused = 4 * left, world[REFUSED + seat]
        while world[SIZES + seat] < wanted and left:
            at = i64(chance(words, 0) * left)
            tries -= 1
            if (refused >> (known[at] % RANKS)) & 1 and tries > 0 and chance(words, 0) > KEPT:
                continue
            world[hand + world[SIZES + seat]] = known[at]
            world[SIZES + seat] += 1
            left -= 1
            known[at] = known[left]
    for side in range(setting[SIDES] + 1):
        for _ in range(min(hidden[SEATS + side], left)):
            at = i64(chance(words, 0) * left)
            points = POINTS_OF[known[at]]
            left -= 1
            known[at] = known[left]
            if side < setting[SIDES]:
                world[CARD_POINTS + side] += points
            else:
                world[PILE_POINTS] += points


@outer
def fill_pool(
    words: Any, start: Any, setting: Any, lot: Any, hidden: Any, trust: Any, story: Any,
    pool: Any, weights: Any, counting: Any, world: Any, before: Any, known: Any, worths: Any,
) -> None:  # fmt: skip
    """Samples as many worlds as ``pool`` has rows, then weighs them; ``weights`` add up."""
    for row in range(len(pool)):
        for at in range(WORLD):
            world[at] = start[at]
        deal_unknown(words, world, setting, known, lot, hidden)
        for at in range(WORLD):
            pool[row, at] = world[at]
    total = 0.0
    for row in range(len(pool)):
        for at in range(WORLD):
            world[at] = pool[row, at]
        total += explain(world, setting, trust, story, before, worths, counting, row)
        weights[row] = total
