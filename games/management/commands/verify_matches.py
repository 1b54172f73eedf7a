"""``manage.py verify_matches``: replay stored matches with the rules and compare byte for byte."""

import multiprocessing
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final
from uuid import UUID

import django
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.operations import nights
from games.operations.models import ReplayAudit

MATCHES_A_BATCH: Final = 50
SECONDS_A_LINE: Final = 5.0
UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}

Faults = list[tuple[UUID, list[str]]]  # of each match


def _moment(text: str) -> datetime:
    """`24h`, `90m`, `7d`, or a time such as 2026-11-21T10:00Z."""
    span = re.fullmatch(r"(\d{1,6})([mhd])", text)
    if span is not None:
        return timezone.now() - timedelta(**{UNITS[span[2]]: int(span[1])})
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise ArgumentTypeError(f"{text!r} is neither a span like 24h nor a time.")
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.get_current_timezone())


class Command(BaseCommand):
    help = "Replays matches from their seeds and moves and reports whatever does not follow."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", nargs="*", type=UUID, help="ids; without any, every match")
        parser.add_argument("--game", help="only matches of this game")
        parser.add_argument("--since", type=_moment, help="only what changed since: 24h, or a time")
        parser.add_argument("--sample", type=int, help="only so many, by chance")
        parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")

    def handle(self, *_: Any, **options: Any) -> None:
        until, begun = timezone.now(), monotonic()
        named = [match for match, _ in nights.at_fault()]
        matches = nights.changed(options["since"], named=named)
        if options["match"]:
            matches = matches.filter(id__in=options["match"])
        if options["game"]:
            matches = matches.filter(game=options["game"])
        if sample := options["sample"]:
            matches = matches.order_by("?")[:sample]
        ids = list(matches.values_list("id", flat=True))
        audit = ReplayAudit(since=options["since"], until=until, total=len(ids))
        reported, faulty = begun, 0
        for match_id, faults in _checked(ids, options["jobs"]):
            nights.note(audit, match_id, faults)
            for fault in faults:
                self.stderr.write(f"{match_id}: {fault}")
            faulty += bool(faults)
            if monotonic() - reported > SECONDS_A_LINE:
                reported = monotonic()
                self.stderr.write(f"{audit} after {reported - begun:.0f} s")
        partial = options["match"] or options["game"] or options["sample"]
        if not partial:  # of everything: the dashboard shows it
            audit.finished_at = audit.worked_at = timezone.now()
            audit.save()
        self.stdout.write(f"{audit.checked} matches checked, {faulty} with faults.")
        if faulty:
            raise CommandError(
                f"{faulty} of {audit.checked} matches do not follow from their moves."
            )


def _checked(ids: list[UUID], jobs: int) -> Iterator[tuple[UUID, list[str]]]:
    parts = [ids[at : at + MATCHES_A_BATCH] for at in range(0, len(ids), MATCHES_A_BATCH)]
    if jobs <= 1:
        for part in parts:
            yield from _check(part)
        return
    context = multiprocessing.get_context("spawn")  # no connection is shared
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=django.setup) as pool:
        for results in pool.map(_check, parts):
            yield from results


def _check(ids: list[UUID]) -> Faults:
    return [(match_id, nights.faults_of(match_id)) for match_id in ids]
