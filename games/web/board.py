"""What a table page shows one viewer: names, view, moves, the last events in words."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import msgspec

from games import selectors
from games.models import Round
from games.rules.base import View
from games.table import SeatRow, Table

EVENTS_SHOWN = 12
PLIES_READ = 12


@dataclass(frozen=True)
class Choice:
    """A legal move and what its button says."""

    move: str
    label: str


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
        return self.table.game.view(self.table.state, None if self.hidden else self.seat)

    @cached_property
    def facts(self) -> dict[str, object]:
        """The view as plain values, for tables that draw any game."""
        facts: dict[str, object] = msgspec.to_builtins(self.view) if self.view else {}
        return facts

    @cached_property
    def choices(self) -> list[Choice]:
        if self.view is None or self.table.status != "active":
            return []
        return [Choice(move, self.table.game.label(move)) for move in self.view.legal_moves]

    @cached_property
    def news(self) -> list[str]:
        """The last things that happened, the newest first, as the viewer may know them."""
        table, reader = self.table, None if self.hidden else self.seat
        after = max(-1, table.version - PLIES_READ)
        sentences = [
            table.game.sentence(event, table.names)
            for entry in selectors.log(table, after=after)
            for event in selectors.seen(table, entry, reader)
        ]
        return [sentence for sentence in reversed(sentences) if sentence][:EVENTS_SHOWN]

    @cached_property
    def rounds(self) -> list[Round]:
        return list(selectors.rounds(self.table))

    @property
    def seats(self) -> list[SeatRow]:
        return list(self.table.seats)

    @property
    def own(self) -> tuple[int, ...]:
        return self.table.seats_of(self.user)

    @property
    def is_shared(self) -> bool:
        """Several people play at this device, so hands are hidden in between."""
        return len(self.own) > 1

    @property
    def is_your_turn(self) -> bool:
        return self.seat is not None and self.seat in self.table.to_act

    @property
    def waits_for_bots(self) -> bool:
        return self.table.bot_due_at is not None

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
    if len(own) > 1 and table.status == "active":
        if there in own and (there in table.to_act or not acting):
            return Board(table, user, there)
        return Board(table, user, seat, hidden=True)
    return Board(table, user, seat)
