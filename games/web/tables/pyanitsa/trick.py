"""A trick of Pyanitsa as it is laid out: a row for the circle, one for every dispute."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from cardroom.rules.pyanitsa.events import CardLaid, TrickTaken
from cardroom.rules.values import Event, Seat
from games.language import words
from games.web.parts.table_page import TablePage

Laid = tuple[Seat, str | None, int]  # seat, card (None: face down), level


@dataclass(frozen=True)
class Lay:
    """The cards that one seat laid at a level, ``None`` where one lies face down."""

    seat: Seat
    name: str
    cards: list[str | None]


@dataclass(frozen=True)
class Level:
    """``number`` 0 is the circle; ``waiting`` are those who are still to lay."""

    number: int
    lays: list[Lay]
    waiting: list[Lay]

    def with_waiting(self, waiting: list[Lay]) -> "Level":
        return replace(self, waiting=waiting)


@dataclass(frozen=True)
class Taken:
    """A trick that somebody took; ``sentence`` tells it in words."""

    levels: list[Level]
    taker: Seat
    sentence: str


def levels(laid: Sequence[Laid], names: Sequence[str]) -> list[Level]:
    """Cards in the order laid as rows; the cards of a seat at a level lie together."""
    rows = []
    for number, row in groupby(laid, key=lambda each: each[2]):
        lays = [
            Lay(seat, names[seat], [card for _, card, _ in cards])
            for seat, cards in groupby(row, key=lambda each: each[0])
        ]
        rows.append(Level(number, lays, []))
    return rows


def last_taken(page: TablePage) -> Taken | None:
    """The trick taken last, as far as the page's events tell it; ``None`` in the first trick."""
    return next(_taken_last_first(page), None)


def last_dispute(page: TablePage) -> Taken | None:
    """The last trick with a dispute, as far as the page's events tell of one."""
    return next((trick for trick in _taken_last_first(page) if len(trick.levels) > 1), None)


def _taken_last_first(page: TablePage) -> Iterator[Taken]:
    seen = page.recent_events
    ends = [at for at, event in enumerate(seen) if isinstance(event, TrickTaken)]
    for begins, end in reversed([*pairwise([-1, *ends])]):
        trick = _taken(seen[begins + 1 : end], seen[end], page)
        if trick is not None:
            yield trick


def _taken(events: Sequence[Event], taken: Event, page: TablePage) -> Taken | None:
    if not isinstance(taken, TrickTaken):
        return None
    laid = [(e.seat, e.card, e.level) for e in events if isinstance(e, CardLaid)]
    names = page.match.names
    sentence = page.match.rules.sentence(taken, names)
    return Taken(levels(laid, names), taken.seat, words(sentence))
