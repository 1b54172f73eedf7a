"""What a table page shows one viewer: names, view, moves, the last events in words."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import msgspec

from games.matches.models import Round
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import events_for, log_entries
from games.matches.snapshot import SeatRow, Table
from games.rules.values import Event, View

EVENTS_SHOWN = 12
PLIES_READ = 12


@dataclass(frozen=True)
class Choice:
    """A legal move and what its button says."""

    move: str
    label: str


@dataclass(frozen=True)
class Chair:
    """A seat as the page shows it."""

    row: SeatRow
    name: str
    is_you: bool
    is_acting: bool
    is_winner: bool

    @property
    def index(self) -> int:
        return self.row.index


@dataclass(frozen=True)
class Board:
    """``seat`` is the viewer's seat whose hand lies open, ``None`` for a spectator.

    ``hidden`` is set at a shared device while nobody has said that they are there: then only what
    a spectator sees is shown.
    """

    table: Table
    user: UUID | None
    seat: int | None
    hidden: bool = False

    @cached_property
    def view(self) -> View | None:
        if self.table.state_json is None or self.table.status == "open":
            return None
        view: View = self.table.game.view(self.table.state, None if self.hidden else self.seat)
        return view

    @cached_property
    def facts(self) -> dict[str, object]:
        """The view as plain values, for tables that draw any game."""
        facts: dict[str, object] = msgspec.to_builtins(self.view) if self.view else {}
        return facts

    @cached_property
    def choices(self) -> list[Choice]:
        if self.view is None or not self.is_your_turn:
            return []
        return [Choice(move, self.table.game.label(move)) for move in self.view.legal_moves]

    @cached_property
    def happened(self) -> list[Event]:
        """The events of the last plies, the newest last, as the viewer may know them."""
        table, reader = self.table, None if self.hidden else self.seat
        after = max(-1, table.version - PLIES_READ)
        entries = log_entries(table, after=after)
        return [event for entry in entries for event in events_for(table, entry, reader)]

    @cached_property
    def news(self) -> list[str]:
        """The last things that happened in words, the newest first."""
        game, names = self.table.game, self.table.names
        sentences = [game.sentence(event, names) for event in reversed(self.happened)]
        return [sentence for sentence in sentences if sentence][:EVENTS_SHOWN]

    @cached_property
    def rounds(self) -> list[Round]:
        return list(rounds_of(self.table))

    @property
    def seats(self) -> list[SeatRow]:
        return list(self.table.seats)

    @cached_property
    def chairs(self) -> list[Chair]:
        outcome = self.table.outcome
        winners = outcome.winners if outcome else ()
        return [
            Chair(
                row=row,
                name=self.table.names[row.index],
                is_you=row.index == self.seat,
                is_acting=row.index in self.table.to_act,
                is_winner=row.index in winners,
            )
            for row in self.table.seats
        ]

    @cached_property
    def you(self) -> Chair | None:
        return None if self.seat is None else self.chairs[self.seat]

    @property
    def others(self) -> list[Chair]:
        """The other seats in order of play, the one after the viewer's first."""
        first = 0 if self.seat is None else self.seat + 1
        ordered = self.chairs[first:] + self.chairs[:first]
        return [chair for chair in ordered if not chair.is_you]

    @property
    def own(self) -> tuple[int, ...]:
        return self.table.seats_of(self.user)

    @property
    def is_shared(self) -> bool:
        """Several people play at this device, so hands are hidden in between."""
        return len(self.own) > 1

    @property
    def is_your_turn(self) -> bool:
        """To act in person: nobody else moves for this seat, and it is clear who sits there."""
        if self.hidden or self.seat is None or self.seat not in self.table.to_act:
            return False
        return self.table.mover(self.seat) is None

    @property
    def waits_for_bots(self) -> bool:
        return self.table.bot_due_at is not None

    @property
    def waits_for(self) -> str:
        """Whose move the page watches for: ``bots``, ``others``, ``you``; empty when over."""
        if self.table.is_over:
            return ""
        if self.waits_for_bots:
            return "bots"
        only_you = self.is_your_turn and len(self.table.to_act) == 1
        return "you" if only_you or self.hidden else "others"

    @property
    def can_resign(self) -> bool:
        if self.table.status != "active" or self.hidden or self.seat is None:
            return False
        gone = self.table.game.out(self.table.state)
        return self.seat not in gone and self.table.seats[self.seat].resigned_at is None

    @property
    def can_join(self) -> bool:
        if self.table.status != "open" or self.own:
            return False
        return any(s.kind == "open" and s.invited in (None, self.user) for s in self.table.seats)

    @property
    def is_solo(self) -> bool:
        """No other person plays, so the same cards may be played on (api.md, load)."""
        return all(seat.user in (None, self.user) for seat in self.table.seats)

    @property
    def winners(self) -> list[str]:
        outcome = self.table.outcome
        return [self.table.names[seat] for seat in outcome.winners] if outcome else []


def board(table: Table, user: UUID | None, *, there: int | None = None) -> Board:
    """The board of a viewer; ``there`` is who last said "I am here" at a shared device."""
    own = table.seats_of(user)
    acting = [seat for seat in own if seat in table.to_act]
    seat = next(iter(acting or own), None)
    if len(own) > 1 and table.status == "active" and _has_secrets(table, own):
        if there in own and (there in table.to_act or not acting):
            return Board(table, user, there)
        return Board(table, user, seat, hidden=True)
    return Board(table, user, seat)


def _has_secrets(table: Table, own: tuple[int, ...]) -> bool:
    """Whether one of these seats sees more than anybody who watches (in Pyanitsa none does)."""
    watched = table.game.view(table.state, None)
    return any(_plain(table.game.view(table.state, seat)) != _plain(watched) for seat in own)


def _plain(view: View) -> View:
    return msgspec.structs.replace(view, seat=None, legal_moves=())
