"""The knowledge of a seat in a deal and its beliefs about the others, from view and events.

``sampling`` deals worlds from it, ``playouts`` plays them.

Models of the other seats: how they would play a hand, and how likely they play a card of it.

A search takes every other seat for one that plays by one of these models, the likelier the better
the model explains what the seat has played (``belief``), and lets it play on by that model: the
counter; one that weighs almost as the counter does (people, and bots that search); greedy.

Worlds that a seat may be in: dealt at random from what it knows, weighed by what they explain.

A rank that a seat let lie is less often in its hand. A hand, and a model of its seat, is the
likelier the better it explains what the seat has played since it was dealt.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Final, NamedTuple

from cardroom.rules.cards import ACE, CARD, JACK
from cardroom.rules.pisti.bots.quick_counter import counters_place, judge
from cardroom.rules.pisti.bots.simple import refused_ranks
from cardroom.rules.pisti.bots.world import (
    EMPTY,
    MODELS,
    POINTS,
    RANKS_OF,
    SEATS,
    PistiWorld,
    empty_world,
    give,
    hand_of,
    story_of,
)
from cardroom.rules.pisti.knowledge import Knowledge, knowledge_of
from cardroom.rules.pisti.predicates import PACK
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.search import chance, copy_into
from cardroom.rules.values import Event, Seat

COUNTER: Final = 0
NEAR_COUNTER: Final = 1
GREEDY: Final = MODELS - 1
TEMPERATURE: Final = 0.5  # points: a play that much worse is e times less likely
SURPRISE: Final = 0.03  # the chance of a card that the model does not foresee at all
EXACT_TEMPERATURE: Final = 0.1  # both where the counter is foreseen to the last rule
EXACT_SURPRISE: Final = 0.01
NEAR_TEMPERATURE: Final = 0.7  # both for who only weighs about as the counter does
NEAR_SURPRISE: Final = 0.1


def models_place(world: PistiWorld) -> int:
    """The place of the card that the seat to play puts down by its model."""
    return counters_place(world) if world.counts[world.turn] else greedys_place(world)


def weigh_models(world: PistiWorld) -> None:
    """Write each model's chance to play each card of the seat to play: ``world.odds``."""
    judge(world)
    temperature = EXACT_TEMPERATURE if world.exact else TEMPERATURE
    surprise = EXACT_SURPRISE if world.exact else SURPRISE
    counters_odds(world, COUNTER, temperature, surprise)
    counters_odds(world, NEAR_COUNTER, NEAR_TEMPERATURE, NEAR_SURPRISE)
    greedys_odds(world, surprise)


def counters_odds(world: PistiWorld, model: int, temperature: float, surprise: float) -> None:
    """Of a player who weighs as the counter does, but takes a card nearly as good now and then."""
    worths, odds, cards = world.worths, world.odds[model], world.sizes[world.turn]
    best = worths[0]
    for at in range(1, cards):
        best = max(best, worths[at])
    whole = 0.0
    for at in range(cards):
        odds[at] = exp((worths[at] - best) / temperature)
        whole += odds[at]
    for at in range(cards):
        odds[at] = surprised(odds[at] / whole, cards, surprise)


def greedys_place(world: PistiWorld) -> int:
    """As the bot ``greedy``: by rank, else a plain card on an empty table, else the last one."""
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    for at in range(cards):
        if greedy_wants(world, RANKS_OF[hand[at]]):
            return at
    return cards - 1


def greedys_odds(world: PistiWorld, surprise: float) -> None:
    """The order of the hand is unknown, so what it could play instead is as likely."""
    hand, cards = world.hands[world.turn], world.sizes[world.turn]
    wanted = 0
    for at in range(cards):
        if greedy_wants(world, RANKS_OF[hand[at]]):
            wanted += 1
    for at in range(cards):
        if not wanted:
            likely = 1 / cards
        else:
            likely = 1 / wanted if greedy_wants(world, RANKS_OF[hand[at]]) else 0.0
        world.odds[GREEDY][at] = surprised(likely, cards, surprise)


def greedy_wants(world: PistiWorld, rank: int) -> bool:
    if world.top == EMPTY:
        return rank != JACK and rank != ACE
    return rank == world.top


def surprised(likely: float, cards: int, surprise: float) -> float:
    return surprise / cards + (1 - surprise) * likely


KEPT: Final = 0.3  # how often a card of a rank let lie is dealt to the hand all the same


class Known(NamedTuple):
    """The knowledge and the beliefs of the seat that searches.

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
    """The hand of the seat that searches."""
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
    """The likelihood of the others' plays with the hands of this world."""
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


DOUBT: Final = 0.05  # the least chance of a model, whatever a seat has played earlier
EXACT_DOUBT: Final = 0.01  # where the counter is foreseen to the last rule


def believed(view: PistiView, me: Seat, events: Sequence[Event], *, exact: bool = False) -> Known:
    """The knowledge of the seat to play, and its models of the other seats.

    ``exact``: it foresees the counter to the last rule.
    """
    world = empty_world(view.options)
    knowledge = knowledge_of(view, events)
    world.me = world.turn = me
    give(world, me, [CARD[code] for code in view.hand])
    for card in knowledge.seen.difference(hand_of(world, me)):
        world.seen[RANKS_OF[card]] += 1
    hidden = [*_lay_out(world, view, knowledge), *([0] * SEATS)][: SEATS + 1]
    _place_bottom(world, view, knowledge)
    for seat, ranks in enumerate(refused_ranks(events, world.players)):
        world.refused[seat] = sum(1 << rank for rank in ranks)
    story, closed = story_of(view, me, events)
    for each in (world, *story, *closed):
        each.exact = int(exact)
    return Known(
        worlds=[world],
        lot=[card for card in PACK if card not in knowledge.seen],
        wanted=[size or world.sizes[seat] for seat, size in enumerate(_sizes(view))],
        hidden=hidden,
        trust=_judged(closed, world.players, EXACT_DOUBT if exact else DOUBT),
        story=story,
    )


def all_known(known: Known, view: PistiView) -> bool:
    """The other hand of two is what is left."""
    (world,) = known.worlds
    drawn = sum(known.wanted[seat] - world.sizes[seat] for seat in range(world.players))
    return world.players == 2 and not view.stock_size and drawn == len(known.lot)


def _sizes(view: PistiView) -> list[int]:
    return [*view.hand_sizes, *([0] * SEATS)][:SEATS]


def _lay_out(world: PistiWorld, view: PistiView, knowledge: Knowledge) -> list[int]:
    """Piles and heaps; how many of their cards nobody saw, by side and last in the pile."""
    options, pile = view.options, knowledge.pile
    world.pile_size = len(pile)
    world.pile_points = sum(POINTS[card] for card in pile if card is not None)
    world.top = EMPTY if view.top is None else RANKS_OF[CARD[view.top]]
    hidden = [0] * world.sides
    for seat, heap in enumerate(knowledge.heaps):
        side = seat % world.sides
        world.cards[side] += len(heap)
        world.points[side] += sum(POINTS[card] for card in heap if card is not None)
        hidden[side] += heap.count(None)
    for side, (pistis, doubles) in enumerate(zip(view.pistis, view.doubles, strict=True)):
        world.bonus[side] = pistis * options.pisti_points + doubles * world.double
    world.totals[: world.sides] = view.totals
    world.plays = view.plays_made
    world.last = -1 if view.last_capturer is None else view.last_capturer
    return [*hidden, pile.count(None)]


def _place_bottom(world: PistiWorld, view: PistiView, knowledge: Knowledge) -> None:
    """The exposed card is the dealer's once the stock is dealt, until it is played."""
    if view.bottom_card is None or view.stock_size or view.dealer == world.me:
        return
    bottom = CARD[view.bottom_card]
    if not any(bottom in slots for slots in (knowledge.pile, *knowledge.heaps)):
        give(world, view.dealer, [bottom])
        world.seen[RANKS_OF[bottom]] -= 1


def _judged(closed: Sequence[PistiWorld], players: int, doubt: float) -> list[float]:
    """By seat, the chances of the models, by what it played of hands that are known now."""
    trust = [[1 / MODELS] * MODELS for _ in range(players)]
    for before in closed:
        seat = before.turn
        give(before, seat, before.played[: before.played_size])
        weigh_models(before)
        for model in range(MODELS):
            trust[seat][model] *= before.odds[model][0]
        made_whole(trust[seat])
    for chances in trust:
        chances[:] = [max(doubt, chance) for chance in chances]
        made_whole(chances)
    return [chance for chances in trust for chance in chances]
