"""All causes that follow from rows. A row of which none can be made keeps no other one back."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from accounts.notifications.outbox import Owed, keys_not_owed, owe_all
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.causes import invitations, matches, results, rounds, turns

NAME: Final = results.DUTY
SOURCES: Final[Mapping[str, Callable[[], int]]] = {
    "turns": lambda: _derive(turns.waiting(), turns.cause_of),
    "invitations": lambda: _derive(invitations.waiting(), invitations.cause_of),
    "rounds": lambda: _derive(rounds.waiting(), rounds.cause_of),
    "results": results.owe_new,
    "matches": matches.owe_new,
}


def derive() -> int:
    """How many causes were new."""
    return sum(each(NAME, SOURCES, lambda source: SOURCES[source]()))


def _derive(rows: Mapping[str, Any], cause_of: Callable[[str, Any], Owed]) -> int:
    """Of rows by their keys, as far as they are not told yet."""
    causes = each(NAME, keys_not_owed(rows), lambda key: cause_of(key, rows[key]))
    return owe_all(causes)


CAUSES: Final = Duty(
    name=NAME,
    piece=derive,
    due="""
SELECT NULL::timestamptz, NULL WHERE EXISTS (SELECT FROM notifications_choices
        WHERE mail <> '{}' OR daily <> '{}' OR push <> '{}')
    OR EXISTS (SELECT FROM notifications_endpoint WHERE disabled = '')
UNION ALL SELECT NULL, NULL FROM notifications_progress
WHERE name = 'results' AND until < %(now)s - interval '60 seconds'
    AND EXISTS (SELECT FROM games_match
        WHERE status = 'finished' AND finished_at > until - interval '60 seconds')""",
    every=2,
    idle=60,
)
