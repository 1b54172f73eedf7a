"""The part of the OpenAPI document that the views do not state: the structs of each game.

The structs of a game become components named after it, such as ``FivesView`` of a game Fives.
A match, the request for a new one and its events have a schema for each game, by ``game``.
"""

import re
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from accounts.notifications.channels import event_names
from accounts.notifications.models import HOOK_NAMES, HookKind
from cardroom.arena.statistics import measure_names
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from cardroom.rules.values import Resigned, RolledBack
from config.api.components import REF
from config.api.document import operations
from config.api.scopes import SCOPES
from games.api.bodies import Status
from games.api.streams import (
    FRIEND_MEANING,
    MEANING,
    OF_AN_INVITATION,
    OF_EVERY_NEWS,
    AccountNews,
    AnalysisMessage,
    FriendMessage,
    MovesMessage,
    NoticeMessage,
    TournamentMessage,
)
from games.live.listener import EVENTS
from games.live.news import WAITING
from games.lobby.challenges import Reason
from games.matches.seats import Visibility
from games.spoken import SaidMessage

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
    _stream_of_an_account(schemas)
    _events_of_streams(result)
    schemas |= {name: {"enum": sorted(choices)} for name, choices in CHOICES.items()}
    result["components"]["schemas"] = {
        name: schema if name in CHOICES else _with_choices(schema)
        for name, schema in schemas.items()
    }
    return result


def prefix_of(game: AnyGame) -> str:
    """The beginning of the names of a game's components: ``GinRummy`` for ``gin-rummy``."""
    return "".join(part.capitalize() for part in game.slug.split("-"))


def _components(game: AnyGame) -> dict[str, Schema]:
    """The game's structs by name; the name of the game comes first in each."""
    prefix = prefix_of(game)
    (_, _, event), schemas = msgspec.json.schema_components(
        [game.view_type, game.options, game.events], ref_template=REF.format(name=prefix + "{name}")
    )
    named = {prefix + name: schema for name, schema in schemas.items()} | {prefix + "Event": event}
    text = re.sub(f"{prefix}{prefix}(?=[A-Z])", prefix, msgspec.json.encode(named).decode())
    components: dict[str, Schema] = msgspec.json.decode(text)
    options = components[f"{prefix}Options"]
    choices = {"description": f"The options of {game.name}; one left out has its default."}
    components[f"{prefix}OptionChoices"] = (
        msgspec.json.decode(msgspec.json.encode(options)) | choices
    )
    return components | _events_with_facts(components, prefix)


def _events_with_facts(components: dict[str, Schema], prefix: str) -> dict[str, Schema]:
    """The events with the fields that the log adds to each of them."""
    union = components[f"{prefix}Event"]
    by_type = union.get("discriminator", {}).get("mapping")
    by_type = by_type or {_tag(components, union): union["$ref"]}
    names = [reference.rpartition("/")[2] for reference in by_type.values()]
    by_type = by_type | {tag: REF.format(name=name) for tag, name in COMMON_EVENTS.items()}
    events = {name: _with_facts(components[name]) for name in names}
    return events | {f"{prefix}Event": _one_of("type", by_type)}


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
    """Splits one schema into one for each game; ``game`` says which."""
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
    """The messages of a match's stream, split by ``type`` and then by ``game``.

    The first has no ``discriminator``: generators want objects behind one.
    """
    general, kinds = schemas["MatchMessage"], []
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
        kinds.append(_ref(name))
    kinds.append(_ref(_component(schemas, SaidMessage)))
    schemas["MatchMessage"] = {"oneOf": kinds}


def _stream_of_an_account(schemas: dict[str, Schema]) -> None:
    """The messages of an account's stream: its beginning, and a component for each type of news."""
    _, components = msgspec.json.schema_components([AccountNews], ref_template=REF)
    fields = components.pop("AccountNews")["properties"]
    schemas |= components
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
    by_type |= _news_of_friends(schemas)
    by_type["analysed"] = REF.format(name=_component(schemas, AnalysisMessage))
    by_type["notice"] = REF.format(name=_component(schemas, NoticeMessage))
    by_type["tournament"] = REF.format(name=_component(schemas, TournamentMessage))
    moves = msgspec.json.schema_components([MovesMessage], ref_template=REF)[1]["MovesMessage"]
    events = [_ref(f"{prefix_of(game)}Event") for game in catalog.GAMES]
    moves["properties"]["events"]["items"] = {"anyOf": events}
    schemas["MovesMessage"] = moves
    by_type["moves"] = REF.format(name="MovesMessage")
    by_type["hello"] = REF.format(name="AccountHello")
    schemas["AccountMessage"] = _one_of("type", by_type)


def _events_of_streams(result: Schema) -> None:
    """The text of a stream of events holds the messages that the other form has as lines."""
    for _path, _method, operation in operations(result):
        for answer in operation["responses"].values():
            schema = answer.get("content", {}).get(EVENTS.content_type, {}).get("schema", {})
            if name := schema.pop("x-message", None):
                schema |= {"contentMediaType": "application/json", "contentSchema": _ref(name)}


def _news_of_friends(schemas: dict[str, Schema]) -> dict[str, str]:
    """A component for each type of news of friends, and where each is found."""
    general = schemas.pop(_component(schemas, FriendMessage))
    by_type: dict[str, str] = {}
    for kind, meaning in FRIEND_MEANING.items():
        properties = general["properties"] | {"type": {"enum": [kind]}}
        name = "".join(part.capitalize() for part in kind.split("_")) + "News"
        schemas[name] = general | {"properties": properties, "description": meaning}
        by_type[kind] = REF.format(name=name)
    return by_type


def _component(schemas: dict[str, Schema], struct: type[msgspec.Struct]) -> str:
    """Adds a struct to the components and names it."""
    _, components = msgspec.json.schema_components([struct], ref_template=REF)
    schemas |= components
    return struct.__name__


def _always(field: Schema) -> Schema:
    """A field that is always present needs no default."""
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
    changed = {key: _with_choices(each) for key, each in value.items()}
    for name, choices in CHOICES.items():
        if changed.get("enum") == sorted(choices):
            return {key: each for key, each in changed.items() if key != "enum"} | _ref(name)
    return changed


def _ref(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


def _one_of(field: str, by_value: dict[str, str]) -> Schema:
    references = [{"$ref": reference} for reference in dict.fromkeys(by_value.values())]
    return {
        "oneOf": references,
        "discriminator": {"propertyName": field, "mapping": by_value},
    }


class _AtAGame(msgspec.Struct, frozen=True, kw_only=True):
    """``url`` is that of a page to open."""

    game: str
    game_name: str
    url: str


class YourTurnFacts(_AtAGame, frozen=True, kw_only=True):
    """You are to act at this version; ``deadline_at`` is null without a clock."""

    match: UUID
    version: int
    seat: int
    deadline_at: datetime | None


class InvitationFacts(_AtAGame, frozen=True, kw_only=True):
    """A seat is kept for you. ``person`` is the username of who invites you, null if erased."""

    match: UUID
    seat: int
    person: str | None
    what: Literal["match", "rematch"]


class ChallengeFacts(InvitationFacts, frozen=True, kw_only=True):
    """Somebody challenges you on these terms: ``POST challenges/<challenge>/accept``."""

    challenge: UUID


class ResultFacts(_AtAGame, frozen=True, kw_only=True):
    """A match that you played is over."""

    match: UUID
    version: int
    seat: int
    what: Literal["won", "lost", "drawn"]


class FriendFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asks to be your friend, or has accepted; null if erased."""

    person: str | None
    what: Literal["asked", "accepted"]
    url: str


class TournamentFacts(_AtAGame, frozen=True, kw_only=True):
    """A round has begun, and a board waits for you."""

    tournament: UUID
    tournament_name: str
    round: int


class LeagueFacts(_AtAGame, frozen=True, kw_only=True):
    """A week is over in which you played."""

    what: Literal["up", "stays", "down"]


class OperatorFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The operators have written to you, or to all at a match, which is named then."""

    text: str
    url: str
    match: UUID | UnsetType = UNSET
    game: str | UnsetType = UNSET
    game_name: str | UnsetType = UNSET
    what: Literal["match"] | UnsetType = UNSET


class MatchFacts(_AtAGame, frozen=True, kw_only=True):
    """What happened after one version up to the other, as you may know it now."""

    match: UUID
    after: int
    version: int
    status: Status | UnsetType = UNSET
    events: list[dict[str, Any]]


class PingFacts(msgspec.Struct, frozen=True, kw_only=True):
    """You have asked for a test call; ``url`` is the page of the webhook."""

    url: str


FACTS: Final[dict[HookKind, type[msgspec.Struct]]] = {
    "your_turn": YourTurnFacts,
    "invitation": InvitationFacts,
    "challenge": ChallengeFacts,
    "result": ResultFacts,
    "friend": FriendFacts,
    "tournament": TournamentFacts,
    "league": LeagueFacts,
    "operator": OperatorFacts,
    "match": MatchFacts,
    "ping": PingFacts,
}
_HEADERS: Final = {
    "webhook-id": "Of the delivery; the same when it is repeated.",
    "webhook-timestamp": "Seconds since 1970 at this call.",
    "webhook-signature": "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several "
    "with spaces.",
}


def describe_webhooks(result: Schema, **_: Any) -> Schema:
    """drf-spectacular's postprocessing hook, before the games have their components."""
    schemas = result["components"]["schemas"]
    schemas |= msgspec.json.schema_components(FACTS.values(), ref_template=REF)[1]
    events = [{"$ref": REF.format(name=f"{prefix_of(game)}Event")} for game in catalog.GAMES]
    schemas["MatchFacts"]["properties"]["events"]["items"] = {"anyOf": events}
    result["webhooks"] = {kind: {"post": _call(schemas, kind)} for kind in FACTS}
    return result


def _call(schemas: Schema, kind: HookKind) -> Schema:
    name = FACTS[kind].__name__.removesuffix("Facts") + "Call"
    schemas[name] = {
        "type": "object",
        "description": f"{HOOK_NAMES[kind]}.",
        "properties": {
            "type": {"enum": [kind]},
            "event": {
                "enum": event_names(kind),
                "description": "The name of such news in the stream of the account.",
            },
            "id": {"type": "string", "format": "uuid", "description": "That of the header."},
            "at": {"type": "string", "format": "date-time"},
            "account": {"type": "string", "description": "Whose webhook it is."},
            "data": {"$ref": REF.format(name=FACTS[kind].__name__)},
        },
        "required": ["type", "event", "id", "at", "account", "data"],
    }
    text = {"schema": {"type": "string"}, "required": True}
    headers = [
        {"name": header, "in": "header", "description": meaning} | text
        for header, meaning in _HEADERS.items()
    ]
    body = {"application/json": {"schema": {"$ref": REF.format(name=name)}}}
    return {
        "operationId": f"webhook_{kind}",
        "summary": str(HOOK_NAMES[kind]),
        "description": f"A call of the kind `{kind}`, to a webhook that was registered for it.",
        "tags": ["webhooks"],
        "security": [],
        "parameters": headers,
        "requestBody": {"required": True, "content": body},
        "responses": {
            "2XX": {"description": "Taken. It is not sent again."},
            "410": {"description": "The webhook is turned off."},
            "default": {"description": "A failure: it is sent again later."},
        },
    }
