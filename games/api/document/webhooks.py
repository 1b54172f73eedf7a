"""What programs are called with, in the OpenAPI document (``webhooks``): one for each kind of news.

``accounts.notifications.hooks.posting`` writes the calls; a test holds them to these shapes.
"""

from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from accounts.notifications.kinds import HOOK_NAMES, HookKind
from cardroom.rules import catalog
from config.api.components import REF
from games.api.document.openapi import prefix_of
from games.api.schemas.fields import Status

Schema = dict[str, Any]


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
            "id": {"type": "string", "format": "uuid", "description": "That of the header."},
            "at": {"type": "string", "format": "date-time"},
            "account": {"type": "string", "description": "Whose webhook it is."},
            "data": {"$ref": REF.format(name=FACTS[kind].__name__)},
        },
        "required": ["type", "id", "at", "account", "data"],
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
