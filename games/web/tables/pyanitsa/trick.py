"""A trick of Pyanitsa as it is laid out: a row for the circle, one for every dispute."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from games.matches.selectors.log import events_for, log_entries
from games.rules.pyanitsa.events import CardLaid, TrickTaken
from games.rules.values import Event, Seat
from games.web.table_page import Board

PLIES_READ = 48

Laid = tuple[Seat, str | None, int]  # seat, card (None: face down), level


@dataclass(frozen=True)
class Lay:
    """The cards that one seat laid at a level, ``None`` where one lies face down."""

    seat: Seat
    name: str
    cards: list[str | None]


@dataclass(frozen=True)
class Level:
    """``number`` 0 is the circle; ``waiting`` are the names of who is still to lay."""

    number: int
    lays: list[Lay]
    waiting: list[str]

    def with_waiting(self, names: list[str]) -> "Level":
        return replace(self, waiting=names)


@dataclass(frozen=True)
class Taken:
    """A trick that somebody took; ``said`` tells it in words."""

    levels: list[Level]
    taker: Seat
    said: str


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


def last_taken(board: Board) -> Taken | None:
    """The trick taken last, as far as the last plies tell it; ``None`` in the first trick."""
    match = board.match
    entries = log_entries(match, after=max(-1, match.version - PLIES_READ))
    reader = None if board.hidden else board.seat
    seen = list(chain.from_iterable(events_for(match, entry, reader) for entry in entries))
    ends = [at for at, event in enumerate(seen) if isinstance(event, TrickTaken)]
    if not ends:
        return None
    begins = ends[-2] + 1 if len(ends) > 1 else 0
    return _taken(seen[begins : ends[-1]], seen[ends[-1]], board)


def _taken(events: Sequence[Event], taken: Event, board: Board) -> Taken | None:
    if not isinstance(taken, TrickTaken):
        return None
    laid = [(e.seat, e.card, e.level) for e in events if isinstance(e, CardLaid)]
    names = board.match.names
    words = str(board.match.rules.sentence(taken, names))
    return Taken(levels(laid, names), taken.seat, words)
