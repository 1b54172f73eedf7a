"""``GET games``: the games, with the options as JSON Schema and the bots."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from games.api.schemas.catalog import BotJson, BotRatingJson, GameJson, Seats
from games.api.text.plain_text import PlainText
from games.language import words
from games.ratings.models import BotRating
from games.ratings.selectors import all_ratings


class Games(APIView):
    plain_text = PlainText
    read_scope = None
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="games",
        summary="List the games",
        tags=["catalogue"],
        responses={200: list[GameJson]},
    )
    def get(self, request: Request) -> Response:
        """Every game with its options as JSON Schema, its presets and its bots. Needs no key."""
        ratings = all_ratings()
        return Response([_for_reader(game_json(game), ratings) for game in catalog.GAMES])


def _for_reader(game: GameJson, ratings: Mapping[tuple[str, str], BotRating]) -> GameJson:
    bots = [_rated(bot, ratings.get((game.slug, bot.slug))) for bot in game.bots]
    name, summary = words(game.name), words(game.summary)
    return msgspec.structs.replace(game, name=name, summary=summary, bots=bots)


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
