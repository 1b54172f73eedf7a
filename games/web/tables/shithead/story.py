"""What the last turn at a table of Shithead led to, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from cardroom.rules.shithead import events as happened
from cardroom.rules.values import Event
from games.language import words
from games.web.parts.table_page import TablePage

NOT_TOLD: Final = (happened.Dealt, happened.Drew, happened.GameStarted, happened.Turn)


@dataclass(frozen=True)
class Left:
    """What a shed was left with."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Story:
    page: TablePage

    @cached_property
    def last_turn(self) -> list[str]:
        """The last turn and what followed from it; what lies on the table is not told again."""
        match = self.page.match
        events = [event for event in self._since_last_turn if not isinstance(event, NOT_TOLD)]
        return [words(match.rules.sentence(event, match.names)) for event in events]

    @property
    def burned(self) -> bool:
        return any(isinstance(event, happened.Burned) for event in self._since_last_turn)

    @property
    def left(self) -> list[Left]:
        """The last cards of the sheds of the game that ended last."""
        over = [event for event in self.page.recent_events if isinstance(event, happened.GameOver)]
        remaining = over[-1].remaining if over else ()
        names = self.page.match.names
        return [Left(names[r.seat], (*r.hand, *r.top, *r.hidden)) for r in remaining]

    @cached_property
    def _since_last_turn(self) -> list[Event]:
        events = self.page.recent_events
        return events[max(_beginnings(events), default=len(events)) :]


def _beginnings(events: Sequence[Event]) -> Iterator[int]:
    """Where turns begin: with a play, a hidden card turned up, or a pick-up after neither."""
    for at, event in enumerate(events):
        failed_before = at > 0 and isinstance(events[at - 1], happened.HiddenFailed)
        picks_up = isinstance(event, happened.PickedUp) and not failed_before
        if picks_up or isinstance(event, happened.Played | happened.HiddenFailed):
            yield at
