"""One deal of Pişti on plain ints, changed in place: quick play for a bot that searches.

The same rules as ``rules`` and ``score`` (a test plays both side by side). Heaps are kept as what
they count: cards, points of single cards, points of piştis. No events, no text, and no suits
except in ``POINTS``.

The choices of the other seats in this deal and the one before, for a search that looks back.
"""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from cardroom.rules.cards import CARD, JACK, RANK
from cardroom.rules.pisti.events import (
    CardPlayed,
    CentreDealt,
    DealStarted,
    HandDealt,
    JackBuried,
    Redeal,
)
from cardroom.rules.pisti.options import PistiOptions, side_count
from cardroom.rules.pisti.predicates import PACK, PLAYS_PER_DEAL, card_points
from cardroom.rules.pisti.view import PistiView
from cardroom.rules.search import Flat
from cardroom.rules.values import Event, Seat

POINTS: Final = tuple(card_points(1 << card) for card in PACK)
RANKS_OF: Final = RANK[: len(PACK)]
RANKS: Final = 13
EMPTY: Final = -1  # the top rank of an empty pile
NO_TARGET: Final = -1
SEATS: Final = 4
HAND: Final = 4
BLOCK: Final = 2 * HAND  # cards between two
MODELS: Final = 3  # of another player (``models``)

BySeat = Annotated[list[int], SEATS]
BySide = Annotated[list[int], SEATS]


class PistiWorld(Flat):
    """Lists have a place for each of four seats or sides, of which the first ones are used.

    A hand is the first ``sizes`` of its places. ``top`` is the rank on the pile; ``seen`` counts by
    rank what every seat has seen lying open; ``refused`` has the bit of each rank that the seat let
    lie since it was last dealt cards; ``last`` is the seat that captured last, or -1.

    ``me`` is the seat that searches. ``beliefs`` are the chances of a seat to play by each model,
    ``counts`` whether it plays as a counter here; ``exact`` whether the counter is foreseen to the
    last rule, or in short. In a decision that a search looks back on ``played`` is what the seat to
    play has played from there on. ``alike`` (unseen cards of its rank), ``worths`` and, by model,
    ``odds`` are for each card of a hand while it is judged.
    """

    players: int
    sides: int
    single: int
    double: int
    majority: int
    last_counts: int
    target: int
    totals: BySide
    me: int
    top: int
    pile_size: int
    pile_points: int
    turn: int
    plays: int
    last: int
    sizes: BySeat
    hands: Annotated[list[list[int]], SEATS, HAND]
    refused: BySeat
    seen: Annotated[list[int], RANKS]
    cards: BySide
    points: BySide
    bonus: BySide
    counts: BySeat
    exact: int
    beliefs: Annotated[list[list[float]], SEATS, MODELS]
    played_size: int
    played: Annotated[list[int], HAND]
    alike: Annotated[list[int], HAND]
    worths: Annotated[list[float], HAND]
    odds: Annotated[list[list[float]], MODELS, HAND]


def empty_world(options: PistiOptions) -> PistiWorld:
    """Before anything is dealt."""
    world = PistiWorld()
    world.players, world.sides = options.players, side_count(options)
    world.single, world.double = options.pisti_points, options.double_pisti_points
    world.majority, world.last_counts = options.majority_points, int(options.last_card_pisti)
    world.target = NO_TARGET if options.target_score is None else options.target_score
    world.top, world.last = EMPTY, -1
    return world


def give(world: PistiWorld, seat: int, cards: list[int]) -> None:
    """The seat holds these cards and no others."""
    world.hands[seat][: len(cards)] = cards
    world.sizes[seat] = len(cards)


def hand_of(world: PistiWorld, seat: int) -> list[int]:
    return world.hands[seat][: world.sizes[seat]]


def put(world: PistiWorld, at: int) -> None:
    """One card of the seat to play: it captures or lies on the pile (R10 to R21)."""
    seat, size = world.turn, world.pile_size
    hand, left = world.hands[seat], world.sizes[seat] - 1
    card = hand[at]
    for place in range(at, left):
        hand[place] = hand[place + 1]
    world.sizes[seat] = left
    rank = RANKS_OF[card]
    world.seen[rank] += 1
    world.plays += 1
    world.turn = seat + 1 if seat + 1 < world.players else 0
    if size and (rank == world.top or rank == JACK):
        side = seat % world.sides
        world.cards[side] += size + 1
        world.points[side] += world.pile_points + POINTS[card]
        if size == 1 and rank == world.top and (world.plays < PLAYS_PER_DEAL or world.last_counts):
            world.bonus[side] += world.double if rank == JACK else world.single
        world.last = seat
        world.pile_size = world.pile_points = 0
        world.top = EMPTY
    else:
        if size:
            world.refused[seat] |= 1 << world.top
        world.pile_size = size + 1
        world.pile_points += POINTS[card]
        world.top = rank


def finish(world: PistiWorld) -> None:
    """The leftover pile and the majority (R22 to R24); then ``points`` are the deal's."""
    if world.last >= 0:
        side = world.last % world.sides
        world.cards[side] += world.pile_size
        world.points[side] += world.pile_points
    world.pile_size = world.pile_points = 0
    most, holder, holders = 0, 0, 0
    for side in range(world.sides):
        if world.cards[side] > most:
            most, holder, holders = world.cards[side], side, 1
        elif world.cards[side] == most:
            holders += 1
    if holders == 1:
        world.points[holder] += world.majority
    for side in range(world.sides):
        world.points[side] += world.bonus[side]


DEALS: Final = 2  # that are looked back on, the one in play included


class Story(NamedTuple):
    """Decisions: what lay there when a seat chose a card, and what it has played from then on.

    ``open``: since the seats were last dealt cards; ``closed``: earlier, so that what was played is
    the whole hand.
    """

    open: list[PistiWorld]
    closed: list[PistiWorld]


def recent_deals(events: Sequence[Event]) -> Sequence[Event]:
    """The events of this deal and the one before: enough to tell how a seat plays."""
    starts = [at for at, event in enumerate(events) if isinstance(event, DealStarted)]
    return events[starts[-DEALS] :] if len(starts) > DEALS else events


def story_of(view: PistiView, me: Seat, events: Sequence[Event]) -> Story:
    """The choices of the other seats in the deals of these events."""
    story, world = Story([], []), empty_world(view.options)
    for event in events:
        match event:
            case DealStarted() | Redeal():
                story = Story([], story.closed + story.open)
                world = empty_world(view.options)
            case HandDealt(seat=seat):
                give(world, seat, [EMPTY] * HAND)
                world.refused[seat] = 0
                story = _closed(story, seat)
            case CentreDealt(top=top):
                world.pile_size, world.pile_points = 4, POINTS[CARD[top]] + 1
                _turn_up(world, top)
            case JackBuried(top=top):
                _turn_up(world, top)
            case CardPlayed(seat=seat, card=code):
                _note_play(world, seat, CARD[code], story.open, me)
    return story


def _closed(story: Story, seat: Seat) -> Story:
    """The story once the seat has new cards."""
    ended = [decision for decision in story.open if decision.turn == seat]
    still = [decision for decision in story.open if decision.turn != seat]
    return Story(still, story.closed + ended)


def _turn_up(world: PistiWorld, code: str) -> None:
    world.top = RANKS_OF[CARD[code]]
    world.seen[world.top] += 1


def _note_play(
    world: PistiWorld, seat: Seat, card: int, decisions: list[PistiWorld], me: Seat
) -> None:
    """Cards of hands are unknown here; only their number counts."""
    world.turn = seat
    if seat != me and world.sizes[seat] > 1:
        decisions.append(world.copy())
    for decision in decisions:
        if decision.turn == seat:
            decision.played[decision.played_size] = card
            decision.played_size += 1
    if world.sizes[seat]:
        last = world.sizes[seat] - 1
        world.hands[seat][last] = card
        put(world, last)
