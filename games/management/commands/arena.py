"""``manage.py arena GAME BOT BOT --matches 2000``: strategies against each other."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.core.management.base import BaseCommand

from cardroom.arena import ranking
from cardroom.arena.figures import Figures, merge
from cardroom.arena.players import choose_options, find_game
from cardroom.arena.ranking import (
    Contest,
    Tournament,
    openskill_ratings,
    pairings,
    ratings,
)
from cardroom.arena.request import SimulationRequest, describe, run_recorded, run_timed, series
from cardroom.arena.series import Clock, MatchRecord, read_number, replay, tell
from cardroom.arena.statistics import BadRequest
from games.management import terminal

Recorded = tuple[Figures, dict[str, Clock], list[MatchRecord]]


class Played(NamedTuple):
    contest: Contest
    records: Sequence[MatchRecord]  # empty unless they are written to a folder


class Command(BaseCommand):
    help = (
        "Plays bots against each other. Every sequence of decks is played once with every rotation "
        "of the seats. The last bot named takes the seats that are left, so that 'ONE OTHER "
        "--players 4' is one against three; in teams each name stands for a side. With more bots "
        "than seats they play a round robin and are rated."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        terminal.add_arguments(parser)
        parser.add_argument(
            "bots",
            nargs="+",
            help="names of bots, your own as module:function, or trained:FILE for what a training "
            "of cardroom.research wrote",
        )
        parser.add_argument("--matches", type=int, default=1000, help="matches a pairing")
        parser.add_argument(
            "--round-robin", action="store_true", help="pair the bots though they have seats enough"
        )
        parser.add_argument(
            "--as-seated", action="store_true", help="let every bot keep the seat it is named for"
        )
        parser.add_argument(
            "--side-deck",
            action="append",
            default=[],
            metavar="CARDS",
            help="what a bot brings, cards with commas between; once for each bot, in their order",
        )
        terminal.add_luck_arguments(parser)
        parser.add_argument(
            "--out", type=Path, help="folder for JSON, CSV, a line of JSON a match, and a picture"
        )
        parser.add_argument(
            "--resume",
            action="store_true",
            help="go on with what an earlier command wrote into the folder of --out; name its "
            "--seed again",
        )
        parser.add_argument(
            "--replay", metavar="SEED:NUMBER", help="play one match again and print its record"
        )
        parser.add_argument("--show", action="store_true", help="print the match in words instead")

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        with terminal.plain_errors():
            if arguments["replay"] is not None:
                self.replay(arguments)
            elif arguments["show"]:
                raise BadRequest("--show goes with --replay SEED:NUMBER.")
            elif arguments["aivat"]:
                self.without_luck(arguments)
            else:
                if arguments["resume"] and (arguments["out"] is None or arguments["seed"] is None):
                    raise BadRequest(
                        "--resume goes with the --out and the --seed of the command it goes on."
                    )
                self.compete(arguments)

    def without_luck(self, arguments: dict[str, Any]) -> None:
        if arguments["out"] is not None or arguments["resume"]:
            raise BadRequest("--aivat writes nothing; leave --out and --resume away.")
        seed, jobs = terminal.chosen_seed(arguments), terminal.chosen_jobs(arguments)
        screens = terminal.console(self.stderr), terminal.console(self.stdout)
        for bots in _seatings(arguments):
            request = _request(arguments, bots, seed)
            seat, value = not request.swap, arguments["value"]
            terminal.show_luck(request, jobs, *screens, by_seat=seat, value=value)

    def replay(self, arguments: dict[str, Any]) -> None:
        seed, number = read_number(arguments["replay"])
        seatings = _seatings(arguments)
        if len(seatings) > 1:
            raise BadRequest("Name only the bots that played this match.")
        matches = series(_request(arguments, seatings[0], seed), custom=True)
        if arguments["show"]:
            for line in tell(matches, number):
                self.stdout.write(line)
        else:
            self.stdout.write(msgspec.json.encode(replay(matches, number)).decode())

    def compete(self, arguments: dict[str, Any]) -> None:
        seed, jobs = terminal.chosen_seed(arguments), terminal.chosen_jobs(arguments)
        seatings = _seatings(arguments)
        requests = [_request(arguments, bots, seed) for bots in seatings]
        folder: Path | None = arguments["out"]
        if folder is not None:
            terminal.begin(folder, resume=arguments["resume"])
        played = [self.contest(request, jobs, folder) for request in requests]
        tournament = Tournament(tuple(each.contest for each in played))
        if len(played) > 1:
            tournament = _rated(tournament, seatings, seed)
            table = terminal.ranking_table(tournament)
            terminal.print_table(terminal.console(self.stdout), table)
        if folder is not None:
            self.save(tournament, [each.records for each in played], folder)
            terminal.end(folder)

    def contest(self, request: SimulationRequest, jobs: int, folder: Path | None) -> Played:
        label = " – ".join(dict.fromkeys(request.bots))
        screen = terminal.console(self.stderr)
        records: list[MatchRecord] = []
        if folder is not None:
            journal = terminal.Journal[Recorded](folder, request, Recorded)
            recorded, rate = terminal.play(
                request, run_recorded, jobs, label=label, screen=screen, journal=journal
            )
            parts = [(figures, clocks) for figures, clocks, _ in recorded]
            records = sorted((r for *_, part in recorded for r in part), key=lambda r: r.number)
        else:
            parts, rate = terminal.play(request, run_timed, jobs, label=label, screen=screen)
        contest = ranking.contest(request, merge(figures for figures, _ in parts))
        clocks = _added(clock for _, clock in parts)
        out = terminal.console(self.stdout)
        terminal.print_table(out, terminal.results_table(contest, clocks))
        out.print(terminal.results_footing(contest, rate), style="dim", soft_wrap=True)
        return Played(contest, records)

    def save(
        self, tournament: Tournament, records: Sequence[Sequence[MatchRecord]], folder: Path
    ) -> None:
        """The figures first: they are worth having even if the picture cannot be drawn."""
        written = ranking.write(tournament, records, folder)
        try:
            if tournament.ratings:
                path, even = folder / ranking.NAME, _even_share(tournament.contests[0])
                drawn = ranking.draw(tournament.ranking, tournament.ratings, path, even)
                written += (drawn,)
        finally:
            for path in written:
                terminal.console(self.stdout).print(f"wrote {path}", soft_wrap=True)


def _even_share(contest: Contest) -> float:
    """The score of each if they were all as strong."""
    game = find_game(contest.simulation.game)
    return 1 / len(game.sides_of(choose_options(game, contest.simulation.options)))


def _seatings(arguments: dict[str, Any]) -> Sequence[tuple[str, ...]]:
    """One seating of the bots as named, or the pairings of a round robin."""
    game = find_game(arguments["game"])
    options = choose_options(
        game, terminal.chosen_options(arguments, "players"), arguments["preset"]
    )
    seats, bots = game.seats(options), tuple(arguments["bots"])
    if arguments["round_robin"] or len(bots) > seats:
        return pairings(bots, len(game.sides_of(options)))
    return (bots,)


def _request(arguments: dict[str, Any], bots: tuple[str, ...], seed: int) -> SimulationRequest:
    return describe(
        arguments["game"],
        values=terminal.chosen_options(arguments, "players"),
        preset=arguments["preset"],
        bots=bots,
        games=arguments["matches"],
        seed=seed,
        swap=not arguments["as_seated"],
        side_decks=tuple(
            tuple(card.strip() for card in cards.split(",")) for cards in arguments["side_deck"]
        ),
        custom=True,
    )


def _rated(tournament: Tournament, seatings: Sequence[tuple[str, ...]], seed: int) -> Tournament:
    figures = (contest.figures for contest in tournament.contests)
    results = dict(zip(seatings, figures, strict=True))
    return Tournament(
        tournament.contests,
        ranking.ranking(results),
        ratings(results, seed),
        openskill_ratings(results, seed),
    )


def _added(parts: Iterable[Mapping[str, Clock]]) -> dict[str, Clock]:
    total: dict[str, Clock] = {}
    for part in parts:
        for bot, clock in part.items():
            known = total.setdefault(bot, Clock())
            known.moves += clock.moves
            known.nanoseconds += clock.nanoseconds
    return total
