"""``manage.py job``: a long command that a button of the admin began; the page shows its end."""

import io
import os
from argparse import ArgumentParser
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.operations import nights
from games.operations.jobs import PROCESSES, result_key

LINES_KEPT = 40


class Command(BaseCommand):
    help = "Runs a backup or a recount for the page of jobs"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=PROCESSES)

    def handle(self, *_: Any, name: str, **__: Any) -> None:
        os.nice(10)
        written = io.StringIO()
        state = "failed"
        try:
            state = _back_up(written) if name == "backup" else _recount(written)
        except Exception as error:  # noqa: BLE001 - the page tells of it
            written.write(str(error) if isinstance(error, CommandError) else type(error).__name__)
        finally:
            lines = written.getvalue().splitlines()[-LINES_KEPT:]
            result = {"at": timezone.now().timestamp(), "state": state, "text": "\n".join(lines)}
            cache.set(result_key(name), result, None)


def _back_up(written: io.StringIO) -> str:
    done = nights.back_up()
    written.write("\n".join(filter(None, (done.name, done.fault))))
    return "failed" if done.fault else "done"


def _recount(written: io.StringIO) -> str:
    call_command("recount", stdout=written, stderr=written)
    return "done"
