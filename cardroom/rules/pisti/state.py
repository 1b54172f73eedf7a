"""Everything about a Pişti match at one version, kept small: it is written with every move.

From a shuffled pack to hands, centre and stock (R3 to R9, R16).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from cardroom.rules.cards import TEXT, texts
from cardroom.rules.pisti.events import CentreDealt, DealStarted, HandDealt, JackBuried, Redeal
from cardroom.rules.pisti.options import PistiOptions, starter_of
from cardroom.rules.pisti.predicates import PACK, is_jack
from cardroom.rules.values import Card, CardSet, Seat, State, StepBuilder, next_seat


class PistiState(State, frozen=True, gc=False):
    """``pile`` is bottom to top, ``stock`` next card first; ``pistis``… are one number a side."""

    options: PistiOptions
    deal_no: int
    dealer: Seat
    to_play: Seat
    plays_made: int
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    face_down: int  # cards at the bottom of the pile that nobody has captured or seen
    hands: tuple[tuple[Card, ...], ...]
    heaps: tuple[CardSet, ...]
    pistis: tuple[int, ...]
    doubles: tuple[int, ...]
    totals: tuple[int, ...]
    last_capturer: Seat | None = None
    bottom: int | None = None  # the exposed card; no Card, for it also lies in the stock or later
    over: bool = False


Cards: TypeAlias = tuple[int, ...]
Hands: TypeAlias = tuple[Cards, ...]

HAND_SIZE: Final = 4
CENTRE_SIZE: Final = 4


def deal(
    options: PistiOptions, deal_no: int, totals: tuple[int, ...], step: StepBuilder
) -> PistiState:
    """The opening of a deal; ``totals`` are the points of the deals before, one a side."""
    players, starter = options.players, starter_of(options, deal_no)
    dealer = next_seat(starter, players, -1)
    step.emit(DealStarted(deal_no=deal_no, dealer=dealer, starter=starter))
    deck = _fresh_deck(options, step)
    while all(map(is_jack, _centre(deck, players))):  # R8
        _void_deal(deck, players, starter, step)
        deck = _fresh_deck(options, step)
    hands = _hands(deck, players, starter)
    _tell_hands(hands, starter, step)
    pile = _turn_up(_centre(deck, players), step)
    nothing = (0,) * len(totals)
    return PistiState(
        options=options,
        deal_no=deal_no,
        dealer=dealer,
        to_play=starter,
        plays_made=0,
        stock=deck[HAND_SIZE * players + CENTRE_SIZE :],
        pile=pile,
        face_down=CENTRE_SIZE - 1,
        hands=hands,
        heaps=(0,) * players,
        pistis=nothing,
        doubles=nothing,
        totals=totals,
        bottom=deck[-1] if options.bottom_card == "exposed" else None,
    )


def deal_batch(state: PistiState, step: StepBuilder) -> PistiState:
    """Four more cards for each seat (R16); it is the starter's turn again."""
    players, starter = state.options.players, state.to_play
    hands = _packets(state.stock, players, starter)
    _tell_hands(hands, starter, step)
    return replace(state, hands=hands, stock=state.stock[HAND_SIZE * players :])


def with_exposed_bottom(deck: Sequence[int]) -> Cards:
    """The deck with the non-jack nearest the bottom put last (option ``bottom_card``)."""
    at = bottom_position(deck)
    return (*deck[:at], *deck[at + 1 :], deck[at])


def bottom_position(deck: Sequence[int]) -> int:
    return max(at for at, card in enumerate(deck) if not is_jack(card))


def _fresh_deck(options: PistiOptions, step: StepBuilder) -> Cards:
    deck = step.shuffle(PACK)
    return with_exposed_bottom(deck) if options.bottom_card == "exposed" else tuple(deck)


def _hands(deck: Cards, players: int, starter: Seat) -> Hands:
    """The first hands: dealt before the centre with two seats, after it with more (R5)."""
    return _packets(deck if players == 2 else deck[CENTRE_SIZE:], players, starter)


def _centre(deck: Cards, players: int) -> Cards:
    at = HAND_SIZE * players if players == 2 else 0
    return deck[at : at + CENTRE_SIZE]


def _packets(cards: Cards, players: int, starter: Seat) -> Hands:
    """One packet of consecutive cards a seat, the starter's first; given by seat."""
    first = [((seat - starter) % players) * HAND_SIZE for seat in range(players)]
    return tuple([cards[at : at + HAND_SIZE] for at in first])


def _tell_hands(hands: Hands, starter: Seat, step: StepBuilder) -> None:
    for seat in (*range(starter, len(hands)), *range(starter)):
        step.emit(HandDealt(seat=seat, count=HAND_SIZE, cards=texts(hands[seat])))


def _void_deal(deck: Cards, players: int, starter: Seat, step: StepBuilder) -> None:
    centre = _centre(deck, players)
    _tell_hands(_hands(deck, players, starter), starter, step)
    step.emit(CentreDealt(count=CENTRE_SIZE, top=TEXT[centre[-1]]))
    step.emit(Redeal(reason="four_jacks", cards=texts(centre)))


def _turn_up(centre: Cards, step: StepBuilder) -> Cards:
    """The centre pile once its top is no jack; each jack turned up goes below everything (R7)."""
    step.emit(CentreDealt(count=CENTRE_SIZE, top=TEXT[centre[-1]]))
    while is_jack(centre[-1]):
        jack = centre[-1]
        centre = (jack, *centre[:-1])
        step.emit(JackBuried(card=TEXT[jack], top=TEXT[centre[-1]]))
    return centre
