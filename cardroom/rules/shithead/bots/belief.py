"""The knowledge of a seat in a position, from its view and its events.

``sampling`` deals worlds from it.

Worlds that a seat may be in: the cards that it cannot place, dealt at random.

The pile of a world as the events of a match leave it.

Ranks that the unknown cards of a hand do not have, inferred from the turns of its seat.

A seat that picks the pile up holds nothing that may be played there (R8). A seat that plays a rank
hardly holds one that most players part with sooner, nor more of the same. A seat that laid its best
cards open in the exchange hardly kept better ones (``laid_open_best``). A card drawn from the stock
may be anything; what is known of the others in that hand stays known.

The chance that each other seat plays as ``keeper``, by its turns that depend on it.

Much of a hand is known: what was picked up, what lay open. Where ``keeper`` would have played other
cards than the seat did, it is hardly one; where the seat had a choice and played as ``keeper``
would, it is the likelier one.
"""

from collections.abc import Sequence, Set
from functools import reduce
from operator import and_
from random import Random
from typing import Final, NamedTuple

from cardroom.rules.cards import CARD, TEXT
from cardroom.rules.search import chance, shuffle
from cardroom.rules.shithead.bots.simple import decide
from cardroom.rules.shithead.bots.world import (
    KING,
    ONE,
    ONES,
    PLACE,
    ShitheadWorld,
    clear,
    counts_of,
    empty_world,
    first,
    stack,
)
from cardroom.rules.shithead.events import (
    Burned,
    Dealt,
    Drew,
    Exchanged,
    GameStarted,
    HiddenFailed,
    PickedUp,
    Played,
)
from cardroom.rules.shithead.knowledge import Knowledge, known_hands, unseen_cards
from cardroom.rules.shithead.view import ShitheadView
from cardroom.rules.values import Event, Seat

STILL_HELD: Final = 0.15  # the chance that a card of a doubtful rank is held all the same


class Known(NamedTuple):
    """The knowledge and the inferences of the seat that searches.

    ``worlds`` is one world, with what is known; its deck has every card that the seat cannot place.
    Some of these are in hands: ``holders`` has the seat of each of them. It is of none of the ranks
    in ``none``, and hardly of one in ``few``; first come those of which something is known.
    ``trust`` is by seat the chance that it plays as ``keeper`` (``inference``).
    """

    worlds: list[ShitheadWorld]
    holders: list[int]
    none: list[int]
    few: list[int]
    trust: list[float]


def deal_unknown(rng: Random, known: Known, world: ShitheadWorld) -> None:
    """Deals the deck of the known world into hands, hidden slots and stock, and says who keeps."""
    for seat in range(world.players):
        if known.trust[seat] < 1 and chance(rng) >= known.trust[seat]:
            world.keepers -= 1 << seat
    left, nth = world.stock_size + len(known.holders), 0
    for seat in range(world.players):
        left += world.hidden[seat]
    while nth < len(known.holders) and known.none[nth] | known.few[nth]:
        draw_likely(rng, known, world, nth, left)
        left -= 1
        nth += 1
    shuffle(rng, world.deck, left)
    for unknown in range(nth, len(known.holders)):
        left -= 1
        world.hands[known.holders[unknown]] += ONE[world.deck[left]]


def draw_likely(rng: Random, known: Known, world: ShitheadWorld, nth: int, left: int) -> None:
    """The nth unknown card of a hand, of a rank that it may be, from so many cards."""
    deck, none, few = world.deck, known.none[nth], known.few[nth]
    at, one = 0, 0
    for _ in range(4 * left):  # then it is any card: perhaps only ranks that it is not are left
        spot = chance(rng) * left
        at = int(spot)
        one = ONE[deck[at]]
        if not one & none and (not one & few or spot - at <= STILL_HELD):
            break
    deck[at] = deck[left - 1]
    world.hands[known.holders[nth]] += one


def follow_pile(table: ShitheadWorld, event: Event) -> None:
    match event:
        case Played(cards=cards):
            stack(table, PLACE[cards[0][0]], len(cards))
        case HiddenFailed() | PickedUp() | Burned():  # R10: who fails picks up at once
            clear(table)


class Lacks(NamedTuple):
    """Ranks as bits of counts: an unknown card is surely none of those, and hardly one of these."""

    none: int = 0
    few: int = 0

    @property
    def excluded(self) -> int:
        """How many bits of ranks it is not: 0 if it may be anything."""
        return (self.none | self.few).bit_count()

    def and_also(self, other: "Lacks") -> "Lacks":
        return Lacks(self.none | other.none, self.few | other.few)


def lacking(view: ShitheadView, events: Sequence[Event], *, exchanges: bool) -> list[list[Lacks]]:
    """By seat, what each unknown card of its hand is not, with what ``exchanges`` tell or without.

    The cards of a hand are in no order. Of cards dealt before the first event nothing is told.
    """
    events, seats, table = this_game(events), len(view.tops), empty_world(view.options)
    kept = since_exchange(events, seats) if exchanges else [Lacks()] * seats
    hands, knowledge = [list[Lacks]() for _ in range(seats)], Knowledge(seats)
    forced = view.options.pickup == "forced"
    for event in events:
        match event:
            case Dealt(seat=seat, top=top):
                hands[seat] = [kept[seat]] * len(top)
            case Exchanged(seat=seat, to_top=code):
                hands[seat] = _without([code], hands[seat], knowledge.hands[seat])
            case Played(seat=seat):
                hands[seat] = _after_play(event, hands[seat], knowledge.hands[seat], table)
            case PickedUp(seat=seat) if table.pile:
                hands[seat] = _each_also(hands[seat], _by_pick_up(table, forced=forced))
            case Drew(seat=seat):
                hands[seat] = [*hands[seat], Lacks()]
        follow_pile(table, event)
        knowledge.note(event)
    return hands


def _after_play(
    event: Played, hand: list[Lacks], known: Set[int], table: ShitheadWorld
) -> list[Lacks]:
    if event.source == "hand":
        lacks = _by_play(table, PLACE[event.cards[0][0]])
        return _each_also(_without(event.cards, hand, known), lacks)
    return [] if event.source == "hand_top" else hand  # R9: with all that was left of the hand


def _each_also(hand: list[Lacks], lacks: Lacks) -> list[Lacks]:
    return [card.and_also(lacks) for card in hand]


def _without(codes: Sequence[str], hand: list[Lacks], known: Set[int]) -> list[Lacks]:
    """The unknown cards of a hand that has parted with these cards, some of them ``known`` ones.

    An unknown card was any of those that it could be, so what these have in common is all that is
    sure of those of them that stay.
    """
    for code in codes:
        if CARD[code] in known or not hand:
            continue
        rank = 15 << 4 * PLACE[code[0]]
        could = [card for card in hand if not card.none & rank] or hand
        likely = [card for card in could if not card.few & rank] or could
        sure = reduce(and_, [card.none for card in could])
        hardly = reduce(and_, [card.none | card.few for card in likely])
        hand = [
            *[card for card in hand if card not in could],
            *[Lacks(sure, card.none | card.few) for card in could if card not in likely],
            *[Lacks(sure, hardly)] * (len(likely) - 1),
        ]
    return hand


def since_exchange(events: Sequence[Event], seats: int) -> list[Lacks]:
    """By seat, what its hand is not when play begins."""
    tops, taken = [0] * seats, [0] * seats
    for event in events:
        match event:
            case Dealt(seat=seat, top=top):
                tops[seat] = counts_of(top)
            case Exchanged(seat=seat, to_top=up, to_hand=down):
                tops[seat] += counts_of([up]) - counts_of([down])
                taken[seat] += counts_of([down])
    return [Lacks(0, laid_open_best(*each)) for each in zip(tops, taken, strict=True)]


def laid_open_best(tops: int, taken: int) -> int:
    """The ranks above the lowest top, after an exchange in which all that was ``taken`` into the
    hand is no better: hardly any of them stayed in the hand.
    """
    above = ONES * 15 >> 4 * first(tops) + 4 << 4 * first(tops) + 4
    return 0 if not taken or taken & above else above


def this_game(events: Sequence[Event]) -> Sequence[Event]:
    started = [at for at, event in enumerate(events) if isinstance(event, GameStarted)]
    return events[started[-1] :] if started else events


def _by_play(table: ShitheadWorld, place: int) -> Lacks:
    sooner = table.masks[table.t] & (ONE[place] - 1)
    same = 15 << 4 * place if place < KING else 0
    return Lacks(0, sooner | same)


def _by_pick_up(table: ShitheadWorld, *, forced: bool) -> Lacks:
    playable = table.masks[table.t]
    return Lacks(playable, 0) if forced else Lacks(0, playable)


FIRST: Final = 0.9  # before a turn has told anything; one that is no keeper soon shows it
DOUBT: Final = 0.01  # the least chance that a seat is not what its turns say
ALIKE: Final = 1.5  # odds of a keeper by a turn that is one of keepers, where there was a choice
UNLIKE: Final = 0.01  # by a turn that is none


def trusted(view: ShitheadView, events: Sequence[Event]) -> list[float]:
    """By seat, the chance that it plays as ``keeper``."""
    seats, table = len(view.tops), empty_world(view.options)
    knowledge, tops = Knowledge(seats), [set[str]() for _ in range(seats)]
    odds = [FIRST / (1 - FIRST)] * seats
    for event in this_game(events):
        match event:
            case Dealt(seat=seat, top=top):
                tops[seat] = set(top)
            case Exchanged(seat=seat, to_top=up, to_hand=down):
                tops[seat] = tops[seat] - {down} | {up}
            case Played(seat=seat, cards=cards, source=source):
                if source != "hidden":
                    hand = {TEXT[card] for card in knowledge.hands[seat]}
                    held = tops[seat] if source == "top" else hand
                    played = [c for c in cards if source == "top" or c not in tops[seat]]
                    odds[seat] *= _likelihood(table, counts_of(held), counts_of(played))
                tops[seat].difference_update(cards)
        follow_pile(table, event)
        knowledge.note(event)
    chances = [each / (1 + each) for each in odds]
    return [min(1 - DOUBT, max(DOUBT, chance)) for chance in chances]


def _likelihood(table: ShitheadWorld, held: int, played: int) -> float:
    """How much likelier a keeper plays these cards, of one rank, than another player does.

    The seat certainly ``held`` so many of each rank, and what it played. Cards that nobody knows
    can only make a keeper play a lower rank, or more cards.
    """
    rank = (played.bit_length() - 1) // 4
    lying = 15 << 4 * rank
    held = (held & ~lying) + max(held & lying, played)
    may = held & table.masks[table.t]
    if may == 1 << 4 * rank:
        return 1.0
    keepers, cards, _ = decide(may, held, 0, table.last, table.run)
    return ALIKE if cards << 4 * keepers == played else UNLIKE


def believed(
    view: ShitheadView, events: Sequence[Event], *, exchanges: bool = False, doubts: bool = False
) -> Known:
    """The hands of the others hold what everybody saw go there, and hardly what they lack.

    ``exchanges``: what the exchange of a seat tells of its hand counts too. ``doubts``: the others
    are keepers as far as their turns say so.
    """
    world, unseen = open_cards(view), unseen_cards(view)
    lacks, unknown = lacking(view, events, exchanges=exchanges), list[tuple[Seat, Lacks]]()
    for seat, cards in enumerate(known_hands(events, world.players)):
        if seat == view.seat:
            continue
        remembered = cards & unseen
        unseen -= remembered
        world.hands[seat] = counts_of(TEXT[card] for card in remembered)
        left = view.hand_counts[seat] - len(remembered)
        inferred = lacks[seat][:left]
        unknown += [(seat, card) for card in inferred + [Lacks()] * (left - len(inferred))]
    world.deck[: len(unseen)] = [PLACE[TEXT[card][0]] for card in sorted(unseen)]
    unknown.sort(key=lambda each: -each[1].excluded)
    trust = trusted(view, events) if doubts else [1.0] * world.players
    for seat, place in enumerate(view.places):
        if place or seat == world.me:
            trust[seat] = 1.0
    return Known(
        [world],
        [seat for seat, _ in unknown],
        [card.none for _, card in unknown],
        [card.few for _, card in unknown],
        trust,
    )


def open_cards(view: ShitheadView) -> ShitheadWorld:
    """The open cards and the own hand; stock and hidden cards have places, but no rank yet."""
    world, first = empty_world(view.options), view.stock_count
    world.stock_size = first
    for seat, (tops, slots) in enumerate(zip(view.tops, view.hidden, strict=True)):
        world.tops[seat] = counts_of(tops)
        world.first_hidden[seat], world.hidden[seat] = first, len(slots)
        first += len(slots)
    world.me = view.seat or 0
    world.hands[world.me] = counts_of(view.hand)
    world.places[: world.players] = view.places
    world.active = view.places.count(0)
    world.turn = 0 if view.turn is None else view.turn
    world.direction = view.direction
    for code in view.pile:
        stack(world, PLACE[code[0]], 1)
    return world
