"""What an act does to each deadline, shown before it is done: old, new, and a press that says both.

The page carries what was shown. A press for anything else (other minutes, a deadline that moved
meanwhile) changes nothing and shows the changes anew.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.utils import timezone

from games.operations.refereeing.acts import Act, NewDeadline, Values
from games.operations.refereeing.judgements import moment


class Row(Protocol):
    """A match of the ORM, or its snapshot."""

    @property
    def status(self) -> str: ...

    @property
    def deadline_at(self) -> datetime | None: ...


class Change(NamedTuple):
    match: Any
    was: str
    will_be: str


def changes(act: Act, matches: Iterable[Row], values: Values) -> list[Change]:
    """None of an act that leaves deadlines alone, or before it is known how much."""
    if act.new_deadline is None or any(name not in values for name in act.needs):
        return []
    now = timezone.now()
    return [_change(act.new_deadline, match, values, now) for match in matches]


def _change(new: NewDeadline, match: Row, values: Values, now: datetime) -> Change:
    """A match that does not run has no deadline, and gets none."""
    was = match.deadline_at
    will_be = new(was, values, now) if match.status == "active" else was
    return Change(match, moment(was), moment(will_be))


def token(values: Values, shown: Sequence[Change] = ()) -> str:
    """What a page has shown; without ``shown`` only what was asked for."""
    return "|".join([*map(str, values.values()), *(change.was for change in shown)])


def is_confirmed(act: Act, sent: Any, expected: str) -> bool:
    """Whether the press is about what the page has shown, where the act shows something."""
    return act.new_deadline is None or sent.get("shown") == expected
