"""A possible world behind a view, for bots that search: unseen cards dealt at random."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from cardroom.rules.pazaak import side_cards
from cardroom.rules.pazaak.events import Opener
from cardroom.rules.pazaak.options import PazaakOptions
from cardroom.rules.pazaak.predicates import unseen_main
from cardroom.rules.pazaak.state import PazaakState, PlayerState
from cardroom.rules.pazaak.view import HalfView, PazaakView
from cardroom.rules.values import Event, Seat


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
