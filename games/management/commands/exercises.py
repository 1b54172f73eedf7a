"""Writes the shipped exercises, collects from public matches, derives the ratings again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardroom.arena import compiled_code
from games.exercises import collecting, searching, solving
from games.exercises.selectors import games_with_exercises


class Command(BaseCommand):
    help = "Write the shipped exercises, collect from public matches, or recount all ratings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        write = acts.add_parser("write", help="let computers play and write the file of a game")
        write.add_argument("game")
        write.add_argument("--number", type=int, default=20)
        write.add_argument("--seed", type=int, default=1)
        write.add_argument("--matches", type=int, default=400, help="that are played at most")
        acts.add_parser("settle", help="store the shipped exercises that are missing")
        collect = acts.add_parser("collect", help="look through public matches, as in a night")
        collect.add_argument("--matches", type=int, default=5)
        acts.add_parser("recount", help="derive every rating from the attempts and compare")

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['act']}")(options)

    def _write(self, options: dict[str, Any]) -> None:
        slugs = [game.slug for game in games_with_exercises()]
        if options["game"] not in slugs:
            raise CommandError(f"There are exercises of {', '.join(slugs)}.")
        compiled_code.warm_searches(options["game"])
        exercises = searching.house_exercises(
            options["game"], options["number"], options["seed"], options["matches"]
        )
        path = collecting.write_shipped(options["game"], exercises)
        self.stdout.write(f"{len(exercises)} exercises in {path.name}.")

    def _settle(self, _options: dict[str, Any]) -> None:
        self.stdout.write(f"{collecting.settle_shipped()} exercises stored.")

    def _collect(self, options: dict[str, Any]) -> None:
        n = collecting.collect(options["matches"])
        self.stdout.write(f"{n} matches are looked through by the workers.")

    def _recount(self, _options: dict[str, Any]) -> None:
        faults = solving.faults()
        for fault in faults:
            self.stdout.write(f"{fault.about}: {fault.stored} is stored, {fault.derived} derived")
        if faults:
            raise CommandError(f"{len(faults)} differ.")
        self.stdout.write("All ratings follow from the attempts.")
