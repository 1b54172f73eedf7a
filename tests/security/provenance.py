"""Where the cards of stored matches came from, and which of them a text tells.

Read from the rows alone; the service is not asked what is secret. A *cell* is a card by the shuffle
that put it there: match, number of the shuffle, position. A loaded match has the cells of its
parent but for those dealt again. A reader of a whole deck, a state or a seed knows its cells, and
with the seed of a re-deal those of the parent, too. So nothing is guessed from equal cards.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec

from cardroom.rules.values import Event
from games.matches.models import Match, Ply, Round, Seat

Cell = tuple[UUID, int, int]
Cells = frozenset[Cell]
BROUGHT = -1  # in the place of a shuffle: the cards that a seat brought, the seat as position
LONG = 10  # cards at least, or a deck may stand in a text by chance


@dataclass(frozen=True)
class Deck:
    """A deck as it lies in a match: its cards, and the cell of each."""

    round: int
    raw: tuple[Any, ...]
    cards: tuple[str, ...]
    cells: tuple[Cell, ...]

    def forms(self) -> Iterator[str]:
        """As records and rows write it."""
        yield " ".join(self.cards)
        yield msgspec.json.encode(self.raw).decode()


@dataclass
class Stored:
    """A match as it is stored; ``parent`` is the one that it was loaded from."""

    row: Match
    seats: list[Seat]
    parent: "Stored | None"
    _events: dict[int, tuple[Event, ...]] = field(default_factory=dict)
    _seen: dict[int | None, Cells] = field(default_factory=dict)

    @cached_property
    def rounds(self) -> list[Round]:
        own = {round_.number: round_ for round_ in Round.objects.filter(match=self.row)}
        past = self.past.rounds if self.past else []
        taken = {r.number: r for r in past if r.opening_version <= self.row.parent_version}
        return [round_ for _, round_ in sorted((taken | own).items())]

    @cached_property
    def plies(self) -> list[Ply]:
        own = {ply.version: ply for ply in Ply.objects.filter(match=self.row)}
        past = self.past.plies if self.past else []
        taken = {ply.version: ply for ply in past if ply.version <= self.row.parent_version}
        return [ply for _, ply in sorted((taken | own).items())]

    @property
    def past(self) -> "Stored | None":
        """The parent, where it stores what was before."""
        return self.parent if self.loaded.get("past_in_parent") else None

    @cached_property
    def state(self) -> Any:
        return self.row.rules.decode_state(bytes(self.row.state)) if self.row.state else None

    @property
    def names(self) -> tuple[Any, ...]:
        """A value that changes when anything of the match does."""
        seats = [
            (seat.kind, seat.user_id, seat.invited_id, seat.resigned_at) for seat in self.seats
        ]
        return self.row.version, self.row.status, self.row.rated, seats

    @cached_property
    def root(self) -> UUID:
        return self.parent.root if self.parent else self.row.id

    @property
    def runs(self) -> bool:
        return self.row.status in ("open", "active")

    @cached_property
    def loaded(self) -> dict[str, Any]:
        return msgspec.json.decode(bytes(self.row.loaded)) if self.row.loaded else {}

    @cached_property
    def moved(self) -> dict[int, list[int]]:
        """The positions dealt again in the decks of the past."""
        return dict(self.loaded.get("moved", ()))

    @cached_property
    def decks(self) -> list[Deck]:
        listed = [(number, raw) for number, raws in self._raw_decks() for raw in raws]
        return [self._deck(n, number, raw) for n, (number, raw) in enumerate(listed)]

    def _raw_decks(self) -> Iterator[tuple[int, Sequence[Any]]]:
        for round_, plies in self.by_round():
            yield round_.number, msgspec.json.decode(bytes(round_.decks))
            for ply in plies:
                yield round_.number, msgspec.json.decode(bytes(ply.decks)) if ply.decks else ()

    def by_round(self) -> Iterator[tuple[Round, list[Ply]]]:
        """Each round with the plies after its opening up to the next one's."""
        ends = [round_.opening_version for round_ in self.rounds] + [10**9]
        for round_, (begin, end) in zip(self.rounds, pairwise(ends), strict=True):
            yield round_, [ply for ply in self.plies if begin < ply.version <= end]

    def _deck(self, n: int, number: int, raw: Sequence[Any]) -> Deck:
        own = [(self.row.id, n, place) for place in range(len(raw))]
        if self.parent and n < self.loaded["shuffles"]:
            dealt_again = self.moved.get(n, ())
            old = self.parent.decks[n].cells
            own = [new if new[2] in dealt_again else old[new[2]] for new in own]
        text = self.row.rules.card_text
        return Deck(number, tuple(raw), tuple(map(text, raw)), tuple(own))

    def cells_of(self, number: int) -> Cells:
        return frozenset(cell for deck in self.decks if deck.round == number for cell in deck.cells)

    @cached_property
    def by_the_seed(self) -> Cells:
        """The cells that the seed dealt, and those before at places where it dealt again."""
        dealt = {cell for deck in self.decks for cell in deck.cells if cell[0] == self.row.id}
        if self.parent:
            past = self.parent.decks
            dealt |= {past[n].cells[place] for n in self.moved for place in self.moved[n]}
        return frozenset(dealt)

    @property
    def brought(self) -> dict[int, Cell]:
        """The side decks that people brought, by seat."""
        seats = [seat.index for seat in self.seats if seat.side_deck and not seat.bot]
        return {seat: (self.root, BROUGHT, seat) for seat in seats}

    # The knowledge of its players

    def seats_of(self, user: UUID | None) -> list[int]:
        return [seat.index for seat in self.seats if user and seat.user_id == user]

    def is_played_alone_by(self, user: UUID | None) -> bool:
        people = [seat.user_id for seat in self.seats if seat.kind != "bot"]
        return bool(user and people) and set(people) == {user}

    def reads_as(self, seat: int | None, version: int) -> int | None:
        """A past that was dealt again is a spectator's to all but the seats that asked for it."""
        if not self.parent or version > (self.row.parent_version or 0):
            return seat
        if self.loaded["cards"] == "reshuffled" and seat not in self.loaded["seats"]:
            return None
        return self.parent.reads_as(seat, version)

    def events(self, ply: Ply) -> tuple[Event, ...]:
        if ply.version not in self._events:
            self._events[ply.version] = self.row.rules.decode_events(bytes(ply.events))
        return self._events[ply.version]

    def known_to(self, user: UUID | None) -> Cells:
        """The cells whose cards events named to a user's seats, or to any spectator."""
        readers: list[int | None] = [*self.seats_of(user)] or [None]
        for reader in readers:
            if reader not in self._seen:
                self._seen[reader] = self._seen_from(reader)
        return frozenset().union(*(self._seen[reader] for reader in readers))

    def _seen_from(self, reader: int | None) -> Cells:
        known: set[Cell] = set()
        for round_, plies in self.by_round():
            opening = [ply for ply in self.plies if ply.version == round_.opening_version]
            named = Counter(
                text
                for ply in opening + plies
                for event in self.events(ply)
                for text in _texts(event.seen_by(self.reads_as(reader, ply.version)))
            )
            known |= set(self._named(round_.number, named))
        return frozenset(known)

    def _named(self, number: int, named: Counter[str]) -> Iterator[Cell]:
        """The cells of a round's cards; of equal ones those that lie on top."""
        left = named.copy() if not self.row.rules.distinct_cards else named
        for deck in self.decks:
            if deck.round != number:
                continue
            for card, cell in zip(deck.cards, deck.cells, strict=True):
                if left[card] > 0:
                    yield cell
                    left[card] -= 0 if self.row.rules.distinct_cards else 1

    def secrets_from(self, user: UUID | None) -> Cells:
        """The cells of this running match that a user may not learn (FORMAT.md, Who may see what).

        All that it dealt itself, and of the past what is still in use. Who plays alone may know
        them, but in a rated match not those in use.
        """
        in_use = {
            cell
            for deck in self.decks
            if deck.round == self.row.round or self._brings
            for cell in deck.cells
        }
        in_use |= {cell for seat, cell in self.brought.items() if seat not in self.seats_of(user)}
        if self.is_played_alone_by(user):
            return frozenset(in_use - self.known_to(user)) if self.row.rated else frozenset()
        dealt = {cell for deck in self.decks for cell in deck.cells if cell[0] == self.row.id}
        return frozenset(in_use | dealt) - self.known_to(user)

    @property
    def _brings(self) -> bool:
        return self.row.rules.needs_side_deck

    # The cells that a text reveals

    def told_by(self, text: str) -> Iterator[Cell]:
        for written, cells in self.writings:
            if written in text:
                yield from cells

    @cached_property
    def writings(self) -> list[tuple[str, Cells]]:
        """The strings that must not be in a text, and the cells that each reveals."""
        found = [(bytes(self.row.seed).hex(), self.by_the_seed)]
        for deck in self.decks:
            if len(deck.cards) >= LONG:
                found += [(form, frozenset(deck.cells)) for form in deck.forms()]
        for round_ in self.rounds:
            found.append((bytes(round_.opening_state).decode(), self.cells_of(round_.number)))
        states = [self.loaded.get("state"), self.row.state and bytes(self.row.state).decode()]
        found += [(state, self.cells_of(self.row.round)) for state in states if state]
        return found + list(self._private_events())

    def _private_events(self) -> Iterator[tuple[str, Cells]]:
        for round_, plies in self.by_round():
            opening = [ply for ply in self.plies if ply.version == round_.opening_version]
            for ply in opening + plies:
                hidden = [e for e in self.events(ply) if e.seen_by(None) != e]
                named = Counter(card for event in hidden for card in _texts(event))
                if named:
                    yield bytes(ply.events).decode(), frozenset(self._named(round_.number, named))

    def brought_told_by(self, text: str) -> Iterator[Cell]:
        """The side decks that a text about this match tells."""
        for seat, cell in self.brought.items():
            deck = self.seats[seat].side_deck or ()
            if " ".join(deck) in text or '","'.join(deck) in text:
                yield cell


def _texts(value: Any) -> Iterator[str]:
    return _strings(msgspec.to_builtins(value))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, dict):
        yield from _each(value.values())
    elif isinstance(value, list | tuple):
        yield from _each(value)


def _each(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from _strings(value)


def stored(before: dict[UUID, Stored]) -> dict[UUID, Stored]:
    """Every match there is, parents before what was loaded from them.

    Those that did not change since ``before`` are not read again.
    """
    found: dict[UUID, Stored] = {}
    for row in Match.objects.prefetch_related("seats").order_by("created_at", "id"):
        seats = sorted(row.seats.all(), key=lambda seat: seat.index)
        parent = found[row.parent_id] if row.parent_id else None
        one, known = Stored(row, seats, parent), before.get(row.id)
        found[row.id] = known if known and known.names == one.names else one
    return found
