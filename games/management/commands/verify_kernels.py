"""``manage.py verify_kernels --seeds 100000``: kernels against the rules, ply by ply."""

from argparse import ArgumentParser
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.arena import kernel_variants
from games.arena.kernel_checks import Difference, differences
from games.arena.process_pool import run_parts
from games.arena.request import Part, SimulationRequest, parts_of
from games.management import terminal


class Command(BaseCommand):
    help = (
        "Plays every variant by the rules and by its kernel from the same streams and compares the "
        "full state before every ply and at the end. It stops at the first difference."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help="one game alone")
        parser.add_argument("--variant", help="one variant alone, by its name")
        parser.add_argument("--seeds", type=int, default=1000, help="matches a variant")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--jobs", type=int, default=1)

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        with terminal.plain_errors():
            for variant in kernel_variants.chosen(arguments["game"], arguments["variant"]):
                request = variant.request(games=arguments["seeds"], seed=arguments["seed"])
                self.verify(variant.name, request, arguments["jobs"])

    def verify(self, name: str, request: SimulationRequest, jobs: int) -> None:
        begun = monotonic()
        for _, found in run_parts(Check(request), parts_of(request, 250), jobs):
            if found is not None:
                raise CommandError(f"{name}: {found}")
        self.stdout.write(
            f"{name}: {request.games:,} matches alike in every ply ({monotonic() - begun:.0f} s)"
        )


class Check:
    """One part of a request, checked; it can be sent to another process."""

    def __init__(self, request: SimulationRequest) -> None:
        self._request = request

    def __call__(self, part: Part) -> Difference | None:
        found = differences(self._request, part.first, part.games)
        return next((difference for difference in found if difference), None)
