"""``manage.py restore``: a backup into the database; its schema is brought up to date."""

import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from redis.exceptions import RedisError

from config import club
from config.host import backups
from config.host.embedded.processes import ServiceError
from config.postgres.connections import connect_directly


class Command(BaseCommand):
    help = (
        "Reads a backup into the database and migrates it. What is there is deleted, after a "
        "question, or with --replace without one."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", default="", help="a file, or a backup by name; default: the newest"
        )
        parser.add_argument("--replace", action="store_true", help="lose what is there")
        parser.add_argument("--identity", type=Path, help="the private key of a sealed backup")

    def handle(self, *_: Any, file: str, replace: bool, identity: Path | None, **__: Any) -> None:
        try:
            database = backups.past_the_pooler()
            with backups.opened(file, identity) as dump:
                asks = not replace and sys.stdin.isatty() and not backups.is_empty(database)
                backups.restore_database(
                    database, dump, replace=replace or (asks and self._agreed(database, dump))
                )
        except (ServiceError, OSError, psycopg.Error) as error:
            raise CommandError(str(error)) from None
        connect_directly()
        call_command("migrate", interactive=False, verbosity=0)
        with suppress(RedisError):
            club.tell()  # processes that run have the settings of before
        self.stdout.write(f"{dump.name} is restored. Now prove it: manage.py verify_matches")

    def _agreed(self, database: dict[str, Any], dump: Path) -> bool:
        name = database["NAME"]
        self.stdout.write(f"{dump.name} replaces all that is in the database {name} now.")
        if input(f"Type {name} to go on: ").strip() != name:
            raise CommandError("Nothing was changed.")
        return True
