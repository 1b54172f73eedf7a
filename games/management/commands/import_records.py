"""``manage.py import_records FILE``: verifies and stores matches of another installation."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from cardroom.rules.record import BadRecord, Fault
from games.management.record_files import check_sum, numbered_lines
from games.matches.importing import CannotImport, ParentMissing, Terms, store
from games.matches.models import Match


class Command(BaseCommand):
    help = (
        "Stores the matches of a file of records, a line each. Every record is verified before. "
        "A match that is here already is passed over. A record with a fault is not stored, and its "
        "line is named. Imported matches are not rated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="plain or packed with gzip")
        parser.add_argument(
            "--accounts",
            type=Path,
            help="JSON: names in the records to usernames here. Everybody else gets an account "
            "that nobody can sign in to",
        )
        parser.add_argument(
            "--visibility",
            choices=Match.Visibility.values,
            default=Match.Visibility.PRIVATE,
            help="of the matches here: private (the default), unlisted or public",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        check_sum(file)
        self._terms = Terms(options["visibility"], _accounts(options["accounts"]))
        self._done: Counter[str] = Counter()
        waiting = [line for line in numbered_lines(file) if self._waits(*line)]
        while waiting:
            still = [line for line in waiting if self._waits(*line)]
            if len(still) == len(waiting):
                break
            waiting = still
        for number, line in waiting:
            self._waits(number, line, last=True)
        done = self._done
        self.stdout.write(
            f"{done['stored']} matches stored, {done['here']} were here already, "
            f"{done['refused']} refused."
        )
        if done["refused"]:
            raise CommandError(f"{done['refused']} records were not stored.")

    def _waits(self, number: int, line: bytes, *, last: bool = False) -> bool:
        """Stores a record, or says that it has to wait for the match that it goes on from."""
        try:
            self._done["stored" if store(line, self._terms) else "here"] += 1
        except (BadRecord, CannotImport) as refused:
            if isinstance(refused, ParentMissing) and not last:
                return True
            self._done["refused"] += 1
            fault = getattr(refused, "fault", None)
            self.stderr.write(f"line {number}: {_place(fault)}{refused}")
        return False


def _place(fault: Fault | None) -> str:
    if fault is None or fault.round is None:
        return ""
    return (
        f"round {fault.round}: "
        if fault.move is None
        else f"round {fault.round}, move {fault.move}: "
    )


def _accounts(file: Path | None) -> dict[str, User]:
    if file is None:
        return {}
    try:
        names = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError) as error:
        raise CommandError(f"{file} does not map names to usernames: {error}") from error
    users = {user.username: user for user in User.objects.filter(username__in=names.values())}
    missing = sorted(set(names.values()) - set(users))
    if missing:
        raise CommandError(f"There is no account {missing[0]!r} here.")
    return {name: users[username] for name, username in names.items()}
