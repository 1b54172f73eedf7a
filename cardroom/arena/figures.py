"""Figures of many matches: whole numbers that add up.

Figures of parts merge to the figures of the whole in any order, byte for byte. So parts may be
played by any process at any time, and travel and be stored as JSON.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add

import msgspec
from msgspec.structs import astuple

from cardroom.arena.playouts import Playout
from cardroom.arena.statistics import Histogram, merged
from cardroom.rules.values import Seat

_WHOLE = ("points", "seats")


class Tally(msgspec.Struct, frozen=True):
    """How one seat, or one entrant with all its seats, did.

    ``won``: first with its own side (entrant: seats) alone; ``shared``: first beside others;
    ``last``: among the last when not all are equal. ``points`` add up over ``seats`` taken.
    """

    matches: int = 0
    won: int = 0
    shared: int = 0
    last: int = 0
    points: int = 0
    seats: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*map(add, astuple(self), astuple(other)))


class Mirrored(msgspec.Struct, frozen=True):
    """How one entrant did with each sequence of decks, once every rotation has played it.

    ``scores``: half wins (a win is two, a shared first place one) → how many sequences.
    ``margins``: the points of its seats less those of the others, in the whole numbers that
    ``arena.pairs.margin`` scales → how many sequences.
    """

    scores: Histogram = {}
    margins: Histogram = {}


class Unpaired(msgspec.Struct, frozen=True):
    """A sequence of decks that only ``played`` of ``wanted`` rotations have played so far."""

    wanted: int
    played: int
    scores: dict[str, int]
    margins: dict[str, int]

    def __add__(self, other: "Unpaired") -> "Unpaired":
        return Unpaired(
            self.wanted,
            self.played + other.played,
            {name: score + other.scores[name] for name, score in self.scores.items()},
            {name: margin + other.margins[name] for name, margin in self.margins.items()},
        )


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of ``matches`` matches.

    ``reasons`` counts how they ended, ``measures`` holds a histogram a measure, ``events`` the
    total of every type of event, ``seats`` and ``bots`` (by entrant) who did how well.
    ``mirrored`` (by entrant) is there when seats were swapped, ``unpaired`` (by the number of the
    decks) what a merge with other parts may still complete.
    ``by_kernels`` says how many of the matches compiled kernels played; nothing else depends on it.
    """

    matches: int = 0
    reasons: dict[str, int] = {}
    seats: tuple[Tally, ...] = ()
    bots: dict[str, Tally] = {}
    measures: dict[str, Histogram] = {}
    events: dict[str, int] = {}
    by_kernels: int = 0
    mirrored: dict[str, Mirrored] = {}
    unpaired: dict[int, Unpaired] = {}

    @property
    def unfinished(self) -> int:
        """Matches that were stopped by a limit of the rules."""
        return self.reasons.get("limit", 0)


def merge(parts: Iterable[Figures]) -> Figures:
    """The figures of all parts together, whatever their order."""
    known = [part for part in parts if part.matches]
    names = sorted({name for part in known for name in part.measures})
    complete, unpaired = _paired(part.unpaired for part in known)
    return Figures(
        matches=sum(part.matches for part in known),
        reasons=_added(part.reasons for part in known),
        seats=tuple(
            reduce(Tally.__add__, column)
            for column in zip(*(part.seats for part in known), strict=True)
        ),
        bots=_tallies(part.bots for part in known),
        measures={
            name: merged(part.measures[name] for part in known if name in part.measures)
            for name in names
        },
        events=_added(part.events for part in known),
        by_kernels=sum(part.by_kernels for part in known),
        mirrored=_mirrored(*(part.mirrored for part in known), complete),
        unpaired=unpaired,
    )


def figures_of(playout: Playout, bots: Sequence[str], sides: Sequence[Sequence[Seat]]) -> Figures:
    """The figures of a single match; ``bots`` names the entrants, one a seat."""
    outcome = playout.outcome
    first = frozenset(outcome.winners)
    worst = max(outcome.places)
    last = frozenset(
        seat for seat, place in enumerate(outcome.places) if place == worst and place > 1
    )
    points = {
        seat: scored for side, scored in zip(sides, outcome.points, strict=True) for seat in side
    }
    by_bot = {
        bot: frozenset(seat for seat, name in enumerate(bots) if name == bot) for bot in set(bots)
    }
    alone = {seat: frozenset(side) for side in sides for seat in side}
    return Figures(
        matches=1,
        reasons={outcome.reason: 1},
        seats=tuple(_tally((seat,), alone[seat], first, last, points) for seat in range(len(bots))),
        bots={
            bot: _tally(seats, seats, first, last, points) for bot, seats in sorted(by_bot.items())
        },
        measures={name: {value: 1} for name, value in playout.measures.items()},
        events=dict(playout.events),
    )


def unpaired_of(tallies: Mapping[str, Tally], wanted: int) -> Unpaired:
    """One match as the first of ``wanted`` with the same decks."""
    points, seats = (sum(getattr(each, name) for each in tallies.values()) for name in _WHOLE)
    return Unpaired(
        wanted,
        1,
        {name: 2 * tally.won + tally.shared for name, tally in tallies.items()},
        {name: tally.points * seats - points * tally.seats for name, tally in tallies.items()},
    )


def _paired(
    parts: Iterable[Mapping[int, Unpaired]],
) -> tuple[dict[str, Mirrored], dict[int, Unpaired]]:
    """The deals that all rotations have played by now, and the rest."""
    total: dict[int, Unpaired] = {}
    for part in parts:
        for deal, played in part.items():
            total[deal] = total[deal] + played if deal in total else played
    whole = [played for played in total.values() if played.played == played.wanted]
    names = whole[0].scores if whole else ()
    complete = {
        name: Mirrored(
            dict(Counter(played.scores[name] for played in whole)),
            dict(Counter(played.margins[name] for played in whole)),
        )
        for name in names
    }
    left = {deal: part for deal, part in sorted(total.items()) if part.played < part.wanted}
    return complete, left


def _mirrored(*parts: Mapping[str, Mirrored]) -> dict[str, Mirrored]:
    names = sorted({name for part in parts for name in part})
    by_name = {name: [part[name] for part in parts if name in part] for name in names}
    return {
        name: Mirrored(
            merged(each.scores for each in several), merged(each.margins for each in several)
        )
        for name, several in by_name.items()
    }


def _tally(
    seats: Iterable[Seat],
    allies: frozenset[Seat],
    first: frozenset[Seat],
    last: frozenset[Seat],
    points: Mapping[Seat, int],
) -> Tally:
    taken = tuple(seats)
    leads = not first.isdisjoint(taken)
    return Tally(
        matches=1,
        won=int(leads and first <= allies),
        shared=int(leads and not first <= allies),
        last=int(not last.isdisjoint(taken)),
        points=sum(points[seat] for seat in taken),
        seats=len(taken),
    )


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for count in counts:
        for name, times in count.items():
            total[name] = total.get(name, 0) + times
    return dict(sorted(total.items()))


def _tallies(parts: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    total: dict[str, Tally] = {}
    for part in parts:
        for name, tally in part.items():
            total[name] = total.get(name, Tally()) + tally
    return dict(sorted(total.items()))
