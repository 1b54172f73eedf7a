"""``manage.py bot my_bots:careful --game GAME --url … --key …``: a strategy of yours elsewhere."""

import importlib.util
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError

from cardroom.arena.players import find_bot, find_game, is_own
from cardroom.arena.statistics import BadRequest
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Resigned

# A strategy of the arena that plays at another service: it sees its seat's view and events.

CLIENT: Final = Path(__file__).resolve().parents[2] / "static" / "clients" / "cardroom.py"
OF_THE_LOG: Final = ("version", "by", "move")


def client() -> Any:
    """The module of the client that people download; it is part of no package."""
    spec = importlib.util.spec_from_file_location("cardroom", CLIENT)
    if spec is None or spec.loader is None:
        raise ImportError(str(CLIENT))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def games_with(name: str) -> list[str]:
    """The games that have a bot of this name; a strategy of one's own does not say."""
    if is_own(name):
        return []
    return [game.slug for game in catalog.GAMES if _has_bot(game, name)]


def _has_bot(game: AnyGame, name: str) -> bool:
    try:
        find_bot(game, name, custom=True)
    except BadRequest:
        return False
    return True


class RemotePlayer:
    """Chooses the moves of a strategy in the matches of one account."""

    def __init__(self, room: Any, name: str, seed: int) -> None:
        self._room, self._name, self._rng = room, name, Random(seed)

    def choose(self, match: dict[str, Any]) -> str:
        game = find_game(match["game"])
        bot: Bot[Any] = find_bot(game, self._name, custom=True)
        view = msgspec.convert(match["view"], game.view_type)
        return bot.choose(view, self._events(match, game, bot), self._rng)

    def _events(self, match: dict[str, Any], game: AnyGame, bot: Bot[Any]) -> list[Event]:
        """The events up to this match's version, as far back as the bot remembers."""
        if bot.remembers == "nothing":
            return []
        kinds, events, after = game.events | Resigned, list[Event](), -1
        while after < match["version"]:
            page = self._room.events(match["id"], after, limit=100, seat=match["acting_seat"])
            known = [each for each in page["events"] if each["version"] <= match["version"]]
            events += [msgspec.convert(_own(each), kinds) for each in known]
            after += 100
        return list(game.recent_events(events, bot.remembers))


def _own(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in OF_THE_LOG}


MOST_THREADS: Final = 8


class Command(BaseCommand):
    help = (
        "Accepts the challenges and invitations to an account and plays its matches with a "
        "strategy, until it is interrupted; a lost service is sought again. Other games are "
        "declined; a strategy that fails resigns its match. With --owner the account becomes a "
        "bot's, once that person confirms. With --match it plays that one match to its end."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bot", help="your own as module:function, or the name of a bot")
        parser.add_argument("--url", required=True, help="where the service is")
        parser.add_argument("--key", help="of the account; without it a guest is made")
        parser.add_argument(
            "--game",
            action="append",
            choices=[game.slug for game in catalog.GAMES],
            help="a game that it plays, as often as needed; by default all that have this bot",
        )
        parser.add_argument("--match", help="the id of one match to play")
        parser.add_argument(
            "--owner", help="who answers for it: the account becomes a bot's for good"
        )
        parser.add_argument("--description", default="", help="of the bot account")
        parser.add_argument(
            "--at-once", type=int, help="how many matches it plays at a time; by default no limit"
        )
        parser.add_argument("--seed", type=int, default=0, help="of the strategy's chances")

    def handle(self, *args: Any, **arguments: Any) -> None:
        del args
        cardroom = client()
        try:
            self._play(cardroom, arguments)
        except cardroom.Problem as problem:
            raise CommandError(f"{problem.code}: {problem}") from None
        except OSError as error:
            raise CommandError(f"{arguments['url']}: {error}") from None
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")

    def _play(self, cardroom: Any, arguments: dict[str, Any]) -> None:
        url, key = arguments["url"], arguments["key"]
        games = arguments["game"] or games_with(arguments["bot"])
        if not arguments["match"] and not games:
            raise CommandError("Name the games that it plays: --game SLUG")
        room = cardroom.Cardroom(url, key) if key else cardroom.Cardroom.guest(url)
        player = RemotePlayer(room, arguments["bot"], arguments["seed"])
        self.stdout.write(f"{arguments['bot']} plays as {room.me()['username']} at {url}.")
        if arguments["owner"]:
            self._ask(room, games, arguments)
        if not arguments["match"]:
            most = arguments["at_once"]
            threads = min(most or 1, MOST_THREADS)
            room.play_all(player.choose, games, most=most, threads=threads)
        else:
            over = room.play(arguments["match"], player.choose)
            self.stdout.write(f"{over['status']}: {over['outcome']}")

    def _ask(self, room: Any, games: list[str], arguments: dict[str, Any]) -> None:
        """An account that is a bot's already stays as its owner has confirmed it."""
        owner = arguments["owner"]
        if room.me()["is_bot"]:
            return
        plays = [{"game": game} for game in games]
        facts = {"description": arguments["description"], "at_once": arguments["at_once"] or 1}
        room.become_bot(owner, plays=plays, **facts)
        self.stdout.write(f"{owner} is asked to confirm it: on the page /bots, or by the API.")
