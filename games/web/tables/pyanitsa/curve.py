"""How many cards every seat held after each trick, as lines to draw.

The counts are cached and continued from the new plies: a match may have ten thousand tricks, and
its page is updated every half second. A long curve keeps every second, fourth, eighth … trick.
"""

from dataclasses import dataclass

import msgspec
from django.core.cache import cache

from cardroom.rules.pyanitsa.events import CardLaid, Dealt, TrickTaken
from cardroom.rules.values import Event
from games.matches.selectors.log import events_for
from games.web.parts.table_page import TablePage

MOST_POINTS = 240
KEPT_SECONDS = 3600
WIDTH, HEIGHT = 600, 150


class Counts(msgspec.Struct):
    """The curve as far as ``version``: ``points`` are (trick, cards of every seat).

    ``held`` leaves out what lies on the table just now, ``last`` are the counts after ``trick``.
    """

    version: int = -1
    trick: int = 0
    step: int = 1
    held: list[int] = []
    last: list[int] = []
    points: list[tuple[int, list[int]]] = []

    def follow(self, event: Event, seats: int) -> None:
        match event:
            case Dealt():
                self.held = [event.cards_per_seat] * seats
                self.points = [(0, list(self.held))]
            case CardLaid():
                self.held[event.seat] -= 1
            case TrickTaken():
                self.held[event.seat] += event.count
                self.trick += 1
                self.last = list(self.held)
                self._mark()

    def _mark(self) -> None:
        if self.trick % self.step == 0:
            self.points.append((self.trick, self.last))
        if len(self.points) > MOST_POINTS:
            self.points = self.points[::2]
            self.step *= 2


@dataclass(frozen=True)
class Line:
    """``held`` is the number of cards now, as the bars show it: those on the table left out.

    ``points`` are those of a polyline of SVG.
    """

    seat: int
    name: str
    held: int
    points: str


@dataclass(frozen=True)
class Curve:
    width: int
    height: int
    tricks: int
    cards: int
    lines: list[Line]


def drawn_curve(page: TablePage) -> Curve | None:
    """The lines up to the last trick; ``None`` before the first one is taken."""
    counts = _up_to_date(page)
    if counts.trick == 0:
        return None
    cards = sum(counts.last)
    marks = counts.points
    if marks[-1][0] != counts.trick:
        marks = [*marks, (counts.trick, counts.last)]
    lines = [
        Line(seat, name, counts.held[seat], _line(marks, seat, counts.trick, cards))
        for seat, name in enumerate(page.match.names)
    ]
    return Curve(WIDTH, HEIGHT, counts.trick, cards, lines)


def _line(marks: list[tuple[int, list[int]]], seat: int, tricks: int, cards: int) -> str:
    return " ".join(
        f"{trick / tricks * WIDTH:.1f},{(1 - held[seat] / cards) * HEIGHT:.1f}"
        for trick, held in marks
    )


def _up_to_date(page: TablePage) -> Counts:
    """The cached counts, continued with what everybody may know of the new plies."""
    match = page.match
    name = f"curve:{match.id}"
    kept = cache.get(name)
    counts = msgspec.convert(kept, Counts) if kept else Counts()
    if counts.version > match.version:
        counts = Counts()
    if counts.version < match.version:
        for entry in page.entries_after(counts.version):
            for event in events_for(match, entry, None):
                counts.follow(event, len(match.seats))
        counts.version = match.version
        cache.set(name, msgspec.to_builtins(counts), KEPT_SECONDS)
    return counts
