"""The motions of the plies that the reader has not seen, for the script that plays them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from cardroom.rules.values import Event
from games.matches.selectors.log import events_for
from games.web.parts.motions import Motion, hands_together
from games.web.parts.table_page import TablePage
from games.web.tables import GamePage, MotionsOfPly

MOST_PLIES: Final = 24

Ply = tuple[int, Sequence[Event]]  # a version and what happened in its ply


def motions_of(page: TablePage, game_page: GamePage) -> list[Motion]:
    """Oldest first; none where the game has none or nothing is dealt."""
    if game_page.motions is None or page.view is None or not page.unseen:
        return []
    entries = page.recent_entries[-page.unseen :]
    unseen = [(entry.version, events_for(page.match, entry, page.reader)) for entry in entries]
    if game_page.brief_motions and _repeats(unseen, game_page.repeats):
        return _played(unseen, game_page.brief_motions)
    return _played(unseen[-MOST_PLIES:], game_page.motions)


def _repeats(plies: Iterable[Ply], turn: type[Event]) -> bool:
    """Whether several turns were played."""
    return sum(isinstance(event, turn) for _, events in plies for event in events) > 1


def _played(plies: Iterable[Ply], motions: MotionsOfPly) -> list[Motion]:
    return [
        replace(motion, version=version)
        for version, events in plies
        for motion in hands_together(motions(events))
    ]
