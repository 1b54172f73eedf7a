"""The acts of the last plies of a match, for the script that plays what is new."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from games.matches.selectors.log import events_for
from games.web.acts import Act
from games.web.table_page import TablePage
from games.web.tables import GamePage

MOST_PLIES: Final = 24


def acts_of(page: TablePage, game_page: GamePage) -> list[Act]:
    """Oldest first; none where the game has none or nothing is dealt."""
    if game_page.acts is None or page.view is None:
        return []
    found: list[Act] = []
    for entry in page.recent_entries[-MOST_PLIES:]:
        events = events_for(page.match, entry, page.reader)
        found += _at(entry.version, game_page.acts(events))
    return found


def _at(version: int, acts: Iterable[Act]) -> Iterator[Act]:
    return (replace(act, version=version) for act in acts)
