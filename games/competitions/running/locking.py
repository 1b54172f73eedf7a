"""The lock of a tournament: whatever changes one is written under it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from games.competitions.models import Tournament
from games.competitions.refusals import NoSuchTournament


@contextmanager
def changed(tournament_id: UUID) -> Iterator[Tournament]:
    """A transaction with the tournament locked, whose version goes up; what is set is saved."""
    with transaction.atomic():
        row = Tournament.objects.select_for_update().filter(id=tournament_id).first()
        if row is None:
            raise NoSuchTournament
        yield row
        row.version += 1
        row.save()
