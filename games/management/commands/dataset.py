"""``manage.py dataset GAME FILE``: decisions with what was seen, legal and done, as Parquet."""

from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from cardroom.arena.players import find_game
from cardroom.arena.request import SimulationRequest, describe
from cardroom.arena.statistics import BadRequest
from cardroom.rules.record import Record, read
from games.management import terminal
from games.matches.records import find_over, record_lines


class Command(BaseCommand):
    help = (
        "Writes decisions as a Parquet file, with a card of what is in it beside it: of matches "
        "that computers play (--bots), or of the public matches here that are over (--records). "
        "No account is named, and no match is taken whose cards are still somebody's secret."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        terminal.add_arguments(parser)
        parser.add_argument("file", type=Path, help="the Parquet file; its card is the .md beside")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--bots", help="a bot a seat, with commas between, as for simulate")
        source.add_argument("--records", action="store_true", help="public matches that are over")
        parser.add_argument("--matches", type=int, default=1000, help="matches for --bots")

    def handle(self, *_: Any, **arguments: Any) -> None:
        with terminal.plain_errors():
            dataset = _needs_research("dataset")
            game = find_game(arguments["game"])
            if game.actions is None or game.observation is None or game.observe is None:
                raise BadRequest(f"{game.name} has no action numbers and observations.")
            if arguments["records"]:
                rows, facts = _of_records(game.slug), {"source": "public matches that were played"}
            else:
                request = describe(
                    arguments["game"],
                    values=terminal.chosen_options(arguments, "players"),
                    preset=arguments["preset"],
                    bots=[name for name in arguments["bots"].split(",") if name],
                    games=arguments["matches"],
                    seed=terminal.chosen_seed(arguments),
                    swap=True,
                    custom=True,
                )
                decisions: Iterator[Any] = _needs_research("dataset").of_request(
                    request, terminal.chosen_jobs(arguments)
                )
                rows = decisions
                facts = _facts(request)
            written = dataset.write(arguments["file"], game, rows, facts)
        self.stdout.write(
            f"{written.rows:,} decisions of {written.matches:,} matches in {arguments['file']}, "
            f"what they are in {dataset.card(arguments['file'])}."
        )


def _needs_research(module: str) -> Any:
    """A module of the environments, which a service has no use for and need not have installed."""
    try:
        return import_module(f"cardroom.research.{module}")
    except ModuleNotFoundError as error:
        raise BadRequest(
            f"This needs {error.name}: pip install 'cardroom[data,research]'."
        ) from None


def _facts(request: SimulationRequest) -> dict[str, str]:
    return {
        "source": f"computers: {', '.join(request.bots)}; every deal from every seat",
        "seed": str(request.seed),
        "options": msgspec.json.encode(request.options).decode(),
    }


def _of_records(game: str) -> Iterator[Any]:
    """Of what anybody may read: ``record_lines`` leaves out the cards that are a secret."""
    public = find_over(user=None, mine=False, game=game).values_list("id", flat=True)
    lines = record_lines(list(public), reader=None)
    records: Iterator[Record] = (read(line) for line in lines)
    readable = _needs_research("dataset").readable(records)
    return (decision for _, decisions in readable for decision in decisions)
