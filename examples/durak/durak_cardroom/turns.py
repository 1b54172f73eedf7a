"""Who is asked next, and how much an attack may have."""

from collections.abc import Iterator

from cardroom.rules.values import Seat, next_seat
from durak_cardroom.options import DurakOptions
from durak_cardroom.state import DurakState

MOST: int = 6  # R13


def after(places: tuple[int, ...], seat: Seat) -> Seat:
    """The next seat that is not out."""
    seat = next_seat(seat, len(places))
    while places[seat]:
        seat = next_seat(seat, len(places))
    return seat


def limit(options: DurakOptions, held: int, attacks_over: int) -> int:
    """R13: for a defender who holds so many cards."""
    return min(MOST if attacks_over else options.first_attack, held)


def asked(state: DurakState) -> Iterator[Seat]:
    """R10: the seats that may still throw in, in the order in which they are asked."""
    seat = state.attacker
    neighbours = (state.attacker, after(state.places, state.defender))
    for _ in state.hands:
        may = state.options.throwers == "all" or seat in neighbours
        if seat != state.defender and state.hands[seat] and not state.passed[seat] and may:
            yield seat
        seat = next_seat(seat, len(state.hands))


def to_be_beaten(state: DurakState) -> int | None:
    """R8: the first card that is not beaten; nothing when the defender takes."""
    at = len(state.defences)
    return state.attacks[at] if at < len(state.attacks) and not state.taking else None


def is_full(state: DurakState) -> bool:
    return len(state.attacks) >= state.limit


def to_act(state: DurakState) -> tuple[Seat, ...]:
    """One seat at a time: the attacker, the defender, or the one that is asked."""
    if state.over:
        return ()
    if not state.attacks:
        return (state.attacker,)
    if to_be_beaten(state) is not None:
        return (state.defender,)
    return (next(asked(state)),)


def is_settled(state: DurakState) -> bool:
    """R15: nobody can add to the attack any more, and nothing is to be beaten."""
    if not state.attacks or to_be_beaten(state) is not None:
        return False
    return is_full(state) or next(asked(state), None) is None


def may_transfer(state: DurakState) -> bool:
    """Whether R19 allows it, whichever card is played."""
    if not state.options.transfer or state.defences or state.taking or not state.attacks:
        return False
    held = len(state.hands[after(state.places, state.defender)])
    return len(state.attacks) < limit(state.options, held, state.attacks_over)
