"""A possible world behind a view, for bots that search: unseen cards dealt at random.

Dealing again what the loading player cannot know (FORMAT.md §2, loaded matches).

Four decks are in use: both side decks (the first two of the match) and both main decks of the
current round (the last two). Equal cards cannot be exchanged one for one, so what each seat has is
built again from its new decks by what happened.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.events import CardPlayed, HandDrawn, Opener
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import unseen_main
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.redeal import lay_back
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import Deck, Event, HistoryStep, Redealt, Seat


def imagine(view: PazaakView, rng: Random, events: Sequence[Event] = ()) -> PazaakState:
    """A state that gives ``view`` this very view; ``events`` tell the opening."""
    bottoms = _bottoms(view, events)
    first, second = (
        _player(view, seat, rng, bottoms[seat] if bottoms else None) for seat in (0, 1)
    )
    return PazaakState(
        options=view.options,
        halves=(first, second),
        wins=(view.halves[0].wins, view.halves[1].wins),
        round_no=view.round_no,
        opener=view.starter,
        starter=view.starter,
        to_act=view.to_act[0] if view.to_act else None,
        phase=view.phase,
    )


def _bottoms(view: PazaakView, events: Sequence[Event]) -> tuple[int, int] | None:
    """The bottom cards shown at the opening; they lie in the decks of round 1 only."""
    shown = (event.values for event in events if isinstance(event, Opener))
    return next(shown, None) if view.round_no == 1 else None


def _player(view: PazaakView, seat: Seat, rng: Random, bottom: int | None) -> PlayerState:
    seen = view.halves[seat]
    main = _main_deck(seen, rng, bottom)
    hand, side = _side_cards(view, seat, rng)
    return PlayerState(
        main=main,
        side=side,
        hand=hand,
        board=seen.board,
        total=seen.total,
        standing=seen.standing,
        allowance=seen.allowance,
        played=seen.played,
    )


def _main_deck(seen: HalfView, rng: Random, bottom: int | None) -> tuple[int, ...]:
    """The pack without what lies on the board, in any order except for a bottom card shown."""
    left = unseen_main(seen.board)
    known = [bottom] if bottom is not None else []
    for value in known:
        left.remove(value)
    rng.shuffle(left)
    return (*left, *known)


def _side_cards(
    view: PazaakView, seat: Seat, rng: Random
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    seen = view.halves[seat]
    if seat == view.seat:
        return view.hand or (), _shuffled(view.side_deck or (), rng)
    played = Counter(seen.played)
    if seen.allowance is not None:  # R25: everybody knows what a cheater brings
        deck = Counter(side_cards.cheater_deck(view.options.catalogue))
        return (), _shuffled((deck - played).elements(), rng)
    left = _possible(view.options, played)
    drawn = rng.sample(left, seen.cards_in_hand + seen.cards_in_side_deck)
    return side_cards.in_order(drawn[: seen.cards_in_hand]), tuple(drawn[seen.cards_in_hand :])


def _possible(options: PazaakOptions, played: Counter[str]) -> list[str]:
    """The cards that another seat's hand and side deck may be made of."""
    copies = options.max_copies or side_cards.DECK_SIZE
    catalogue = side_cards.CATALOGUES[options.catalogue]
    return sorted((Counter(dict.fromkeys(catalogue, copies)) - played).elements())


def _shuffled(cards: Iterable[str], rng: Random) -> tuple[str, ...]:
    mixed = list(cards)
    rng.shuffle(mixed)
    return tuple(mixed)


Positions = frozenset[int]


class Trail(NamedTuple):
    """The whereabouts of the cards of one side deck, by their positions in it."""

    drawn: int
    held: tuple[int, ...]
    played: tuple[int, ...]


def redeal(
    state: PazaakState, history: Sequence[HistoryStep], seats: AbstractSet[Seat], shuffle: Shuffle
) -> Redealt[PazaakState]:
    """Deals again every card that none of ``seats`` can know at the end of ``history``."""
    decks = [tuple(deck) for step in history for deck in step.decks]
    events = [event for step in history for event in step.events]
    trails = [_trail(state.halves[seat], decks[seat], _of(seat, events)) for seat in (0, 1)]
    moved = []
    for index, known in _known(state, decks, events, trails, seats):
        unknown = tuple(at for at in range(len(decks[index])) if at not in known)
        if unknown:
            laid = shuffle([decks[index][at] for at in unknown])
            decks[index] = lay_back(decks[index], unknown, laid)
            moved.append((index, unknown))
    first, second = (_rebuilt(state, seat, decks, trails[seat]) for seat in (0, 1))
    return Redealt(
        state=replace(state, halves=(first, second)),
        decks=tuple(decks),
        moved=tuple(moved),
        events=tuple(_retold(history, decks)),
    )


def _retold(history: Iterable[HistoryStep], decks: Sequence[Deck]) -> Iterator[tuple[Event, ...]]:
    """The events; every hand drawn is the next cards of the side deck as it lies now (R5)."""
    rest = [iter(_codes(decks[seat])) for seat in (0, 1)]
    for step in history:
        events = list(step.events)
        for at, event in enumerate(events):
            if isinstance(event, HandDrawn) and not event.cheating:
                drawn = side_cards.in_order(islice(rest[event.seat], event.count))
                events[at] = replace(event, cards=drawn)
        yield tuple(events)


def _of(seat: Seat, events: Iterable[Event]) -> list[HandDrawn | CardPlayed]:
    return [
        event
        for event in events
        if isinstance(event, HandDrawn | CardPlayed) and event.seat == seat
    ]


def _trail(player: PlayerState, deck: Deck, events: Iterable[HandDrawn | CardPlayed]) -> Trail:
    """A cheater holds its whole side deck from the start (R25); others hold what they drew."""
    cheats = player.allowance is not None
    drawn = len(deck) if cheats else 0
    held, played = list(range(drawn)), []
    for event in events:
        if isinstance(event, CardPlayed):
            at = next(at for at in held if deck[at] == event.code)
            held.remove(at)
            played.append(at)
        elif not cheats:
            held += range(drawn, drawn + event.count)
            drawn += event.count
    return Trail(drawn, tuple(held), tuple(played))


def _known(
    state: PazaakState,
    decks: Sequence[Deck],
    events: Iterable[Event],
    trails: Sequence[Trail],
    seats: AbstractSet[Seat],
) -> list[tuple[int, Positions]]:
    """Each deck in use with the positions that stay, in the order of the decks' numbers."""
    opening = _opening(state, decks, events)
    last = len(decks) - 2
    return [
        *((seat, _known_side(state, seat, trails[seat], seats)) for seat in (0, 1)),
        *((last + seat, opening | frozenset(range(_count_drawn(state, seat)))) for seat in (0, 1)),
    ]


def _known_side(
    state: PazaakState, seat: Seat, trail: Trail, seats: AbstractSet[Seat]
) -> Positions:
    """Positions of the known side cards: played ones to all, drawn ones to their seat."""
    knows_hand = seat in seats and state.halves[seat].allowance is None
    return frozenset(trail.played + trail.held if knows_hand else trail.played)


def _count_drawn(state: PazaakState, seat: Seat) -> int:
    return sum(card.source == "main" for card in state.halves[seat].board)


def _opening(state: PazaakState, decks: Sequence[Deck], events: Iterable[Event]) -> Positions:
    """R6 in round 1: the two cards shown and the equal ones below, which made these decide."""
    if state.round_no > 1 or not any(isinstance(event, Opener) for event in events):
        return frozenset()
    pairs = list(zip(decks[-2], decks[-1], strict=True))
    unlike = (at for at in reversed(range(len(pairs))) if pairs[at][0] != pairs[at][1])
    return frozenset(range(next(unlike, 0), len(pairs)))


def _rebuilt(state: PazaakState, seat: Seat, decks: Sequence[Deck], trail: Trail) -> PlayerState:
    player, deck = state.halves[seat], _codes(decks[seat])
    main = tuple(card for card in decks[len(decks) - 2 + seat] if isinstance(card, int))
    hand = side_cards.in_order(deck[at] for at in trail.held)
    side = deck[trail.drawn :]
    if player.allowance is not None:
        hand, side = (), _left(deck, trail)
    return replace(player, main=main[_count_drawn(state, seat) :], side=side, hand=hand)


def _left(deck: tuple[str, ...], trail: Trail) -> tuple[str, ...]:
    """A cheater's rest as playing leaves it: of equal cards the foremost one goes."""
    left = list(deck)
    for at in trail.played:
        left.remove(deck[at])
    return tuple(left)


def _codes(deck: Deck) -> tuple[str, ...]:
    return tuple(card for card in deck if isinstance(card, str))
