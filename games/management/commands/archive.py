"""``manage.py archive``: folds matches that have been over for long, or unfolds them."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.matches import folding
from games.matches.models import ArchivedMatch

MOST_DAYS = 100_000


def _days(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_DAYS:
        raise ArgumentTypeError(f"{text!r} is no number of days from 0 to {MOST_DAYS}.")
    return int(text)


class Command(BaseCommand):
    help = "Folds the plies and rounds of old matches into one row each; --restore puts them back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=_days, help="over for this long; 0: all (default: ARCHIVE_AFTER_DAYS)"
        )
        parser.add_argument(
            "--restore", nargs="*", type=UUID, help="ids of matches; without any, all of them"
        )

    def handle(self, *_: Any, days: int | None, restore: list[UUID] | None, **__: Any) -> None:
        if restore is not None:
            self._restore(restore)
            return
        if days is None and settings.RETENTION["archive"] <= 0:
            raise CommandError("Archiving is off (ARCHIVE_AFTER_DAYS=0); name --days.")
        days = settings.RETENTION["archive"] if days is None else days
        older_than, folded = timedelta(days=days), 0
        while count := folding.fold_some(older_than=older_than):
            folded += count
        self.stdout.write(_sentence(folded, "folded"))

    def _restore(self, ids: list[UUID]) -> None:
        folded = ArchivedMatch.objects.filter(match_id__in=ids) if ids else ArchivedMatch.objects
        waiting = list(folded.values_list("match_id", flat=True))
        self.stdout.write(_sentence(sum(map(folding.unfold, waiting)), "put back"))


def _sentence(count: int, done: str) -> str:
    return f"{count} {'match' if count == 1 else 'matches'} {done}."
