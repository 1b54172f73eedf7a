"""How an act changes each deadline, shown before it is done: the old one and the new one.

The form holds a token of what was shown. If it does not fit any more (other minutes, a deadline
that has moved meanwhile), nothing is changed and the page shows the changes again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.utils import timezone

from games.operations.refereeing.acts import Act, NewDeadline, Values
from games.operations.refereeing.time_limits import moment


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
    """Empty for an act that leaves deadlines alone, and until the form says by how much."""
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
    """Names what a page has shown; without ``shown`` only the values of the form."""
    return "|".join([*map(str, values.values()), *(change.was for change in shown)])


def is_confirmed(act: Act, sent: Any, expected: str) -> bool:
    """Whether the form was sent from a page that showed what changes; others need no token."""
    shows = act.new_deadline is not None or act.losses is not None
    return not shows or sent.get("shown") == expected
