"""A position as an exercise keeps it: what one seat knew, and what each of its moves is worth.

There is no state in it: a reader of a whole position learns no card that the seat did not see.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import structs

from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Move, Options, Reason, Seat, View
from games.absent import rules_of
from games.coaching.judging.verdicts import Grade, grade_of
from games.coaching.judging.weighing import Choice, Cost

SOLVED: Final[tuple[Grade, ...]] = ("best", "fine")


class Position(msgspec.Struct, frozen=True, dict=True):
    """``view`` and ``events`` are those of ``seat``, as JSON; ``events`` what its judge remembers.

    ``choices`` are all moves from the best to the worst, with the chance to win; ``reasons`` say
    what speaks for and against some of them. ``missed`` is the share of the house's easier
    computers that play something else, ``played`` what the person played whose mistake it was.
    """

    game: str
    rules_version: int
    options: msgspec.Raw
    seat: Seat
    round: int
    view: msgspec.Raw
    events: msgspec.Raw
    choices: tuple[Choice, ...]
    reasons: dict[Move, Reason]
    missed: float = 0.0
    played: Move | None = None

    @cached_property
    def rules(self) -> AnyGame:
        return rules_of(self.game, self.rules_version)

    @cached_property
    def seen(self) -> View:
        """The view, decoded."""
        seen: View = msgspec.json.decode(self.view, type=self.rules.view_type)
        return seen

    @cached_property
    def remembered(self) -> tuple[Event, ...]:
        return self.rules.decode_events(bytes(self.events))

    @cached_property
    def rule_choices(self) -> Options:
        options: Options = self.rules.decode_options(bytes(self.options))
        return options

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def key(self) -> str:
        """The same for the same knowledge; ``choices`` are no part of it."""
        parts = (self.game.encode(), bytes(self.view), bytes(self.events))
        return sha256(b"\n".join(parts)).hexdigest()

    def choice_of(self, move: Move) -> Choice | None:
        """The choice that this move is, or that does the same; ``None`` if it was not weighed."""
        same = self.rules.alike(move)
        exact = (one for one in self.choices if one.move == move)
        alike = (one for one in self.choices if self.rules.alike(one.move) == same)
        return next(exact, None) or next(alike, None)

    def cost_of(self, choice: Choice) -> float:
        return max(0.0, self.best.chance - choice.chance)

    def grade_of(self, choice: Choice) -> Grade:
        return grade_of(Cost(self.cost_of(choice), 0.0))

    def is_solved_by(self, move: Move) -> bool:
        choice = self.choice_of(move)
        return choice is not None and self.grade_of(choice) in SOLVED


class Shipped(msgspec.Struct, frozen=True):
    """An exercise as the files of the software keep it."""

    theme: str
    position: Position


_decoder = msgspec.json.Decoder(Position)


def encoded(position: Position) -> bytes:
    return msgspec.json.encode(position)


def decoded(data: bytes) -> Position:
    return _decoder.decode(data)


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def without_names(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events as they are of seats without names: who played is nobody's business here."""
    return tuple([_nameless(event) for event in events])


def _nameless(event: Event) -> Event:
    names = getattr(event, "names", None)
    if names is None:
        return event
    return structs.replace(event, names=tuple(str(seat + 1) for seat in range(len(names))))


def reasons_of(reasons: Mapping[Move, Reason], choices: Sequence[Choice]) -> dict[Move, Reason]:
    """In the order of the choices, so that the same reasons are the same bytes."""
    return {one.move: reasons[one.move] for one in choices if one.move in reasons}
