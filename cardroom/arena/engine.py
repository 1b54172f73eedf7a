"""The engine of a request: a compiled kernel where there is one for all of it, else the rules.

Both give the same figures for the same seed, so the choice is one of speed alone.

Figures and records of matches that a kernel played: the same as by the rules.

NumPy is imported when a kernel plays, not before.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cardroom.arena import compiled_code
from cardroom.arena.figures import Figures, Mirrored, Tally, Unpaired
from cardroom.arena.series import MatchRecord, Series
from cardroom.arena.statistics import PLIES, ROUNDS, Histogram

if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel

KERNELS: Final = "kernels"
RULES: Final = "rules"


def why_rules(matches: Series) -> str:
    """The reason why the rules play these matches; empty when a kernel can."""
    if not compiled_code.installed():
        return "the extra fast (Numba) is not installed or is switched off"
    kernel = compiled_code.kernel_of_game(matches.game.slug)
    if kernel is None:
        return f"{matches.game.name} has no kernel"
    return uncovered(matches, kernel)


def uncovered(matches: Series, kernel: "Kernel") -> str:
    """The part of these matches that the kernel cannot play, in words; empty if it plays all."""
    if matches.game.rules_version != kernel.rules_version:
        return f"the kernel plays version {kernel.rules_version} of the rules"
    bots = [bot for bot in matches.bots if bot.slug not in kernel.policies]
    bots += [bot for bot in matches.bots if bot not in matches.game.bots]
    if bots:
        return f"no kernel plays the bot {bots[0].slug!r}"
    return kernel.uncovered(matches.options)


def kernel_for(matches: Series) -> "Kernel | None":
    """The kernel that plays these matches, if one does."""
    return None if why_rules(matches) else compiled_code.kernel_of_game(matches.game.slug)


if TYPE_CHECKING:
    from cardroom.fast.kernel import Kernel


def figures(kernel: "Kernel", matches: Series, numbers: range) -> Figures:
    """The figures of the matches with these numbers, as the rules would give them."""
    return _played(kernel, matches, numbers).figures()


def records(kernel: "Kernel", matches: Series, numbers: range) -> tuple[Figures, list[MatchRecord]]:
    """The same, and a record of every match."""
    played = _played(kernel, matches, numbers)
    return played.figures(), played.records()


def _played(kernel: "Kernel", matches: Series, numbers: range) -> "_Counted":
    import numpy

    from cardroom.fast.kernel import seeds_of

    seatings = matches.seatings
    names = [entrant.name for entrant in seatings[0]]
    seats = numpy.empty((len(numbers), len(names)), dtype=numpy.int64)  # by seat, an entrant
    entrants = list(dict.fromkeys(names))
    every = numpy.arange(numbers.start, numbers.stop)
    rows = []
    for first in range(len(seatings)):
        rotation = (numbers.start + first) % len(seatings)
        seating, chosen = seatings[rotation], slice(first, None, len(seatings))
        seeds = seeds_of(matches.seed, every[chosen] // len(seatings), every[chosen])
        policies = [kernel.policies[entrant.bot.slug] for entrant in seating]
        rows.append(kernel.play(seeds, matches.options, matches.setups[rotation], policies))
        seats[chosen] = [entrants.index(entrant.name) for entrant in seating]
    results = rows[0] if len(rows) == 1 else _in_turn(rows, len(numbers))
    return _Counted(kernel, matches, numbers, results, seats, entrants)


def _in_turn(rows: Sequence[Any], count: int) -> Any:
    """A row from each in turn: the rotations of the seats, in the order of the matches."""
    import numpy

    results = numpy.empty((count, rows[0].shape[1]), dtype=numpy.int64)
    for first, played in enumerate(rows):
        results[first :: len(rows)] = played
    return results


class _Counted:
    """A row of results a match, counted as ``arena.figures`` counts matches one by one."""

    def __init__(
        self,
        kernel: "Kernel",
        matches: Series,
        numbers: range,
        results: Any,
        seats: Any,
        entrants: Sequence[str],
    ) -> None:
        self.columns, self.matches, self.results = kernel.columns, matches, results
        self.numbers = numbers
        self.entrants, self.seated = entrants, seats
        sides = matches.game.sides_of(matches.options)
        first = self.columns.points
        self.places = results[:, first + len(sides) :]
        side_of = {seat: at for at, side in enumerate(sides) for seat in side}
        self.of_sides = results[:, first : first + len(sides)]
        self.points = results[:, [first + side_of[seat] for seat in range(len(side_of))]]
        self.allies = [list(sides[side_of[seat]]) for seat in range(len(side_of))]
        self.leads = self.places == 1
        worst = self.places.max(axis=1, keepdims=True)
        self.last = (self.places == worst) & (worst > 1)

    def figures(self) -> Figures:
        named = ("reason", ROUNDS, PLIES, *self.columns.measures)
        measured = {name: self._histogram(at) for at, name in enumerate(named) if at}
        reasons = self._histogram(0)
        mirrored, unpaired = self._mirrored() if len(self.matches.seatings) > 1 else ({}, {})
        return Figures(
            matches=len(self.results),
            reasons=dict(sorted((self.columns.reasons[at], n) for at, n in reasons.items())),
            seats=tuple(self._of_seat(seat) for seat in range(self.places.shape[1])),
            bots={
                name: self._of_entrant(at)
                for at, name in sorted(enumerate(self.entrants), key=lambda item: item[1])
            },
            measures=dict(sorted(measured.items())),
            events=self._events(len(named)),
            by_kernels=len(self.results),
            mirrored=mirrored,
            unpaired=unpaired,
        )

    def records(self) -> list[MatchRecord]:
        named = {ROUNDS: 1, PLIES: 2}
        named |= {name: 3 + at for at, name in enumerate(self.columns.measures)}
        rows = zip(
            self.numbers, self.results.tolist(), self.of_sides.tolist(), self.places.tolist(),
            strict=True,
        )  # fmt: skip
        return [
            self.matches.record(
                number,
                self.columns.reasons[row[0]],
                tuple(points),
                tuple(places),
                {name: row[at] for name, at in named.items()},
            )
            for number, row, points, places in rows
        ]

    def _mirrored(self) -> tuple[dict[str, Mirrored], dict[int, Unpaired]]:
        """As ``arena.figures`` pairs matches with the same decks."""
        import numpy

        wanted = len(self.matches.seatings)
        deals = numpy.arange(self.numbers.start, self.numbers.stop) // wanted
        starts = numpy.flatnonzero(numpy.diff(deals, prepend=-1))
        played = numpy.diff(starts, append=len(deals))
        each = {name: self._of_match(at) for at, name in enumerate(self.entrants)}
        totals = {
            name: [numpy.add.reduceat(column, starts) for column in columns]
            for name, columns in sorted(each.items())
        }
        whole = played == wanted
        unpaired = {
            int(deals[starts[at]]): Unpaired(
                wanted,
                int(played[at]),
                {name: int(scores[at]) for name, (scores, _) in totals.items()},
                {name: int(margins[at]) for name, (_, margins) in totals.items()},
            )
            for at in numpy.flatnonzero(~whole)
        }
        mirrored = {
            name: Mirrored(_counted(scores[whole]), _counted(margins[whole]))
            for name, (scores, margins) in totals.items()
        }
        return (mirrored if whole.any() else {}), unpaired

    def _of_match(self, entrant: int) -> tuple[Any, Any]:
        """The half wins and the margin of an entrant, match by match."""
        taken = self.seated == entrant
        leads = (self.leads & taken).any(axis=1)
        shared = leads & (self.leads & ~taken).any(axis=1)
        seats, points = taken.sum(axis=1), (self.points * taken).sum(axis=1)
        margins = points * taken.shape[1] - self.points.sum(axis=1) * seats
        return leads * 2 - shared, margins

    def _histogram(self, column: int) -> dict[int, int]:
        import numpy

        counts = numpy.bincount(self.results[:, column])
        values = numpy.flatnonzero(counts)
        return dict(zip(values.tolist(), counts[values].tolist(), strict=True))

    def _events(self, first: int) -> dict[str, int]:
        totals = self.results[:, first : first + len(self.columns.events)].sum(axis=0).tolist()
        counted = zip(self.columns.events, totals, strict=True)
        return dict(sorted((name, total) for name, total in counted if total))

    def _of_seat(self, seat: int) -> Tally:
        import numpy

        taken = numpy.zeros(self.places.shape, dtype=bool)
        taken[:, seat] = True
        allies = numpy.zeros(self.places.shape, dtype=bool)
        allies[:, self.allies[seat]] = True
        return self._tally(taken, allies)

    def _of_entrant(self, entrant: int) -> Tally:
        taken = self.seated == entrant
        return self._tally(taken, taken)

    def _tally(self, taken: Any, allies: Any) -> Tally:
        """``taken`` and ``allies`` say which seats of each match are meant."""
        leads = (self.leads & taken).any(axis=1)
        shared = (self.leads & ~allies).any(axis=1)
        return Tally(
            matches=len(leads),
            won=int((leads & ~shared).sum()),
            shared=int((leads & shared).sum()),
            last=int((self.last & taken).any(axis=1).sum()),
            points=int(self.points[taken].sum()),
            seats=int(taken.sum()),
        )


def _counted(values: Any) -> Histogram:
    import numpy

    distinct, counts = numpy.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))
