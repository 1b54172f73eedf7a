"""Where the rooms of a picture stand, and the lanes between them for arrows that pass their floor.

The usual three steps for a picture of layers: an arrow over several floors gets a lane on each
floor between; what belongs together is brought together, floor by floor; then everything moves to
the middle of its neighbours as far as there is place.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from tests.docs.house import floors, reduced

Spot = str | tuple[str, str, int]
"""A room, or the lane of an arrow on a floor."""

LANE = 14
SWEEPS = 24


class Layout:
    """``ways`` are the arrows with the spots that they pass; ``x`` is the middle of each spot."""

    def __init__(self, house: Mapping[str, frozenset[str]], wide: float) -> None:
        self._wide = wide
        self.heights = floors(house)
        self.top = max(self.heights.values())
        self.ways = {
            (room, each): self._way(room, each)
            for room, below in sorted(reduced(house).items())
            for each in sorted(below)
        }
        self._rows = self._standing()
        self._near: defaultdict[Spot, list[Spot]] = defaultdict(list)
        for way in self.ways.values():
            for above, below in pairwise(way):
                self._near[above].append(below)
                self._near[below].append(above)
        self.x: dict[Spot, float] = {}
        for row in self._rows:
            self._place(row, [0.0] * len(row))
        for _ in range(SWEEPS):
            self._sweep(self._rows)
            self._sweep(self._rows[::-1])
        left = min(self.x[spot] - self._half(spot) for spot in self.x)
        self.x = {spot: x - left for spot, x in self.x.items()}
        self.width = max(self.x[spot] + self._half(spot) for spot in self.x)

    def floor(self, spot: Spot) -> int:
        return self.heights[spot] if isinstance(spot, str) else spot[2]

    def _way(self, room: str, each: str) -> Sequence[Spot]:
        between = range(self.heights[room] - 1, self.heights[each], -1)
        return [room, *((room, each, floor) for floor in between), each]

    def _standing(self) -> list[list[Spot]]:
        rows: list[list[Spot]] = [[] for _ in range(self.top + 1)]
        for spot in [*sorted(self.heights), *(s for way in self.ways.values() for s in way[1:-1])]:
            rows[self.floor(spot)].append(spot)
        return rows

    def _sweep(self, rows: Sequence[list[Spot]]) -> None:
        for row in rows:
            wanted = {spot: self._middle(spot) for spot in row}
            row.sort(key=lambda spot: (wanted[spot], str(spot)))
            self._place(row, [wanted[spot] for spot in row])

    def _middle(self, spot: Spot) -> float:
        near = self._near[spot]
        return fmean(self.x[each] for each in near) if near else self.x[spot]

    def _place(self, row: Sequence[Spot], wanted: Sequence[float]) -> None:
        """As near to where each wants to be as their order and widths allow."""
        groups: list[tuple[float, list[Spot], float]] = []  # where it begins, its spots, its width
        for spot, x in zip(row, wanted, strict=True):
            group = (x - self._half(spot), [spot], 2 * self._half(spot))
            while groups and groups[-1][0] + groups[-1][2] > group[0]:
                start, spots, width = groups.pop()
                count, more = len(spots), len(group[1])
                begin = (start * count + (group[0] - width) * more) / (count + more)
                group = (begin, [*spots, *group[1]], width + group[2])
            groups.append(group)
        for start, spots, _ in groups:
            for spot in spots:
                self.x[spot] = round(start + self._half(spot), 1)
                start += 2 * self._half(spot)  # noqa: PLW2901

    def _half(self, spot: Spot) -> float:
        return (self._wide if isinstance(spot, str) else LANE) / 2
