"""The OpenAPI document: msgspec structs as its components, problems as its refusals.

Answers of every call (a bad key, a broken body, too many requests, the database away) are added to
each operation here; a view names only its own: `responses={201: Match, **refusals(BadDeck)}`.
"""

from collections import defaultdict
from typing import Any, Final, get_args, get_origin

import msgspec
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from config.api.components import REF
from config.api.pagination import CURSOR_SCHEMA, LIMIT, MOST
from config.api.problems import MEDIA_TYPE
from config.api.refusals import BadKey, BodyTooLarge, Malformed, Unavailable, UnsupportedMediaType
from config.api.scopes import MEANING, Scope, needs_own_key, required_scope
from config.refusals import NotAllowed, NotFound, NotSignedIn, Refusal, TooManyRequests

WITH_BODY: Final = ("POST", "PUT", "PATCH")
_WAIT: Final = {
    "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds.", "required": True}
}
HEADERS: Final = {
    "401": {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}},
    "429": _WAIT,
    "503": _WAIT,
}
PAGE_PARAMETERS: Final = [
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT}),
    OpenApiParameter(
        "cursor",
        {"type": "string", **CURSOR_SCHEMA},
        description="From the `next` of the page before.",
    ),
]


class Problem(msgspec.Struct, frozen=True, rename={"type_": "type"}):
    """RFC 9457; some codes bring further members."""

    type_: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str


def refusals(*causes: type[Refusal]) -> dict[Any, OpenApiResponse]:
    """The responses for these causes, several of one status together."""
    by_status: defaultdict[int, list[str]] = defaultdict(list)
    for cause in causes:
        by_status[cause.status].append(cause.code)
    return {
        (status, MEDIA_TYPE): OpenApiResponse(Problem, ", ".join(f"`{code}`" for code in together))
        for status, together in by_status.items()
    }


def _together(*codes: str) -> str:
    return ", ".join(dict.fromkeys(code for each in codes for code in each.split(", ")))


class CardroomSchema(AutoSchema):
    """Adds to each operation the refusals that any call of its kind may meet."""

    def get_extensions(self) -> dict[str, Any]:
        """For `document`, which leaves them out."""
        has_text = getattr(self.view, "plain_text", None) is not None
        facts = {"x-plain-text": has_text, "x-own-key": needs_own_key(self.view, self.method)}
        return {name: True for name, holds in facts.items() if holds}

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        answers: dict[str, Any] = super()._get_response_bodies(direction)
        for (status, *media), answer in refusals(*self._common()).items():
            own = answers.get(str(status))
            if own is not None:
                own["description"] = _together(own["description"], str(answer.description))
            else:
                answers[str(status)] = self._get_response_for_code(
                    answer, str(status), media, direction
                )
        for status, headers in HEADERS.items():
            if status in answers:
                answers[status]["headers"] = headers
        return answers

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: Any = None,
        direction: Any = "response",
    ) -> Any:
        if get_origin(serializer) is list:  # of structs, which drf-spectacular cannot read itself
            (struct,) = get_args(serializer)
            component = self.resolve_serializer(struct, direction)
            serializer = {"type": "array", "items": component.ref}
        return super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, media_types, direction
        )

    def _common(self) -> list[type[Refusal]]:
        causes: list[type[Refusal]] = [TooManyRequests, Unavailable]
        if self.view.get_authenticators():
            causes += [BadKey, NotSignedIn, Refusal.by_code["suspended"]]
            if self.method != "GET" or required_scope(self.view, self.method):
                causes.append(NotAllowed)  # a session without its CSRF token, a key without scope
        if self.method in WITH_BODY:
            causes += [Malformed, BodyTooLarge, UnsupportedMediaType]
        elif self.get_override_parameters():
            causes.append(Malformed)
        if "{" in self.path:
            causes.append(NotFound)
        return causes


def by_key(scope: Scope | None) -> list[dict[str, list[str]]]:
    """What a call needs of a caller with a key, or of a connected program."""
    return [{"key": []}, {"oauth2": [scope] if scope else []}]


class StructExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A struct is its own schema; the structs within it become components of their own."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self) -> str:  # type: ignore[override]  # called with what it names
        return str(self.target.__name__)

    def get_identity(self, _auto_schema: AutoSchema, _direction: str) -> bytes:
        """Two structs of one name are the same if their schemas are."""
        return msgspec.json.encode(components_of(self.target)[self.target.__name__])

    def map_serializer(self, auto_schema: AutoSchema, _direction: str) -> dict[str, Any]:
        components = components_of(self.target)
        own = components.pop(self.target.__name__)
        for name, schema in components.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=name,
                    type=ResolvedComponent.SCHEMA,
                    object=msgspec.json.encode(schema),
                    schema=schema,
                )
            )
        return own


def components_of(struct: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """The schemas of a struct; its ``bounds`` are added, for rules that concern several fields."""
    _, components = msgspec.json.schema_components([struct], ref_template=REF)
    components[struct.__name__] |= getattr(struct, "bounds", {})
    return components


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A key of one's own, or the token of a connected program: the same header, the same scopes."""

    target_class = "accounts.api.authentication.KeyAuthentication"
    match_subclasses = True
    name = ["key", "oauth2"]  # noqa: RUF012 - as the library reads it

    def get_security_definition(self, _auto_schema: AutoSchema) -> list[dict[str, Any]]:
        scopes = dict(MEANING)
        of_a_key = "; ".join(f"`{scope}`: {meaning}" for scope, meaning in scopes.items())
        at = {"authorizationUrl": "/oauth/authorize", "tokenUrl": "/oauth/token"}
        flow = at | {"refreshUrl": "/oauth/token", "scopes": scopes}
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "`Authorization: Bearer <key>`, or `Token <key>`. A key has scopes: "
                + of_a_key,
            },
            {
                "type": "oauth2",
                "description": "A program that its user has connected (OAuth 2.1 with PKCE).",
                "flows": {"authorizationCode": flow},
            },
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[str]]]:
        return by_key(required_scope(auto_schema.view, auto_schema.method))
