"""A strategy of the arena that plays at another service: it sees its seat's view and events."""

import importlib.util
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from cardroom.arena.errors import BadRequest
from cardroom.arena.players.names import find_bot, find_game, is_own
from cardroom.rules import catalog
from cardroom.rules.bot import Bot
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Event, Resigned

CLIENT: Final = Path(__file__).resolve().parent.parent / "static" / "clients" / "cardroom.py"
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
