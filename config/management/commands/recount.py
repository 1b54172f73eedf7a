"""manage.py recount: every number that is derived from others, counted again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.offers import offered_by_name

SHOWN = 20


class Command(BaseCommand):
    help = "Prove that every derived number equals a recount; with --mend, repair those that do not"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mend", action="store_true", help="write what was counted")

    def handle(self, *, mend: bool, **_: Any) -> None:
        wrong = 0
        for name, derivation in offered_by_name("derivations").items():
            faults = 0
            for fault in derivation(mend=mend):
                faults += 1
                if faults <= SHOWN:
                    self.stdout.write(f"{name}: {fault}")
            self.stdout.write(f"{name}: {_verdict(faults, mend=mend)}")
            wrong += faults
        if wrong and not mend:
            raise CommandError(f"{wrong} differ. Repair them with --mend.")


def _verdict(faults: int, *, mend: bool) -> str:
    if not faults:
        return "equal to a recount"
    return f"{faults} {'mended' if mend else 'differ'}"
