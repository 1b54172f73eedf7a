"""``GET games``: the games, with the options as JSON Schema and the bots."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from django.utils.translation import gettext

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.api.operations import Api
from games.api.text import PlainText, lines_of
from games.language import words
from games.matches.seats import offered_bots, offered_presets
from games.ratings.computers import all_ratings
from games.ratings.models import BotRating

api = Api("catalogue")


class Seats(msgspec.Struct, frozen=True):
    min: int
    max: int


class BotRatingJson(msgspec.Struct, frozen=True):
    """From matches of the bots of this service with each other; 1500 is the mean of a game's bots.

    `low` and `high` are a 95 % interval. A difference of 400 means ten wins to one.
    """

    value: float
    low: float
    high: float
    matches: int
    rated_at: datetime


class BotJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    level: int
    rated: bool
    rating: BotRatingJson | None = None


class GameJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    rules_url: str
    seats: Seats
    options: dict[str, Any]
    presets: dict[str, Any]
    bots: list[BotJson]


@api.get("games", scope=None, plain_text=PlainText)
def games() -> list[GameJson]:
    """List the games

    Every game with its options as JSON Schema, its presets and its bots. Needs no key.
    """
    ratings = all_ratings()
    return [_for_reader(game_json(game), ratings) for game in catalog.GAMES]


def _for_reader(game: GameJson, ratings: Mapping[tuple[str, str], BotRating]) -> GameJson:
    """As far as operators offer it."""
    rules = catalog.find(game.slug)
    presets = {name: game.presets[name] for name in offered_presets(rules)}
    offered = {bot.slug for bot in offered_bots(rules)}
    bots = [
        _rated(bot, ratings.get((game.slug, bot.slug))) for bot in game.bots if bot.slug in offered
    ]
    facts = {"name": words(game.name), "summary": words(game.summary), "presets": presets}
    return msgspec.structs.replace(game, bots=bots, **facts)


def _rated(bot: BotJson, row: BotRating | None) -> BotJson:
    bot = msgspec.structs.replace(bot, summary=words(bot.summary))
    if row is None:
        return bot
    rating = BotRatingJson(row.rating, row.low, row.high, row.matches, row.rated_at)
    return msgspec.structs.replace(bot, rating=rating)


@cache
def game_json(game: AnyGame) -> GameJson:
    return GameJson(
        slug=game.slug,
        name=game.name,
        summary=game.summary,
        rules_url=f"/games/{game.slug}/rules",
        seats=Seats(game.min_seats, game.max_seats),
        options=options_schema(game),
        presets={name: msgspec.to_builtins(preset) for name, preset in game.presets.items()},
        bots=[BotJson(b.slug, b.name, b.summary, b.level, b.rated) for b in game.bots],
    )


def options_schema(game: AnyGame) -> dict[str, Any]:
    """The options' JSON Schema, whole in itself: no reference leads out of it."""
    (_,), components = msgspec.json.schema_components([game.options], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = components.pop(game.options.__name__)
    return schema | ({"$defs": components} if components else {})


@lines_of.register(list)
def _(games: list[GameJson], _names: Sequence[str]) -> Iterator[str]:
    for game in games:
        seats = gettext("{least} to {most}").format(least=game.seats.min, most=game.seats.max)
        bots = ", ".join(bot.slug for bot in game.bots)
        yield f"{game.slug}: {gettext(game.name)}. {gettext(game.summary)}"
        yield f"  {gettext('seats'):<10} {seats}"
        yield f"  {gettext('presets'):<10} {', '.join(game.presets) or gettext('none')}"
        yield f"  {gettext('bots'):<10} {bots}"
        yield f"  {gettext('rules'):<10} {game.rules_url}"
