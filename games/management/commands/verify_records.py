"""``manage.py verify_records FILE``: every record of a file is checked by playing it again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardroom.rules import record as rules_record
from games.management.record_files import check_sum, numbered_lines


class Command(BaseCommand):
    help = "Checks a file of records, a line each, and its checksum if FILE.sha256 is there."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="plain or packed with gzip")

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        check_sum(file)
        checked = bad = 0
        for number, line in numbered_lines(file):
            checked += 1
            bad += self._report(number, line)
        self.stdout.write(f"{checked} records checked, {bad} with faults.")
        if bad:
            raise CommandError(f"{bad} of {checked} records are not what they say.")

    def _report(self, number: int, line: bytes) -> bool:
        fault = rules_record.verify(line)
        if fault is not None:
            self.stderr.write(f"line {number}: {fault.fault}")
        return fault is not None
