"""``manage.py restore``: a backup into an empty database; its schema is brought up to date."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.host import setup
from config.host.embedded.processes import ServiceError


class Command(BaseCommand):
    help = "Reads a backup into an empty database (--replace: over what is there) and migrates it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="lose what is there")

    def handle(self, *_: Any, file: Path, replace: bool, **__: Any) -> None:
        try:
            setup.restore_database(settings.DATABASES["default"], file, replace=replace)
        except (ServiceError, OSError, psycopg.Error) as error:
            raise CommandError(str(error)) from None
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write("Restored. Now prove it: manage.py verify_matches --jobs 2")
