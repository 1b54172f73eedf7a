"""One node of the tree that OpenSpiel walks. Nodes are values: a copy is the node itself."""

from collections.abc import Mapping
from typing import Any

from cardroom.research.spiel.chance import Dealing
from cardroom.rules.values import Event, Move, Outcome, Seat


class Node:
    """A state with what led to it: ``moves`` by seat and text, ``events`` unredacted.

    ``dealing`` is set where chance acts. Of an imagined world ``seen_by`` is the seat that imagined
    it; its events are those that this seat saw. What the rules answer is kept in ``legal`` and
    ``outcome``, for a search asks often. ``children`` are kept where a table remembers them.
    """

    __slots__ = (
        "_facts", "children", "dealing", "events", "legal", "moves", "outcome", "seen_by", "state",
        "to_act",
    )  # fmt: skip

    def __init__(
        self,
        state: Any,
        to_act: tuple[Seat, ...],
        outcome: Outcome | None,
        events: tuple[Event, ...] = (),
        moves: tuple[tuple[Seat, Move], ...] = (),
        dealing: Dealing | None = None,
        seen_by: Seat | None = None,
    ) -> None:
        self._facts = (state, to_act, outcome, events, moves, dealing, seen_by)
        self.state, self.to_act, self.outcome = state, to_act, outcome
        self.events, self.moves, self.dealing, self.seen_by = events, moves, dealing, seen_by
        self.legal: Mapping[int, Move] | None = None
        self.children: dict[int, Node] = {}

    def __deepcopy__(self, _memo: Any) -> "Node":
        return self

    def __reduce__(self) -> tuple[type["Node"], tuple[Any, ...]]:
        return Node, self._facts

    def waiting(self, dealing: Dealing) -> "Node":
        """The node before the step, now with chance to act."""
        return Node(
            self.state, self.to_act, self.outcome, self.events, self.moves, dealing, self.seen_by
        )

    def seen(self, seat: Seat) -> list[Event]:
        """The events so far as a seat saw them; in an imagined world no more than both saw."""
        return [event.seen_by(seat) for event in self.events]
