"""``manage.py verify_kernels --seeds 100000``: kernels against the rules, ply by ply; then the
compiled searches of bots, choice by choice.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from games.arena import engine, kernel_variants
from games.arena.kernel_checks import differences
from games.arena.process_pool import run_parts
from games.arena.request import Part, SimulationRequest, parts_of
from games.arena.search_checks import search_differences
from games.management import terminal

PLIES_ONLY: Final = 100  # so many matches are compared in their plies for each with searches


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
                seeds, seed, jobs = (arguments[name] for name in ("seeds", "seed", "jobs"))
                request = variant.request(games=seeds, seed=seed)
                self.verify(variant.name, Check(request, differences), jobs, "in every ply")
                if engine.searches_of_game(variant.game):
                    request = variant.request(games=max(1, seeds // PLIES_ONLY), seed=seed)
                    check = Check(request, search_differences)
                    self.verify(variant.name, check, jobs, "in what searches choose")

    def verify(self, name: str, check: "Check", jobs: int, told: str) -> None:
        begun = monotonic()
        for _, found in run_parts(check, parts_of(check.request, 250), jobs):
            if found is not None:
                raise CommandError(f"{name}: {found}")
        matches, seconds = check.request.games, monotonic() - begun
        self.stdout.write(f"{name}: {matches:,} matches alike {told} ({seconds:.0f} s)")


class Check:
    """One part of a request, checked; it can be sent to another process."""

    def __init__(
        self,
        request: SimulationRequest,
        differences: Callable[[SimulationRequest, int, int], Iterator[object]],
    ) -> None:
        self.request, self._differences = request, differences

    def __call__(self, part: Part) -> object:
        found = self._differences(self.request, part.first, part.games)
        return next((difference for difference in found if difference), None)
