"""How a game collects what happens in a start or a move."""

from collections.abc import Callable
from typing import TypeVar

from games.rules.shuffles import Shuffle
from games.rules.values import Event, Move, State, Step

S = TypeVar("S", bound=State)


class StepBuilder:
    """Handed down as the last parameter ``step``; functions below return states, never Steps.

    ``emit(event)`` notes an event, ``shuffle(pack)`` asks for the next deck, ``done`` closes.
    """

    __slots__ = ("_events", "emit", "shuffle")

    def __init__(self, shuffle: Shuffle) -> None:
        self._events: list[Event] = []
        self.emit: Callable[[Event], None] = self._events.append
        self.shuffle = shuffle

    def done(self, state: S, move: Move = "", scores: tuple[int, ...] | None = None) -> Step[S]:
        """The step: ``move`` as it is recorded, ``scores`` (one a side) of a round that ended."""
        return Step(state=state, events=tuple(self._events), scores=scores, move=move)
