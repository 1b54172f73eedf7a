"""Ways to lay the own cards out in the exchange, each played to the end in the same worlds.

Choices of the seat to play, each played to the end by ``keeper`` in the same worlds.

A tree tries a choice the more often the better it looks, so what it found of the others is little
and too low. Here all of them are played equally often.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from cardroom.rules.cards import CARD
from cardroom.rules.search import copy_into
from cardroom.rules.shithead.bots.belief import Known, deal_unknown
from cardroom.rules.shithead.bots.playouts import (
    BY_KEEPERS,
    CUNNINGLY,
    JUDGED,
    LONGEST,
    Network,
    judged_worth,
    network_of,
    play_cunningly,
    play_on,
    play_to_a_choice,
    worth_of,
)
from cardroom.rules.shithead.bots.world import (
    MOST,
    PARTS_WITH,
    PLACE,
    ShitheadWorld,
    count,
    counts_of,
    make,
)
from cardroom.rules.shithead.events import Exchanged
from cardroom.rules.shithead.predicates import READY, SWAP
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Move, Seat

# The ranks from those that stay in the hand to those laid open. Wild cards laid open are safe until
# the hand is used up; in a long row court cards do better there. The first way is that of `keeper`.
# More of them are tried where a network judges.
LAYOUTS: Final = (PARTS_WITH, "JQK452367A89TX", "TX32456789JQKA", "456789JQ32XTKA")
JUDGED_LAYOUTS: Final = (*LAYOUTS, "489567JQKA3XT2", "456789JQKXAT32", "4567893JQKAX2T")
KEEPERS: Final = tuple(PLACE[rank] for rank in PARTS_WITH)


class Exchange(NamedTuple):
    """``hands`` and ``tops`` of each way to end the own exchange; who is ``ready``, and who starts.

    ``ends``: how the seat plays on (``playouts``). ``worlds`` has room for a sampled world and one
    to play, ``fresh`` for choices.
    """

    hands: list[int]
    tops: list[int]
    ready: list[int]
    starter: int
    ends: int
    worlds: list[ShitheadWorld]
    fresh: list[int]
    network: Network


def play_layouts(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    exchange: Exchange,
) -> None:
    """Plays each of these ways in so many worlds; ``totals`` grow by what they are worth."""
    sampled, playing = 0, 1
    for _ in range(worlds):
        copy_into(exchange.worlds, sampled, known.worlds[0])
        deal_unknown(rng, known, exchange.worlds[sampled])
        begin(exchange.worlds[sampled], exchange)
        for nth in range(len(moves)):
            copy_into(exchange.worlds, playing, exchange.worlds[sampled])
            world = exchange.worlds[playing]
            world.hands[world.me] = exchange.hands[moves[nth]]
            world.tops[world.me] = exchange.tops[moves[nth]]
            if exchange.ends == CUNNINGLY:
                play_cunningly(rng, world, LONGEST, exchange.fresh)
                totals[nth] += worth_of(world)
            elif exchange.ends == JUDGED:
                left = play_to_a_choice(world, LONGEST)
                totals[nth] += judged_worth(world, left, exchange.network)
            else:
                play_on(world, LONGEST)
                totals[nth] += worth_of(world)


def begin(world: ShitheadWorld, exchange: Exchange) -> None:
    """The exchange of the others ends as ``keeper`` ends it."""
    for seat in range(world.players):
        if not exchange.ready[seat]:
            both = world.hands[seat] + world.tops[seat]
            world.tops[seat] = laid_open(both, count(world.tops[seat]), KEEPERS)
            world.hands[seat] = both - world.tops[seat]
    world.turn = exchange.starter


def laid_open(cards: int, wanted: int, order: Sequence[int]) -> int:
    """So many of these cards, of the last ranks in this order."""
    laid = 0
    for nth in range(len(order) - 1, -1, -1):
        place = order[nth]
        some = min(wanted, cards >> 4 * place & 15)
        laid += some << 4 * place
        wanted -= some
    return laid


def layouts_of(view: ShitheadView, layouts: Sequence[str] = LAYOUTS) -> tuple[int, int, list[int]]:
    """The seat, its open cards, and what would lie open by each of these layouts."""
    seat = view.seat or 0
    tops = counts_of(view.tops[seat])
    both = counts_of(view.hand) + tops
    orders = [[PLACE[rank] for rank in layout] for layout in layouts]
    return seat, tops, [laid_open(both, count(tops), order) for order in orders]


def ending(view: ShitheadView, wanted: Sequence[int], ends: int = BY_KEEPERS) -> Exchange:
    """The exchange ended with each of these open."""
    seat = view.seat or 0
    both = counts_of(view.hand) + counts_of(view.tops[seat])
    return Exchange(
        hands=[both - laid for laid in wanted],
        tops=list(wanted),
        ready=[int(ready or other == seat) for other, ready in enumerate(view.ready)],
        starter=(view.dealer + 1) % len(view.tops),
        ends=ends,
        worlds=[ShitheadWorld(), ShitheadWorld()],
        fresh=[0] * MOST,
        network=network_of(),
    )


def missing(wanted: int, tops: int) -> int:
    """How many open cards have to be another: as many swaps as that."""
    return sum(max(0, (wanted >> shift & 15) - (tops >> shift & 15)) for shift in range(0, 56, 4))


def step(hand: Sequence[str], tops: Sequence[str], wanted: int) -> Move:
    """A swap that brings the open cards nearer to what is wanted."""
    lying = counts_of(tops)
    better = [code for code in hand if copies_of(wanted, code) > copies_of(lying, code)]
    worse = [code for code in tops if copies_of(wanted, code) < copies_of(lying, code)]
    return SWAP[CARD[better[0]]][CARD[worse[0]]] if better and worse else READY


def copies_of(cards: int, code: str) -> int:
    """How many cards of this rank."""
    return cards >> 4 * PLACE[code[0]] & 15


def led_to(aims: Sequence[int], tops: int, events: Sequence[Event], seat: Seat) -> list[int]:
    """Those of the aims that every swap of this seat led to; ``tops`` lie open now."""
    swaps = [each for each in events if isinstance(each, Exchanged) and each.seat == seat]
    before = tops + counts_of(each.to_hand for each in swaps)
    before -= counts_of(each.to_top for each in swaps)
    return [aim for aim in aims if missing(aim, before) == missing(aim, tops) + len(swaps)]


SAMPLED: Final = 0
PLAYING: Final = 1


class Compared(NamedTuple):
    """The choices (``choices.choice``), and room for a sampled world and one to play."""

    choices: list[int]
    worlds: list[ShitheadWorld]


def play_choices(
    rng: Random,
    worlds: int,
    moves: list[int],
    totals: list[float],
    known: Known,
    compared: Compared,
) -> None:
    """Plays each of these choices in so many worlds; ``totals`` grow by what they are worth."""
    for _ in range(worlds):
        copy_into(compared.worlds, SAMPLED, known.worlds[0])
        deal_unknown(rng, known, compared.worlds[SAMPLED])
        for nth in range(len(moves)):
            copy_into(compared.worlds, PLAYING, compared.worlds[SAMPLED])
            world = compared.worlds[PLAYING]
            make(world, compared.choices[moves[nth]])
            play_on(world, LONGEST - 1)
            totals[nth] += worth_at_last(world)


def worth_at_last(world: ShitheadWorld) -> float:
    """Players who turn in circles come out of them some time, each as likely as the others."""
    if world.active > 1 and not world.places[world.me]:
        return 1 - 1 / world.active
    return worth_of(world)
