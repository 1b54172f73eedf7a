"""``manage.py partition_plies``: the plies by months, while moves are played."""

from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, OperationalError, ProgrammingError

from games.matches import partitions


class Command(BaseCommand):
    help = (
        "Keeps the plies by months, which are dropped once they are folded: for houses with many "
        "millions of plies. Moves are played meanwhile. There is no way back. Begun again it goes "
        "on where it stopped."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        begun = at = monotonic()
        try:
            for step in partitions.partition():
                self.stdout.write(f"{step} ({monotonic() - at:.1f} s)")
                at = monotonic()
        except partitions.CannotPartition as error:
            raise CommandError(str(error)) from None
        except (IntegrityError, OperationalError, ProgrammingError) as error:
            raise CommandError(f"Postgres refuses: {error}") from error
        self.stdout.write(f"Nothing is left to do ({monotonic() - begun:.1f} s).")
