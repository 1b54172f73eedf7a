"""Seats: their sides, places and order."""

from games.rules.values import Seat


def each_seat_a_side(seats: int) -> tuple[tuple[Seat, ...], ...]:
    return tuple((seat,) for seat in range(seats))
