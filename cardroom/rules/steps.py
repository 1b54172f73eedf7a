"""How a game collects what happens in a start or a move."""

from typing import TypeVar

import msgspec

from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import Event, Move, State, Step

S = TypeVar("S", bound=State)


class StepBuilder(msgspec.Struct, gc=False):
    """Handed down as the last parameter ``step``; functions below return states, never Steps.

    ``emit(event)`` notes an event, ``shuffle(pack)`` asks for the next deck, ``done`` closes. A
    struct, because one is made with every move and a struct is made without running Python.
    """

    shuffle: Shuffle
    events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def done(self, state: S, move: Move = "", scores: tuple[int, ...] | None = None) -> Step[S]:
        """The step: ``move`` as it is recorded, ``scores`` (one a side) of a round that ended."""
        return Step(state=state, events=tuple(self.events), scores=scores, move=move)
