"""A duty: each tournament is advanced by what its rows say is due.

Each step is a transaction of its own that looks again under a lock, so that any process may die
between two of them, and several may do the same at once.
"""

from typing import Final
from uuid import UUID

from config import club
from config.tasks.duties import Duty
from config.tasks.rows import each
from games.competitions import selectors
from games.competitions.models import Tournament
from games.competitions.running import (
    beginning,
    deadlines,
    following,
    opening_boards,
    results,
    rounds,
)

STEPS_AT_ONCE = 3  # the boards of a round of byes or walkovers are decided as soon as it is paired


def advance_all() -> None:
    """One tournament that cannot be advanced keeps no other one waiting."""
    each("tournaments", selectors.due(), advance)


def advance(tournament_id: UUID) -> None:
    if not club.is_in_maintenance():
        beginning.begin(tournament_id)
    for _ in range(STEPS_AT_ONCE):
        if not _step(tournament_id):
            return


def _step(tournament_id: UUID) -> bool:
    """What was played first: what is due is judged by it. Whether there may be more to do."""
    sheet = _running(tournament_id)
    if sheet is None:
        return False
    if following.follow(sheet.tournament):
        return True
    if results.read_results(sheet):
        return True
    if sheet.tournament.paused_at is not None or club.is_in_maintenance():
        return False
    if beginning.drop_the_inactive(sheet.tournament) or results.decide_walkovers(sheet):
        return True
    if deadlines.enforce(sheet):
        return True
    if opening_boards.open_missing(sheet):
        return sheet.tournament.is_arena
    return rounds.advance(sheet)


def _running(tournament_id: UUID) -> selectors.Sheet | None:
    running = Tournament.objects.filter(id=tournament_id, status=Tournament.Status.RUNNING)
    row = running.first()
    return selectors.sheet_of(row) if row else None


TOURNAMENTS: Final = Duty(
    name="tournaments",
    piece=advance_all,
    due="""
SELECT CASE WHEN status = 'announced' THEN starts_at END, id::text FROM competitions_tournament
WHERE (status = 'announced' AND starts_at <= %(now)s OR status = 'running')
    AND game = ANY(%(games)s)""",
    every=2,
)
