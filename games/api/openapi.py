"""What the OpenAPI document cannot read off the views: the shapes that each game has of its own.

``Match.view``, ``Match.options`` and the events are one of the games'; every game's structs become
components named after it, such as ``<Game>View``, ``<Game>Options`` and ``<Game>Event``.
"""

import re
from typing import Any

import msgspec

from config.api.schema import REF
from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.values import Resigned

_FACTS = {
    "title": "EventFacts",
    "description": "Beside its own fields every event has these. `by` is the seat that moved, null "
    "for the deal; `move` is null where others do not know it.",
    "type": "object",
    "properties": {
        "version": {"type": "integer"},
        "by": {"type": ["integer", "null"]},
        "move": {"type": ["string", "null"]},
        "type": {"type": "string"},
    },
    "required": ["version", "by", "move", "type"],
}


def describe_games(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook."""
    schemas = result["components"]["schemas"]
    for game in catalog.GAMES:
        schemas |= _components(game)
    schemas |= msgspec.json.schema_components([Resigned], ref_template=REF)[1]
    schemas["EventFacts"] = _FACTS
    match = schemas["Match"]["properties"]
    match["view"] = _one_of("View", {"type": "null"})
    match["options"] = _one_of("Options")
    event = _one_of("Event", {"$ref": REF.format(name="Resigned")})
    facts = {"$ref": REF.format(name="EventFacts")}
    schemas["Events"]["properties"]["events"]["items"] = {"allOf": [facts, event]}
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _one_of(what: str, *others: dict[str, Any]) -> dict[str, Any]:
    names = [_prefix(game) + what for game in catalog.GAMES]
    return {"anyOf": [*({"$ref": REF.format(name=name)} for name in names), *others]}


def _components(game: AnyGame) -> dict[str, Any]:
    """The game's structs by name; those not named after it already get its name in front."""
    prefix = _prefix(game)
    (_, _, event), found = msgspec.json.schema_components(
        [game.view_type, game.options, game.events], ref_template=REF.format(name=prefix + "{name}")
    )
    named = {prefix + name: schema for name, schema in found.items()} | {prefix + "Event": event}
    text = re.sub(f"{prefix}{prefix}(?=[A-Z])", prefix, msgspec.json.encode(named).decode())
    components: dict[str, Any] = msgspec.json.decode(text)
    return components


def _prefix(game: AnyGame) -> str:
    return "".join(part.capitalize() for part in game.slug.split("-"))
