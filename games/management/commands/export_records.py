"""``manage.py export_records FILE``: records of matches that are over, with a checksum."""

import hashlib
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.record_files import checksum_of
from games.matches.records import find_stored, record_lines


class Command(BaseCommand):
    help = (
        "Writes the records of public matches that are over, a line each, and FILE.sha256 beside "
        "it. manage.py verify_records checks both, here or at any other installation; "
        "manage.py import_records stores them there. A match that was loaded comes after the one "
        "that it was loaded from."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--game", default="", help="only matches of this game")
        parser.add_argument("--since", help="only matches that were over at this time or later")
        parser.add_argument(
            "--private", action="store_true", help="unlisted and private matches too"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        matches = find_stored(
            private=options["private"], game=options["game"], since=_time(options["since"])
        )
        written, digest = 0, hashlib.sha256()
        with file.open("wb") as out:
            for line in record_lines(matches, reader=None, names_all=True):
                out.write(line)
                digest.update(line)
                written += 1
        checksum = checksum_of(file)
        checksum.write_text(f"{digest.hexdigest()}  {file.name}\n", encoding="utf-8")
        self.stdout.write(f"{written} records in {file}, their checksum in {checksum}.")


def _time(text: str | None) -> datetime | None:
    try:
        at = datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise CommandError(f"--since is a date or a time: {error}") from error
    return at.replace(tzinfo=at.tzinfo or UTC) if at else None
