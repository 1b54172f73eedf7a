"""What the OpenAPI document cannot read off the views: the shapes that each game has of its own.

The structs of a game become components named after it, such as ``FivesView`` of a game Fives.
A match, the request for a new one and its events are one schema a game, told apart by ``game``.
"""

import re
from typing import Any, Final, get_args

import msgspec

from config.api.components import REF
from config.api.document import operations
from config.api.scopes import SCOPES
from games.api.schemas.fields import Reason, Status, Visibility
from games.api.schemas.streams import MEANING, OF_AN_INVITATION, OF_EVERY_NEWS, AccountNews
from games.arena.measures import measure_names
from games.live.encodings import EVENTS
from games.live.news import WAITING
from games.rules import catalog
from games.rules.game import AnyGame
from games.rules.values import Resigned, RolledBack

Schema = dict[str, Any]
COMMON_EVENTS: Final = {"resigned": "Resigned", "rolled_back": "RolledBack"}
CHOICES: Final = {
    "MatchStatus": get_args(Status),
    "Visibility": get_args(Visibility),
    "DeclineReason": get_args(Reason),
    "Scope": SCOPES,
}
MATCH_MESSAGES: Final = (
    (
        "match",
        "MatchNews",
        "The match changed. `match` is null only while catching up.",
    ),
    ("end", "MatchEnd", "The match is over, finished or aborted, and nothing follows."),
)
EVENT_FACTS: Final[Schema] = {
    "version": {"type": "integer", "description": "The version that the move made."},
    "by": {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "description": "The seat that moved; null for the deal.",
    },
    "move": {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "The move; null for the deal and where others do not know it.",
    },
}


def describe_games(result: Schema, **_: Any) -> Schema:
    """drf-spectacular's postprocessing hook."""
    schemas = result["components"]["schemas"]
    common = msgspec.json.schema_components([Resigned, RolledBack], ref_template=REF)[1]
    schemas |= {name: _with_facts(common[name]) for name in COMMON_EVENTS.values()}
    for game in catalog.GAMES:
        schemas |= _components(game)
    for name in ("Match", "NewMatch", "Events", "NewSimulation"):
        _one_a_game(schemas, name)
    _simulation_of_each_game(schemas)
    _stream_of_each_game(schemas)
    _told_by_type(schemas)
    _events_of_streams(result)
    schemas |= {name: {"enum": sorted(choices)} for name, choices in CHOICES.items()}
    result["components"]["schemas"] = {
        name: schema if name in CHOICES else _with_choices(schema)
        for name, schema in schemas.items()
    }
    return result


def prefix_of(game: AnyGame) -> str:
    """What the names of a game's components begin with: ``GinRummy`` for ``gin-rummy``."""
    return "".join(part.capitalize() for part in game.slug.split("-"))


def _components(game: AnyGame) -> dict[str, Schema]:
    """The game's structs by name; those not named after it already get its name in front."""
    prefix = prefix_of(game)
    (_, _, event), found = msgspec.json.schema_components(
        [game.view_type, game.options, game.events], ref_template=REF.format(name=prefix + "{name}")
    )
    named = {prefix + name: schema for name, schema in found.items()} | {prefix + "Event": event}
    text = re.sub(f"{prefix}{prefix}(?=[A-Z])", prefix, msgspec.json.encode(named).decode())
    components: dict[str, Schema] = msgspec.json.decode(text)
    options = components[f"{prefix}Options"]
    choices = {"description": f"The options of {game.name}; one left out has its default."}
    components[f"{prefix}OptionChoices"] = (
        msgspec.json.decode(msgspec.json.encode(options)) | choices
    )
    return components | _told(components, prefix)


def _told(components: dict[str, Schema], prefix: str) -> dict[str, Schema]:
    """The events with what the log adds to each of them."""
    union = components[f"{prefix}Event"]
    told = union.get("discriminator", {}).get("mapping") or {_tag(components, union): union["$ref"]}
    names = [reference.rpartition("/")[2] for reference in told.values()]
    told = told | {tag: REF.format(name=name) for tag, name in COMMON_EVENTS.items()}
    events = {name: _with_facts(components[name]) for name in names}
    return events | {f"{prefix}Event": _one_of("type", told)}


def _tag(components: dict[str, Schema], union: Schema) -> str:
    name = union["$ref"].rpartition("/")[2]
    (tag,) = components[name]["properties"]["type"]["enum"]
    return str(tag)


def _with_facts(event: Schema) -> Schema:
    return event | {
        "properties": EVENT_FACTS | event["properties"],
        "required": [*EVENT_FACTS, *event["required"]],
    }


def _one_a_game(schemas: dict[str, Schema], name: str) -> None:
    """One schema becomes one for each game, told apart by ``game``."""
    general, by_game = schemas[name], {}
    for game in catalog.GAMES:
        own = _name_of(name, prefix_of(game))
        properties = general["properties"] | _own_properties(name, game, general["properties"])
        schemas[own] = general | {"properties": properties, "title": own}
        by_game[game.slug] = REF.format(name=own)
    schemas[name] = _one_of("game", by_game)


def _simulation_of_each_game(schemas: dict[str, Schema]) -> None:
    """A simulation with the options of its game, and a report with what is counted in it."""
    by_game = {}
    for game in catalog.GAMES:
        prefix, names = prefix_of(game), measure_names(game)
        slug = {"game": {"enum": [game.slug]}}
        own: dict[str, Schema] = {
            "SimulationRequest": slug | {"options": _ref(f"{prefix}Options")},
            "Summary": {"measures": _ref(f"{prefix}Measures")},
            "Report": {
                "simulation": _ref(f"{prefix}SimulationRequest"),
                "summary": _ref(f"{prefix}Summary"),
            },
            "SimulationJson": slug
            | {
                "request": _ref(f"{prefix}SimulationRequest"),
                "report": {"anyOf": [_ref(f"{prefix}Report"), {"type": "null"}]},
            },
        }
        schemas[f"{prefix}Measures"] = {
            "description": f"What is counted in a match of {game.name}.",
            "type": "object",
            "properties": {name: _ref("Distribution") for name in names},
            "required": list(names),
        }
        for name, properties in own.items():
            general = schemas[name]
            schemas[prefix + name] = general | {"properties": general["properties"] | properties}
        by_game[game.slug] = REF.format(name=f"{prefix}SimulationJson")
    schemas["SimulationJson"] = _one_of("game", by_game)


def _stream_of_each_game(schemas: dict[str, Schema]) -> None:
    """The messages of a match's stream, told apart by ``type`` and then by ``game``.

    The first has no ``discriminator``: generators want objects behind one.
    """
    general, found = schemas["MatchMessage"], []
    for kind, name, meaning in MATCH_MESSAGES:
        by_game = {}
        for game in catalog.GAMES:
            prefix = prefix_of(game)
            match = {"anyOf": [_ref(prefix + "Match"), {"type": "null"}]}
            own = {
                "type": {"enum": [kind]},
                "game": {"enum": [game.slug]},
                "events": {"type": "array", "items": _ref(prefix + "Event")},
                "match": match if kind == "match" else _ref(prefix + "Match"),
            }
            properties = general["properties"] | own
            schemas[prefix + name] = general | {"properties": properties, "description": meaning}
            by_game[game.slug] = REF.format(name=prefix + name)
        schemas[name] = _one_of("game", by_game)
        found.append(_ref(name))
    schemas["MatchMessage"] = {"oneOf": found}


def _told_by_type(schemas: dict[str, Schema]) -> None:
    """The messages of an account's stream: its beginning, and a component for each type of news."""
    _, found = msgspec.json.schema_components([AccountNews], ref_template=REF)
    fields = found["AccountNews"]["properties"]
    by_type: dict[str, str] = {}
    waiting: dict[str, str] = {}
    for kind, meaning in MEANING.items():
        named = [*OF_EVERY_NEWS, *OF_AN_INVITATION.get(kind, ())]
        own = {name: _always(fields[name]) for name in named} | {"type": {"enum": [kind]}}
        name = "".join(part.capitalize() for part in kind.split("_")) + "News"
        news: Schema = {"type": "object", "description": meaning, "properties": own}
        if kind in WAITING:
            schemas[f"Waiting{name}"] = news | {"required": named}
            waiting[kind] = REF.format(name=f"Waiting{name}")
        with_id = {"properties": own | {"id": fields["id"]}, "required": [*named, "id"]}
        schemas[name] = news | with_id
        by_type[kind] = REF.format(name=name)
    schemas["WaitingNews"] = _one_of("type", waiting)
    schemas["AccountHello"] = {
        "type": "object",
        "description": "The first message: the news that waits for you to act.",
        "properties": {
            "type": {"enum": ["hello"]},
            "id": fields["id"],
            "waiting": {"type": "array", "items": _ref("WaitingNews")},
        },
        "required": ["type", "id", "waiting"],
    }
    by_type["hello"] = REF.format(name="AccountHello")
    schemas["AccountMessage"] = _one_of("type", by_type)


def _events_of_streams(result: Schema) -> None:
    """The text of a stream of events holds the messages that the other form has as lines."""
    for _path, _method, operation in operations(result):
        for answer in operation["responses"].values():
            schema = answer.get("content", {}).get(EVENTS.content_type, {}).get("schema", {})
            if name := schema.pop("x-message", None):
                schema |= {"contentMediaType": "application/json", "contentSchema": _ref(name)}


def _always(field: Schema) -> Schema:
    """A field that is always there needs no default."""
    return {key: value for key, value in field.items() if key != "default"}


def _name_of(name: str, prefix: str) -> str:
    """``FivesMatch``, ``NewFivesMatch``."""
    return f"New{prefix}{name.removeprefix('New')}" if name.startswith("New") else prefix + name


def _counts(name: str, general: Schema, game: AnyGame) -> Schema:
    """How many seats, or bots for them, the game has."""
    if name == "NewMatch":
        return {
            "seats": general["seats"] | {"minItems": game.min_seats, "maxItems": game.max_seats}
        }
    return {"bots": general["bots"] | {"maxItems": game.max_seats}}


def _own_properties(name: str, game: AnyGame, general: Schema) -> Schema:
    prefix, slug = prefix_of(game), {"game": {"enum": [game.slug]}}
    null = {"type": "null"}
    match name:
        case "Match":
            view = {"anyOf": [_ref(prefix + "View"), null]}
            return slug | {"options": _ref(prefix + "Options"), "view": view}
        case "NewMatch" | "NewSimulation":
            presets: Schema = {"anyOf": [{"enum": list(game.presets)}, null], "default": None}
            options = {"anyOf": [_ref(prefix + "OptionChoices"), null], "default": None}
            own = slug | {"options": options} | ({"preset": presets} if game.presets else {})
            return own | _counts(name, general, game)
    return slug | {"events": {"type": "array", "items": _ref(prefix + "Event")}}


def _with_choices(value: Any) -> Any:
    """The part of the document with a reference for each enumeration that has a name."""
    if isinstance(value, list):
        return [_with_choices(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: _with_choices(each) for key, each in value.items()}
    for name, choices in CHOICES.items():
        if found.get("enum") == sorted(choices):
            return {key: each for key, each in found.items() if key != "enum"} | _ref(name)
    return found


def _ref(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def _one_of(told_by: str, by_value: dict[str, str]) -> Schema:
    references = [{"$ref": reference} for reference in dict.fromkeys(by_value.values())]
    return {
        "oneOf": references,
        "discriminator": {"propertyName": told_by, "mapping": by_value},
    }
