"""``manage.py verify_matches``: replay stored matches with the rules and compare byte for byte."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.services import verification


class Command(BaseCommand):
    help = "Replays matches from their seeds and moves and reports whatever does not follow."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", type=UUID, help="ids; every match without any")
        parser.add_argument("--game", help="only matches of this game")

    def handle(self, *_: Any, **options: Any) -> None:
        found = Match.objects.order_by("id")
        if options["match"]:
            found = found.filter(id__in=options["match"])
        if options["game"]:
            found = found.filter(game=options["game"])
        checked = bad = 0
        for match_id in found.values_list("id", flat=True).iterator():
            checked += 1
            bad += self._report(match_id)
        self.stdout.write(f"{checked} matches checked, {bad} with faults.")
        if bad:
            raise CommandError(f"{bad} of {checked} matches do not follow from their moves.")

    def _report(self, match_id: UUID) -> bool:
        faults = list(verification.faults(get_match(match_id)))
        for fault in faults:
            self.stderr.write(f"{match_id}: {fault}")
        return bool(faults)
