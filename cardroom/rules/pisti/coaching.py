"""The effects of a card, what it takes or leaves, for those who explain a match.

How likely the next seat can take it is counted in the worlds that the searcher would deal.

The themes of exercises of Pişti, the most special one first.

The worth of the cards of a block: the hands as dealt against hands that could have been.

Each deal is played to the end of its block by models of the players who know their own hand alone
(``bots.models``), and then valued (``bots.outlook``). This is a guess of how the match will go on,
and quick: no bot is asked. The functions are those of a search, so a compiled form finds the same.

Pişti's luck: each block of hands dealt. Its worth is guessed once the block is played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp, sqrt
from random import Random
from typing import Final

from msgspec.structs import replace

from cardroom.rules.cards import CARD, JACK, RANK
from cardroom.rules.option import Theme, Themes
from cardroom.rules.pisti.bots.belief import Known, believed, empty_pool, fill_pool, models_place
from cardroom.rules.pisti.bots.outlook import chance_to_win
from cardroom.rules.pisti.bots.world import (
    EMPTY,
    HAND,
    POINTS,
    RANKS_OF,
    SEATS,
    PistiWorld,
    empty_world,
    finish,
    give,
    put,
)
from cardroom.rules.pisti.knowledge import knowledge_of
from cardroom.rules.pisti.options import sides
from cardroom.rules.pisti.predicates import (
    DOUBLE,
    NO_BONUS,
    PACK,
    PLAYS_PER_DEAL,
    bonus,
    captures,
    card_points,
    heap_of,
    is_jack,
)
from cardroom.rules.pisti.state import CENTRE_SIZE, PistiState
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.search import copy_into, shuffle
from cardroom.rules.text import CardName, Phrase, say, say_n
from cardroom.rules.values import (
    Chances,
    Event,
    Move,
    Reason,
    Reasons,
    Seat,
    nothing_listed,
    percent,
)

WORLDS: Final = 100


def reasons_of(
    view: PistiView, events: Sequence[Event], rng: Random, moves: Sequence[Move]
) -> Mapping[Move, Reason]:
    known = believed(view, view.to_act[0], events)
    (world,) = known.worlds
    top = view.top
    taking = [move for move in moves if top is not None and captures(CARD[move], CARD[top])]
    reasons = {move: _taking(view, world, move) for move in taking}
    left = [move for move in moves if move not in reasons]
    return reasons | (dict(_leaving(known, rng, left)) if left else {})


def _taking(view: PistiView, world: PistiWorld, move: Move) -> Reason:
    if world.pile_size == 1 and view.top is not None and move[0] == view.top[0]:
        return Reason("pisti", {"card": move})
    return Reason("takes", {"card": move, "cards": world.pile_size})


def _leaving(known: Known, rng: Random, moves: Sequence[Move]) -> Iterator[tuple[Move, Reason]]:
    (world,) = known.worlds
    following = (world.turn + 1) % world.players
    pool = empty_pool(WORLDS, len(known.lot))
    fill_pool(rng, known, pool)
    weights = [after - before for before, after in pairwise([0.0, *pool.weights])]
    kind = "leaves" if world.pile_size else "opens"
    for move in moves:
        taken = sum(
            weight
            for each, weight in zip(pool.worlds, weights, strict=True)
            if _can_take(each, following, RANK[CARD[move]])
        )
        yield move, Reason(kind, {"card": move, "percent": percent(taken, pool.weights[-1])})


def _can_take(world: PistiWorld, seat: int, rank: int) -> bool:
    """Of a card that lies alone only its own rank makes a pişti; a jack takes it all the same."""
    held = {RANKS_OF[card] for card in world.hands[seat][: world.sizes[seat]]}
    return rank in held or (JACK in held and world.pile_size > 0)


def words(reason: Reason) -> Phrase:
    values = reason.values
    card = CardName(str(values["card"]))
    match reason.kind:
        case "pisti":
            return say("{card} makes a pişti.", card=card)
        case "takes":
            return say_n(
                "{card} takes {n} card.", "{card} takes {n} cards.", int(values["cards"]), card=card
            )
        case "opens":
            return say(
                "{card} lies alone: in {percent} % of the possible worlds the next player makes a"
                " pişti of it.",
                card=card,
                percent=values["percent"],
            )
    return say(
        "{card} stays on top: in {percent} % of the possible worlds the next player can take it.",
        card=card,
        percent=values["percent"],
    )


REASONS: Final = Reasons(reasons_of, words)

OF_A_RANK: Final = 4


def themes_of(view: PistiView, events: Sequence[Event], moves: Sequence[Move]) -> str | None:
    best, tempting = CARD[moves[0]], CARD[moves[1]]
    if view.stock_size == 0:
        return "last_hand"
    if is_jack(best) != is_jack(tempting):
        return "jacks"
    if _is_gone(view, events, best):
        return "counting"
    if view.top is None:
        return "empty_table"
    takes = [captures(card, CARD[view.top]) for card in (best, tempting)]
    return "take_or_leave" if takes[0] != takes[1] else None


def _is_gone(view: PistiView, events: Sequence[Event], card: int) -> bool:
    """Whether no other seat can hold a card of this rank: all of them were seen."""
    seen = knowledge_of(view, events).seen
    of_rank = [each for each in PACK if RANK[each] == RANK[card]]
    return sum(each in seen for each in of_rank) == OF_A_RANK


THEMES: Final = Themes(
    {
        "jacks": Theme(
            say("Counting jacks"), say("A jack takes any pile: spend it now or keep it?")
        ),
        "last_hand": Theme(
            say("The last block"),
            say("Nothing is dealt any more: all that you have not seen is in the other hands."),
        ),
        "counting": Theme(
            say("Counting ranks"), say("Which ranks are gone, so that nobody can match them?")
        ),
        "empty_table": Theme(
            say("An empty table"), say("A card that lies alone may become a pişti.")
        ),
        "take_or_leave": Theme(
            say("Take or leave"), say("Is the pile worth the card that takes it?")
        ),
    },
    themes_of,
)

OTHERS: Final = 48  # deals that could have been
PLAY_THE_TABLE: Final = frozenset({"random", "beginner", "greedy"})  # they do not count cards

# (rng, how many others, the world as dealt and room for two more, its cards, whether the centre is
# dealt as well, sums): adds what each side's chance was and, behind these, its mean over others
Compare = Callable[[Random, int, list[PistiWorld], list[int], int, list[float]], None]


def compare_deals(
    rng: Random,
    others: int,
    worlds: list[PistiWorld],
    lot: list[int],
    centre: int,
    sums: list[float],
) -> None:
    """``worlds`` are the one as dealt and a room; ``lot`` is every card that could have come."""
    copy_into(worlds, 1, worlds[0])
    play_block(worlds[1])
    for side in range(worlds[1].sides):
        sums[side] += chance_to_win(worlds[1], side)
    for _ in range(others):
        copy_into(worlds, 1, worlds[0])
        deal_anew(rng, worlds[1], lot, centre)
        play_block(worlds[1])
        for side in range(worlds[1].sides):
            sums[SEATS + side] += chance_to_win(worlds[1], side) / others


def deal_anew(rng: Random, world: PistiWorld, lot: list[int], centre: int) -> None:
    top = 0
    while top == 0:
        shuffle(rng, lot, len(lot))
        top = CENTRE_SIZE
        if centre:  # R7, R8: the top is no jack
            while top > 0 and RANKS_OF[lot[top - 1]] == JACK:
                top -= 1
    at = 0
    if centre:
        world.seen[world.top] -= 1
        world.top = RANKS_OF[lot[top - 1]]
        world.seen[world.top] += 1
        world.pile_points = 0
        for at in range(CENTRE_SIZE):
            world.pile_points += POINTS[lot[at]]
        at = CENTRE_SIZE
    for seat in range(world.players):
        for nth in range(HAND):
            world.hands[seat][nth] = lot[at]
            at += 1


def play_block(world: PistiWorld) -> None:
    while world.sizes[world.turn]:
        put(world, models_place(world))
    if world.plays == PLAYS_PER_DEAL:
        finish(world)


def added(
    before: PistiState | None,
    after: PistiState,
    _seat: Seat,
    _move: Move,
    bots: Sequence[str],
    rng: Random,
    compare: Compare | None = None,
) -> Sequence[float] | None:
    """``compare`` is the compiled form."""
    sides = len(after.totals)
    if after.options.bottom_card == "exposed":  # it was taken out of what is dealt (R9)
        return None
    if after.over:
        return [0.0] * sides
    is_new = before is None or before.deal_no != after.deal_no
    dealt = [card for hand in after.hands for card in hand]
    lot = list(PACK) if is_new else sorted([*after.stock, *dealt])
    sums = [0.0] * (2 * SEATS)
    worlds = [laid_out(after, bots), PistiWorld()]
    (compare or compare_deals)(rng, OTHERS, worlds, lot, int(is_new), sums)
    return [sums[side] - sums[SEATS + side] for side in range(sides)]


def laid_out(state: PistiState, bots: Sequence[str]) -> PistiWorld:
    """The world with every hand in it; what lies in heaps counts as seen by all."""
    world = empty_world(state.options)
    pile = state.pile
    for seat, hand in enumerate(state.hands):
        give(world, seat, list(hand))
        world.counts[seat] = int(bots[seat].split(":")[0] not in PLAY_THE_TABLE)
        heap, side = state.heaps[seat], seat % world.sides
        world.cards[side] += heap.bit_count()
        world.points[side] += card_points(heap)
    taken = sum(state.heaps)
    for card in PACK:
        world.seen[RANKS_OF[card]] += taken >> card & 1
    for card in pile[state.face_down :]:
        world.seen[RANKS_OF[card]] += 1
    world.pile_size, world.pile_points = len(pile), sum([POINTS[card] for card in pile])
    world.top = RANKS_OF[pile[-1]] if pile else EMPTY
    for side, (pistis, doubles) in enumerate(zip(state.pistis, state.doubles, strict=True)):
        world.bonus[side] = pistis * world.single + doubles * world.double
    world.totals[: world.sides] = state.totals
    world.turn, world.plays = state.to_play, state.plays_made
    world.last = -1 if state.last_capturer is None else state.last_capturer
    return world


SPREAD: Final = 4.0  # points by which a block moves the lead, about
ALL: Final = 52


def falls(state: PistiState, _seat: Seat, _move: Move) -> bool:
    """The last card of a block brings the next one, or the next deal."""
    return state.bottom is None and sum(map(len, state.hands)) == 1


def again(state: PistiState, rng: Random) -> PistiState:
    return replace(state, stock=tuple(rng.sample(state.stock, len(state.stock))))


def worth(state: PistiState) -> list[float]:
    table = _Block(state)
    table.play()
    points = table.points()
    left = _blocks_left(state, max(points))
    weights = [exp((point - max(points)) / (SPREAD * sqrt(left + 0.5))) for point in points]
    return [weight / sum(weights) for weight in weights]


def _blocks_left(state: PistiState, best: float) -> float:
    """After this one; of a match to a score about so many more deals come."""
    players, target = state.options.players, state.options.target_score
    blocks = len(state.stock) / (4 * players)
    if target is None:
        return blocks
    a_deal = PLAYS_PER_DEAL / (4 * players)
    return blocks + max(0.0, (target - best) / 14) * a_deal


class _Block:
    """A block in which each seat has one card at most: what is left plays itself."""

    def __init__(self, state: PistiState) -> None:
        self._state = state
        self._pile = list(state.pile)
        self._heaps = list(state.heaps)
        self._bonus = [
            pistis * state.options.pisti_points + doubles * state.options.double_pisti_points
            for pistis, doubles in zip(state.pistis, state.doubles, strict=True)
        ]
        self._last = state.last_capturer

    def play(self) -> None:
        for seat, hand in enumerate(self._state.hands):
            for card in hand:
                self._put_down(seat, card)
        if not self._state.stock and self._last is not None:
            self._heaps[self._last] |= heap_of(self._pile)

    def _put_down(self, seat: Seat, card: int) -> None:
        pile, options = self._pile, self._state.options
        if not pile or not captures(card, pile[-1]):
            pile.append(card)
            return
        self._last = seat
        self._heaps[seat] |= heap_of(pile) | 1 << card
        kind = bonus(card, pile[-1], len(pile))
        if kind != NO_BONUS:
            double = kind == DOUBLE
            points = options.double_pisti_points if double else options.pisti_points
            self._bonus[seat % len(self._bonus)] += points
        pile.clear()

    def points(self) -> list[float]:
        """Of each side, the match points of earlier deals included."""
        state = self._state
        heaps = [sum(self._heaps[seat] for seat in side) for side in sides(state.options)]
        cards = [heap.bit_count() for heap in heaps]
        left = ALL - sum(cards)
        lead = [
            own - max(c for at, c in enumerate(cards) if at != side)
            for side, own in enumerate(cards)
        ]
        return [
            total
            + self._bonus[side]
            + card_points(heap)
            + state.options.majority_points / (1 + exp(-3 * lead[side] / (left + 4)))
            for side, (heap, total) in enumerate(zip(heaps, state.totals, strict=True))
        ]


CHANCES: Final[Chances[PistiState]] = Chances(
    falls, again, worth, nothing_listed, plays_on=True, added=added
)
