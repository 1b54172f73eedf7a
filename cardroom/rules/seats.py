"""Seats: their sides, places and order, and tuples with one item a seat."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, TypeVar

from cardroom.rules.values import Seat

T = TypeVar("T")


@cache
def each_seat_a_side(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((seat,) for seat in range(seats))


def next_seat(seat: Seat, seats: int, direction: int = 1) -> Seat:
    """The neighbour clockwise, or anticlockwise with ``direction`` -1."""
    return (seat + direction) % seats


def pick_seat(to_act: Sequence[Seat], rng: Random) -> Seat:
    """One of the seats that may act now, all equally likely; a single one takes no chance of rng.

    A fixed order among seats that act at once would favour some of them.
    """
    return to_act[0] if len(to_act) == 1 else rng.choice(to_act)


def set_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The tuple with another item at one place."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def places(ranks: Sequence[Any]) -> tuple[int, ...]:
    """The place of each rank, the lowest rank first; equal ranks share a place: 1, 2, 2, 4."""
    return tuple([1 + sum(other < rank for other in ranks) for rank in ranks])


def winners(ranked: Sequence[int]) -> tuple[Seat, ...]:
    """The seats in the first place; ``ranked`` are the places by seat."""
    return tuple([seat for seat, place in enumerate(ranked) if place == 1])
