"""``manage.py export_records FILE``: records of public matches that are over, with a checksum."""

import hashlib
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.matches.models import Match
from games.matches.services.export import find_finished, record_lines


class Command(BaseCommand):
    help = (
        "Writes the records of public matches that are over, a line each, and FILE.sha256 beside "
        "it. manage.py verify_records checks both, here or at any other installation."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--game", default="", help="only matches of this game")
        parser.add_argument("--since", help="only matches that were over at this time or later")

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        since = datetime.fromisoformat(options["since"]) if options["since"] else None
        since = since.replace(tzinfo=since.tzinfo or UTC) if since else None
        count = Match.objects.count()
        found = find_finished(user=None, mine=False, game=options["game"], since=since, limit=count)
        written, digest = 0, hashlib.sha256()
        with file.open("wb") as out:
            for line in record_lines(found, reader=None):
                out.write(line)
                digest.update(line)
                written += 1
        checksum = file.with_name(file.name + ".sha256")
        checksum.write_text(f"{digest.hexdigest()}  {file.name}\n", encoding="utf-8")
        self.stdout.write(f"{written} records in {file}, their checksum in {checksum}.")
