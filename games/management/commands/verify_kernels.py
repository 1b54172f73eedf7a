"""``manage.py verify_kernels --seeds 100000``: kernels against the rules, ply by ply; then the
compiled searches of bots, choice by choice.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from django.core.management.base import BaseCommand, CommandError

from cardroom.arena import compiled_code
from cardroom.arena.kernels import Variant, check, chosen, search_differences
from cardroom.arena.request import Part, SimulationRequest, run_parts
from games.management import terminal

T = TypeVar("T")

PLIES_ONLY: Final = 100  # matches compared by their plies for each one compared by searches
MATCHES_A_PART: Final = 250  # matches
REPORTS: Final = 10  # lines a variant


class Command(BaseCommand):
    help = (
        "Plays every variant by the rules and by its kernel from the same streams and compares the "
        "full state before every ply and at the end. It stops at the first difference. Each line "
        "says which matches are checked so far: with --first-seed another run goes on there."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", help="one game alone")
        parser.add_argument("--variant", help="one variant alone, by its name")
        parser.add_argument("--seeds", type=int, default=1000, help="matches a variant")
        parser.add_argument("--first-seed", type=int, default=0, help="the first of these matches")
        parser.add_argument("--seed", type=int, default=1, help="of the series of matches")
        parser.add_argument("--jobs", type=int, default=1)

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        begun, states = monotonic(), 0
        numbers = range(arguments["first_seed"], arguments["first_seed"] + arguments["seeds"])
        with terminal.plain_errors():
            variants = chosen(arguments["game"], arguments["variant"])
            for variant in variants:
                states += self.verify(variant, numbers, arguments["seed"], arguments["jobs"])
        matches = len(variants) * len(numbers)
        self.stdout.write(
            f"Variants: {len(variants)}, matches: {matches:,}, states compared: {states:,}, "
            f"all alike ({monotonic() - begun:.0f} s)"
        )

    def verify(self, variant: Variant, numbers: range, seed: int, jobs: int) -> int:
        """Kernel and searches of a variant; how many states of these matches were compared."""
        request = variant.request(games=numbers.stop, seed=seed)
        counts = self.compare(f"{variant.name}, plies", partial(plies, request), numbers, jobs)
        if compiled_code.searches_of_game(variant.game):
            first, last = numbers.start // PLIES_ONLY, numbers.stop // PLIES_ONLY
            fewer = range(first, max(first + 1, last))
            self.compare(f"{variant.name}, searches", partial(searches, request), fewer, jobs)
        return counts

    def compare(
        self, name: str, run: Callable[[Part], tuple[int, object]], numbers: range, jobs: int
    ) -> int:
        """The sum of ``run`` over all parts. The first difference that it returns is an error."""
        parts = [
            Part(at, min(MATCHES_A_PART, numbers.stop - at)) for at in numbers[::MATCHES_A_PART]
        ]
        begun, total = monotonic(), 0
        for nth, (part, result) in enumerate(in_order(run_parts(run, parts, jobs), parts), 1):
            count, difference = result
            if difference is not None:
                raise CommandError(f"{name}: {difference}")
            total += count
            if nth * REPORTS // len(parts) > (nth - 1) * REPORTS // len(parts):
                self.stdout.write(
                    f"{name}: matches {numbers.start:,} to {part.first + part.games - 1:,} alike, "
                    f"{total:,} compared ({monotonic() - begun:.0f} s)"
                )
                self.stdout.flush()
        return total


def plies(request: SimulationRequest, part: Part) -> tuple[int, object]:
    """The number of states compared, and the first difference."""
    checked = check(request, part)
    return checked.states, checked.difference


def searches(request: SimulationRequest, part: Part) -> tuple[int, object]:
    """The number of matches with a search compared, and the first difference."""
    differences = list(search_differences(request, part.first, part.games))
    return len(differences), next((difference for difference in differences if difference), None)


def in_order(done: Iterator[tuple[Part, T]], parts: Sequence[Part]) -> Iterator[tuple[Part, T]]:
    """Results that come in any order, in the order of their parts."""
    waiting: dict[Part, T] = {}
    for part in parts:
        while part not in waiting:
            finished, result = next(done)
            waiting[finished] = result
        yield part, waiting.pop(part)
