"""What a table page shows one viewer: names, view, moves, the last events in words."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

import msgspec

from games.matches.models import Round
from games.matches.selectors.lists import rounds_of
from games.matches.selectors.log import events_for, log_entries
from games.matches.snapshot import MatchSnapshot, SeatSnapshot
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

    row: SeatSnapshot
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

    match: MatchSnapshot
    user: UUID | None
    seat: int | None
    hidden: bool = False

    @cached_property
    def view(self) -> View | None:
        if self.match.state_json is None or self.match.status == "open":
            return None
        view: View = self.match.rules.view(self.match.state, None if self.hidden else self.seat)
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
        return [Choice(move, str(self.match.rules.label(move))) for move in self.view.legal_moves]

    @cached_property
    def happened(self) -> list[Event]:
        """The events of the last plies, the newest last, as the viewer may know them."""
        match, reader = self.match, None if self.hidden else self.seat
        after = max(-1, match.version - PLIES_READ)
        entries = log_entries(match, after=after)
        return [event for entry in entries for event in events_for(match, entry, reader)]

    @cached_property
    def news(self) -> list[str]:
        """The last things that happened in words, the newest first."""
        game, names = self.match.rules, self.match.names
        sentences = [str(game.sentence(event, names)) for event in reversed(self.happened)]
        return [sentence for sentence in sentences if sentence][:EVENTS_SHOWN]

    @cached_property
    def rounds(self) -> list[Round]:
        return list(rounds_of(self.match))

    @property
    def seats(self) -> list[SeatSnapshot]:
        return list(self.match.seats)

    @cached_property
    def chairs(self) -> list[Chair]:
        outcome = self.match.outcome
        winners = outcome.winners if outcome else ()
        return [
            Chair(
                row=row,
                name=self.match.names[row.index],
                is_you=row.index == self.seat,
                is_acting=row.index in self.match.to_act,
                is_winner=row.index in winners,
            )
            for row in self.match.seats
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
        return self.match.seats_of(self.user)

    @property
    def is_shared(self) -> bool:
        """Several people play at this device, so hands are hidden in between."""
        return len(self.own) > 1

    @property
    def is_your_turn(self) -> bool:
        """To act in person: nobody else moves for this seat, and it is clear who sits there."""
        if self.hidden or self.seat is None or self.seat not in self.match.to_act:
            return False
        return self.match.bot_in_control(self.seat) is None

    @property
    def waits_for_bots(self) -> bool:
        return self.match.bot_due_at is not None

    @property
    def waits_for(self) -> str:
        """Whose move the page watches for: ``bots``, ``others``, ``you``; empty when over."""
        if self.match.is_over:
            return ""
        if self.waits_for_bots:
            return "bots"
        only_you = self.is_your_turn and len(self.match.to_act) == 1
        return "you" if only_you or self.hidden else "others"

    @property
    def can_resign(self) -> bool:
        if self.match.status != "active" or self.hidden or self.seat is None:
            return False
        gone = self.match.rules.retired_seats(self.match.state)
        return self.seat not in gone and self.match.seats[self.seat].resigned_at is None

    @property
    def can_join(self) -> bool:
        if self.match.status != "open" or self.own:
            return False
        return any(s.kind == "open" and s.invited_id in (None, self.user) for s in self.match.seats)

    @property
    def is_solo(self) -> bool:
        """No other person plays, so the same cards may be played on."""
        return all(seat.user_id in (None, self.user) for seat in self.match.seats)

    @property
    def winners(self) -> list[str]:
        outcome = self.match.outcome
        return [self.match.names[seat] for seat in outcome.winners] if outcome else []


def board(match: MatchSnapshot, user: UUID | None, *, there: int | None = None) -> Board:
    """The board of a viewer; ``there`` is who last said "I am here" at a shared device."""
    own = match.seats_of(user)
    acting = [seat for seat in own if seat in match.to_act]
    seat = next(iter(acting or own), None)
    if len(own) > 1 and match.status == "active" and _has_secrets(match, own):
        if there in own and (there in match.to_act or not acting):
            return Board(match, user, there)
        return Board(match, user, seat, hidden=True)
    return Board(match, user, seat)


def _has_secrets(match: MatchSnapshot, own: tuple[int, ...]) -> bool:
    """Whether one of these seats sees more than anybody who watches (in Pyanitsa none does)."""
    watched = match.rules.view(match.state, None)
    return any(_plain(match.rules.view(match.state, seat)) != _plain(watched) for seat in own)


def _plain(view: View) -> View:
    return msgspec.structs.replace(view, seat=None, legal_moves=())
