"""`manage.py serve`: the whole service on one machine, in one terminal."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.host.embedded import ServiceError
from config.host.serve import Service
from config.host.state_folder import CannotServe


class Command(BaseCommand):
    help = "Serve Cardroom on this machine: database, broker, worker and web in one terminal."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1")
        parser.add_argument("--port", default=os.environ.get("PORT") or "8000")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            Service(settings.STATE, options["host"], options["port"], self.stdout).run()
        except (CannotServe, ServiceError) as error:
            raise CommandError(str(error)) from None
