"""From a shuffled pack to hands, centre and stock (R3 to R9, R16)."""

from collections.abc import Sequence
from typing import Final

from games.rules.cards import TEXT, pack, texts
from games.rules.pisti.capture import is_jack
from games.rules.pisti.events import CentreDealt, DealStarted, HandDealt, JackBuried, Redeal
from games.rules.pisti.options import PistiOptions
from games.rules.pisti.state import PistiState
from games.rules.shuffles import Shuffle
from games.rules.values import Event, Seat

Hands = tuple[tuple[int, ...], ...]

PACK: Final = pack(52)
HAND_SIZE: Final = 4
CENTRE_SIZE: Final = 4


def deal(
    options: PistiOptions, deal_no: int, totals: tuple[int, ...], shuffle: Shuffle
) -> tuple[PistiState, list[Event]]:
    """The opening of a deal and what was to be seen of it."""
    starter = starter_of(options, deal_no)
    dealer = (starter - 1) % options.players
    events: list[Event] = [DealStarted(deal_no, dealer, starter)]
    deck = _fresh_deck(options, shuffle)
    while all(map(is_jack, _centre(deck, options.players))):  # R8
        events += _void_deal(deck, options.players, starter)
        deck = _fresh_deck(options, shuffle)
    hands, centre, stock = lay_out(deck, options.players, starter)
    events += _hands_dealt(hands, starter)
    pile = _turn_up(centre, events)
    nothing = (0,) * len(totals)
    state = PistiState(
        options=options,
        deal_no=deal_no,
        dealer=dealer,
        to_play=starter,
        plays_made=0,
        stock=stock,
        pile=pile,
        face_down=CENTRE_SIZE - 1,
        hands=hands,
        heaps=(0,) * options.players,
        pistis=nothing,
        doubles=nothing,
        totals=totals,
        bottom=deck[-1] if options.bottom_card == "exposed" else None,
    )
    return state, events


def starter_of(options: PistiOptions, deal_no: int) -> Seat:
    if options.starter_rule == "fixed":
        return options.fixed_starter_seat
    return (deal_no - 1) % options.players  # R3


def next_batch(
    stock: tuple[int, ...], players: int, starter: Seat
) -> tuple[Hands, tuple[int, ...], list[Event]]:
    """Four more cards for each seat: the hands, the rest of the stock, the events (R16)."""
    hands = _packets(stock, players, starter)
    return hands, stock[HAND_SIZE * players :], _hands_dealt(hands, starter)


def lay_out(
    deck: tuple[int, ...], players: int, starter: Seat
) -> tuple[Hands, tuple[int, ...], tuple[int, ...]]:
    """Hands, centre and stock: hands first with two seats, centre first with more (R5)."""
    dealt = HAND_SIZE * players + CENTRE_SIZE
    packets = deck if players == 2 else deck[CENTRE_SIZE:]
    return _packets(packets, players, starter), _centre(deck, players), deck[dealt:]


def bottomed(deck: Sequence[int]) -> tuple[int, ...]:
    """The deck with the non-jack nearest the bottom put last (option ``bottom_card``)."""
    at = bottom_position(deck)
    return (*deck[:at], *deck[at + 1 :], deck[at])


def bottom_position(deck: Sequence[int]) -> int:
    return max(at for at, card in enumerate(deck) if not is_jack(card))


def _fresh_deck(options: PistiOptions, shuffle: Shuffle) -> tuple[int, ...]:
    deck = shuffle(PACK)
    return bottomed(deck) if options.bottom_card == "exposed" else tuple(deck)


def _centre(deck: tuple[int, ...], players: int) -> tuple[int, ...]:
    at = HAND_SIZE * players if players == 2 else 0
    return deck[at : at + CENTRE_SIZE]


def _packets(cards: tuple[int, ...], players: int, starter: Seat) -> Hands:
    """One packet of consecutive cards a seat, the starter's first; given by seat."""
    first = [((seat - starter) % players) * HAND_SIZE for seat in range(players)]
    return tuple([cards[at : at + HAND_SIZE] for at in first])


def _hands_dealt(hands: Hands, starter: Seat) -> list[Event]:
    order = (*range(starter, len(hands)), *range(starter))
    return [HandDealt(seat, HAND_SIZE, texts(hands[seat])) for seat in order]


def _void_deal(deck: tuple[int, ...], players: int, starter: Seat) -> list[Event]:
    hands, centre, _ = lay_out(deck, players, starter)
    return [
        *_hands_dealt(hands, starter),
        CentreDealt(CENTRE_SIZE, TEXT[centre[-1]]),
        Redeal("four_jacks", texts(centre)),
    ]


def _turn_up(centre: tuple[int, ...], events: list[Event]) -> tuple[int, ...]:
    """The centre pile once its top is no jack; each jack turned up goes below everything (R7)."""
    events.append(CentreDealt(CENTRE_SIZE, TEXT[centre[-1]]))
    while is_jack(centre[-1]):
        jack = centre[-1]
        centre = (jack, *centre[:-1])
        events.append(JackBuried(TEXT[jack], TEXT[centre[-1]]))
    return centre
