"""``manage.py newgame durak``: a package with a whole small game, to go on from."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.newgame.scaffold import BadName, Names, write


class Command(BaseCommand):
    help = "Writes a folder with a whole small game, which passes every test, to go on from."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="what addresses and records call it: durak")
        parser.add_argument("--name", default="", help="what players call it (default: Durak)")
        parser.add_argument("--folder", type=Path, help="where to write it (default: ./durak)")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            names = Names.of(options["slug"], options["name"])
        except BadName as error:
            raise CommandError(str(error)) from None
        folder: Path = options["folder"] or Path(names.slug)
        if folder.exists():
            raise CommandError(f"{folder} is there already.")
        written = write(names, folder)
        self.stdout.write(f"{len(written)} files in {folder}. Then:")
        here = self._from_the_checkout(folder.resolve())
        self.stdout.write(f"  make run GAMES={here}     play it")
        self.stdout.write(f"  make game GAME={here}     test it")

    def _from_the_checkout(self, folder: Path) -> str:
        """As ``make`` finds it, which runs in the checkout wherever this was typed."""
        inside = folder.is_relative_to(settings.BASE_DIR)
        return f"./{folder.relative_to(settings.BASE_DIR)}" if inside else str(folder)
