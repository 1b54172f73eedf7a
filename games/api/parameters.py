"""Shorthand for the parameters and answers of a call in the OpenAPI document."""

from collections.abc import Callable
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema

from config.api.schema import refusals
from config.refusals import Refusal
from games.api.schemas.matches import Match
from games.matches.refusals import (
    GameNotInstalled,
    InvitedIsBlocked,
    NoMoreInvitations,
    ProgramDeclines,
    TooManyActiveMatches,
    TooManyInvitations,
    TooManyLobbyTables,
    TooManyOpenings,
    TooManyOpenMatches,
)

TOO_MANY_MATCHES = (
    TooManyLobbyTables,
    TooManyOpenMatches,
    TooManyActiveMatches,
    TooManyInvitations,
    NoMoreInvitations,
    InvitedIsBlocked,
    ProgramDeclines,
    TooManyOpenings,
)
"""The limits that may refuse any call that opens a match."""


def query_parameters(
    shape: type[msgspec.Struct] | None, **headers: dict[str, Any]
) -> list[OpenApiParameter]:
    """The parameters of a query struct, and headers with the bounds of their text."""
    parameters = [
        OpenApiParameter(
            name.replace("_", "-"), {"type": "string", **bounds}, OpenApiParameter.HEADER
        )
        for name, bounds in headers.items()
    ]
    if shape is not None:
        schema = msgspec.json.schema_components([shape])[1][shape.__name__]
        parameters += [
            OpenApiParameter(name, _plain(facts), OpenApiParameter.QUERY)
            for name, facts in schema["properties"].items()
        ]
    return parameters


IDEMPOTENCY_KEY = query_parameters(None, Idempotency_Key={"minLength": 1, "maxLength": 64})
"""Of a call that, sent again with the same key, gives what it made the first time."""


def response_header(header: str, description: str, *statuses: int) -> OpenApiParameter:
    """A header of the answers with these statuses."""
    return OpenApiParameter(
        header,
        str,
        OpenApiParameter.HEADER,
        description=description,
        required=True,
        response=[str(status) for status in statuses],
    )


def match_responses(status: int, *causes: type[Refusal]) -> dict[Any, Any]:
    """A call that answers with the match, and the refusals of its own."""
    return {status: Match, **refusals(*causes, GameNotInstalled)}


def match_action(
    name: str, summary: str, body: type[msgspec.Struct], *causes: type[Refusal], status: int = 200
) -> Callable[..., Any]:
    """A call on a match that answers with the match: its entry in the OpenAPI document."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        tags=["playing"],
        request=body,
        responses=match_responses(status, *causes),
    )


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A query has no null: a parameter without a value is left out."""
    if schema.get("type") == "boolean":
        return {"type": "boolean", "description": "`true` or `1`, `false` or `0`."}
    choices = [s for s in schema.get("anyOf", ()) if s != {"type": "null"}]
    return choices[0] if len(choices) == 1 else {k: v for k, v in schema.items() if k != "default"}
