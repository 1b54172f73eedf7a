"""``manage.py verify_records FILE``: every record of a file is checked by playing it again."""

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules import record as rules_record


class Command(BaseCommand):
    help = "Checks a file of records, a line each, and its checksum if FILE.sha256 is there."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        self._check_sum(file)
        checked = bad = 0
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                checked += 1
                bad += self._report(number, line)
        self.stdout.write(f"{checked} records checked, {bad} with faults.")
        if bad:
            raise CommandError(f"{bad} of {checked} records are not what they say.")

    def _check_sum(self, file: Path) -> None:
        checksum = file.with_name(file.name + ".sha256")
        if not checksum.exists():
            return
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
        if not checksum.read_text("utf-8").startswith(found):
            raise CommandError(f"{file} is not the file that {checksum} is the checksum of.")

    def _report(self, number: int, line: bytes) -> bool:
        fault = rules_record.verify(line)
        if fault is not None:
            self.stderr.write(f"line {number}: {fault.fault}")
        return fault is not None
