"""Everybody meets everybody once, by the Berger tables (FIDE Handbook C.05, annex 1)."""

from collections.abc import Sequence

from games.competitions.rules.values import Pairing


def rounds_of(entrants: int) -> int:
    """With an odd number one has a bye in every round."""
    return entrants - 1 + entrants % 2


def pair(entrants: Sequence[int], number: int) -> list[Pairing]:
    """The pairings of a round, counted from 1; ``entrants`` are all who began, in order."""
    count = len(entrants) + len(entrants) % 2
    by_place = dict(enumerate(entrants, start=1))
    pairings = []
    for one, other in _berger(count, number):
        alone = min(one, other)  # the empty place is the last one
        is_bye = max(one, other) not in by_place
        pairings.append(
            Pairing(by_place[alone]) if is_bye else Pairing(by_place[one], by_place[other])
        )
    return pairings


def _berger(count: int, number: int) -> list[tuple[int, int]]:
    """Positions from 1 to ``count``, which is even; the last one stands still, all others turn."""
    turning = count - 1
    still = ((number - 1) * (count // 2)) % turning  # who meets the last one
    last = (still + 1, count) if number % 2 else (count, still + 1)
    steps = range(1, count // 2)
    return [last, *(((still + n) % turning + 1, (still - n) % turning + 1) for n in steps)]
