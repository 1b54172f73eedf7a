from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.tasks import rows


class Command(BaseCommand):
    help = "Takes up again what a duty has set aside or waits with: all its rows, or those named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("duty", help="as the dashboard names it")
        parser.add_argument("rows", nargs="*", help="ids, as the dashboard names them")

    def handle(self, *_: Any, duty: str, rows: list[str], **__: Any) -> None:
        self.stdout.write(f"{try_again(duty, rows)} rows are tried again.")


def try_again(duty: str, names: list[str]) -> int:
    waiting = names or list(rows.troubles(duty))
    rows.forget(duty, waiting)
    return len(waiting)
