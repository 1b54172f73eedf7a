"""The acts of the plies that the reader has not seen, for the script that plays them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from games.matches.selectors.log import events_for
from games.rules.values import Event
from games.web.parts.acts import Act
from games.web.parts.table_page import TablePage
from games.web.tables import ActsOfPly, GamePage

MOST_PLIES: Final = 24

Told = tuple[int, Sequence[Event]]  # a version and what happened in its ply


def acts_of(page: TablePage, game_page: GamePage) -> list[Act]:
    """Oldest first; none where the game has none or nothing is dealt."""
    if game_page.acts is None or page.view is None or not page.unseen:
        return []
    entries = page.recent_entries[-page.unseen :]
    unseen = [(entry.version, events_for(page.match, entry, page.reader)) for entry in entries]
    if game_page.brief_acts and _repeats(unseen, game_page.repeats):
        return _played(unseen, game_page.brief_acts)
    return _played(unseen[-MOST_PLIES:], game_page.acts)


def _repeats(told: Iterable[Told], turn: type[Event]) -> bool:
    """Whether several turns were played."""
    return sum(isinstance(event, turn) for _, events in told for event in events) > 1


def _played(told: Iterable[Told], acts: ActsOfPly) -> list[Act]:
    return [replace(act, version=version) for version, events in told for act in acts(events)]
