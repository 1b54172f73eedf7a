"""``manage.py backup``: the database as one file, also while moves are played."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.host import backups
from config.host.embedded.processes import ServiceError


class Command(BaseCommand):
    help = (
        "Writes the whole database into one file (pg_dump, custom format). Without a name it is "
        "sealed, put elsewhere and kept as the settings BACKUP_… say."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", type=Path, help="default: by its time, in the folder"
        )
        parser.add_argument(
            "--trial",
            action="store_true",
            help="restore it into a database of its own, migrate that and verify some matches",
        )

    def handle(self, *_: Any, file: Path | None, trial: bool, **__: Any) -> None:
        try:
            database = backups.past_the_pooler()
            if file is None:
                written = backups.write(trial=trial)
                fault, line = written.fault, str(written)
            else:
                rows = backups.dump_database(database, file)
                fault = backups.try_dump(database, file, rows).fault if trial else ""
                line = f"{file}: {file.stat().st_size / 1e6:.1f} MB"
        except (ServiceError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(line)
        if fault:
            raise CommandError(fault)
