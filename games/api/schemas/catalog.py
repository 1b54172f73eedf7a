"""The games of the catalogue as JSON."""

from typing import Any

import msgspec


class Seats(msgspec.Struct, frozen=True):
    min: int
    max: int


class BotJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    level: int
    rated: bool


class GameJson(msgspec.Struct, frozen=True):
    slug: str
    name: str
    summary: str
    rules_url: str
    seats: Seats
    options: dict[str, Any]
    presets: dict[str, Any]
    bots: list[BotJson]
