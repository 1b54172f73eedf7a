"""Worlds that a seat may be in: dealt at random from what it knows, weighed by what they explain.

A rank that a seat let lie is less often in its hand. A hand, and a model of its seat, is the
likelier the better it explains what the seat has played since it was dealt.
"""

from random import Random
from typing import Final, NamedTuple

from cardroom.rules.flat import chance, copy_into
from cardroom.rules.pisti.bots.models import weigh_models
from cardroom.rules.pisti.bots.world import MODELS, POINTS, RANKS_OF, PistiWorld, hand_of

KEPT: Final = 0.3  # how often a card of a rank let lie is dealt to the hand all the same


class Known(NamedTuple):
    """What the seat that searches knows and believes.

    ``worlds`` is one world, with what is known. ``lot`` are the unseen cards, ``wanted`` how many
    cards each hand has in all, ``hidden`` how many unseen ones each side won, then those in the
    pile. ``trust`` are the chances of the first seat to play by each model, then those of the next
    one, and so on. ``story`` are decisions of the others since they were last dealt cards.
    """

    worlds: list[PistiWorld]
    lot: list[int]
    wanted: list[int]
    hidden: list[int]
    trust: list[float]
    story: list[PistiWorld]


def own_hand(known: Known) -> list[int]:
    """That of the seat that searches."""
    (world,) = known.worlds
    return hand_of(world, world.me)


class Pool(NamedTuple):
    """Sampled worlds, with weights that add up; and room for a world and for the unseen cards."""

    worlds: list[PistiWorld]
    weights: list[float]
    before: list[PistiWorld]
    left: list[int]


def empty_pool(worlds: int, cards: int) -> Pool:
    return Pool([PistiWorld() for _ in range(worlds)], [0.0] * worlds, [PistiWorld()], [0] * cards)


def fill_pool(rng: Random, known: Known, pool: Pool) -> None:
    """Samples as many worlds as there is room for, then weighs them."""
    for row in range(len(pool.worlds)):
        copy_into(pool.worlds, row, known.worlds[0])
        deal_unknown(rng, known, pool.worlds[row], pool.left)
    total = 0.0
    for row in range(len(pool.worlds)):
        total += explain(known, pool.worlds[row], pool.before)
        pool.weights[row] = total


def deal_unknown(rng: Random, known: Known, world: PistiWorld, left: list[int]) -> None:
    """Deals the unseen cards to the hands, to the heaps and into the pile."""
    cards = len(known.lot)
    for at in range(cards):
        left[at] = known.lot[at]
    for seat in range(world.players):
        hand, refused = world.hands[seat], world.refused[seat]
        tries = 4 * cards
        while world.sizes[seat] < known.wanted[seat] and cards:
            at = int(chance(rng) * cards)
            tries -= 1
            if refused >> RANKS_OF[left[at]] & 1 and tries > 0 and chance(rng) > KEPT:
                continue
            hand[world.sizes[seat]] = left[at]
            world.sizes[seat] += 1
            cards -= 1
            left[at] = left[cards]
    for side in range(world.sides + 1):
        for _ in range(min(known.hidden[side], cards)):
            at = int(chance(rng) * cards)
            points = POINTS[left[at]]
            cards -= 1
            left[at] = left[cards]
            if side < world.sides:
                world.points[side] += points
            else:
                world.pile_points += points


def explain(known: Known, world: PistiWorld, before: list[PistiWorld]) -> float:
    """How likely the others would have played what they did with the hands of this world."""
    likely = 1.0
    for seat in range(world.players):
        beliefs = world.beliefs[seat]
        for model in range(MODELS):
            beliefs[model] = known.trust[seat * MODELS + model]
        for nth in range(len(known.story)):
            if known.story[nth].turn == seat:
                copy_into(before, 0, known.story[nth])
                recall_hand(before[0], world)
                weigh_models(before[0])
                for model in range(MODELS):
                    beliefs[model] *= before[0].odds[model][0]
        likely *= made_whole(beliefs)
    return likely


def made_whole(chances: list[float]) -> float:
    """Their sum; they add up to 1 afterwards."""
    whole = 0.0
    for model in range(MODELS):
        whole += chances[model]
    for model in range(MODELS):
        chances[model] /= whole
    return whole


def recall_hand(before: PistiWorld, world: PistiWorld) -> None:
    """The seat to play held then what it has played since and what it holds in this world."""
    seat, played = before.turn, before.played_size
    for at in range(played):
        before.hands[seat][at] = before.played[at]
    for at in range(world.sizes[seat]):
        before.hands[seat][played + at] = world.hands[seat][at]
    before.sizes[seat] = played + world.sizes[seat]


def drawn(rng: Random, weights: list[float]) -> int:
    """A place, the more likely the more its weight adds to the sum."""
    low, high = 0, len(weights) - 1
    wanted = chance(rng) * weights[high]
    while low < high:
        middle = (low + high) // 2
        if wanted < weights[middle]:
            high = middle
        else:
            low = middle + 1
    return low
