"""Everything about a match at one moment."""

from cardroom.rules.values import Card, Seat, State
from durak_cardroom.options import DurakOptions


class DurakState(State, frozen=True):
    """The attack is ``attacks`` and ``defences``; the n-th defence beats the n-th card.

    ``trump`` is the card that lies below the talon, or lay there: it is counted where it is now.
    ``shown`` are the cards of this game that everybody has seen, card c as bit 1 << c; it holds no
    card by itself. ``passed`` are seats that pass until the next card is beaten, ``places`` those
    that are out, by the order in which they went, 0 for all others. ``attacks_over`` counts this
    game's attacks, ``takes`` those at its end that were taken while the talon was empty.
    """

    options: DurakOptions
    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    trump: int
    attacker: Seat
    defender: Seat
    limit: int
    points: tuple[int, ...]
    places: tuple[int, ...]
    passed: tuple[bool, ...]
    attacks: tuple[Card, ...] = ()
    defences: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    taking: bool = False
    over: bool = False
    shown: int = 0
    attacks_over: int = 0
    takes: int = 0
    game: int = 1
    fool: Seat | None = None  # of the game before; at the end of the match of the last one
