"""`manage.py tables`: makes the tables, or brings them up to date; with ``--write`` their dump."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.host import setup
from config.host.state_folder import CannotServe


class Command(BaseCommand):
    help = "Make the tables of the database, or bring them up to date."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--write", action="store_true", help="migrate, then write config/postgres/tables.sql"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = setup.write_dump() if options["write"] else setup.make_tables()
        except CannotServe as error:
            raise CommandError(str(error)) from None
        self.stdout.write(done)
