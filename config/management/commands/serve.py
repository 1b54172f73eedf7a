"""`manage.py serve`: the whole service on one machine, in one terminal.

`manage.py` starts it without Django; this is what `manage.py help` lists and `call_command` finds.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.host import serve


class Command(BaseCommand):
    help = "Serve Cardroom on this machine: database, broker, workers and web in one terminal."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="")
        parser.add_argument("--port", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        words = [f"--{name}={options[name]}" for name in ("host", "port") if options[name]]
        try:
            serve.main(words)
        except SystemExit as error:
            raise CommandError(str(error)) from None
