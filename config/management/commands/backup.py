"""``manage.py backup``: the database as one file, also while moves are played."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.host import setup
from config.host.embedded.processes import ServiceError


class Command(BaseCommand):
    help = "Writes the whole database into one file (pg_dump, custom format)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="default: backups/ in the state folder, by its time"
        )

    def handle(self, *_: Any, file: Path | None, **__: Any) -> None:
        file = file or settings.STATE / "backups" / setup.backup_name()
        try:
            setup.dump_database(settings.DATABASES["default"], file)
        except (ServiceError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
