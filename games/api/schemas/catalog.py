"""The games of the catalogue as JSON."""

from datetime import datetime
from typing import Any

import msgspec


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
