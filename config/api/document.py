"""The last steps on the OpenAPI document: changes that generators of clients and linters need.

- A component has one name, without the suffix of its struct (``SeatJson`` is ``Seat``) where no
  other has that name, and that is its only title: generators name their classes by titles.
- A tuple is an array of a fixed length; a type with one value is a constant; patterns are those of
  JavaScript.
- A field of a request that may be left out says its ``default``. In an answer such a field is
  always there, and has none.
"""

import inspect
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final, get_args, get_origin

import msgspec
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.permissions import SAFE_METHODS

from config.api.components import BOUNDS, REF, reachable
from config.api.errors import (
    MEDIA_TYPE,
    BadKey,
    BodyTooLarge,
    Malformed,
    Unavailable,
    UnsupportedMediaType,
)
from config.api.json import CURSOR_SCHEMA, LIMIT, MOST
from config.api.scopes import MEANING, Scope, needs_own_key, required_scope
from config.api.throttles import ByAddress, Requests
from config.refusals import NotAllowed, NotFound, NotSignedIn, Refusal, TooManyRequests

METHODS: Final = ("get", "post", "put", "patch", "delete")
JSON, LINE = (re.compile(rf"(?<=[a-z]){end}(?=(List)?$)") for end in ("Json", "Line"))
LOCATION: Final = {
    "schema": {"type": "string", "format": "uri-reference"},
    "description": "Where it is read.",
    "required": True,
}
_COUNT: Final = {"schema": {"type": "integer", "minimum": 0}}
HEADERS: Final = {
    "RequestId": {
        "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        "description": "The id of this request. Name it when you report a fault.",
        "required": True,
    },
    "RateLimitLimit": _COUNT | {"description": "Requests that this limit allows in its window."},
    "RateLimitRemaining": _COUNT | {"description": "Requests left in the window."},
    "RateLimitReset": _COUNT | {"description": "Seconds until the window ends."},
}
OF_EVERY_ANSWER: Final = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
OF_A_LIMIT: Final = {
    f"RateLimit-{name}": {"$ref": f"#/components/headers/RateLimit{name}"}
    for name in ("Limit", "Remaining", "Reset")
}
Schema = dict[str, Any]


def finish(result: Schema, **_: Any) -> Schema:
    """drf-spectacular's postprocessing hook, the last one."""
    document = _renamed(result)
    schemas = document["components"]["schemas"]
    schemas["Problem"] |= {"properties": _problem_members(schemas["Problem"])}
    schemas["ProblemCode"] = {
        "description": "Every cause that the service refuses for.",
        "type": "string",
        "enum": sorted(Refusal.by_code),
    }
    schemas = {name: _tidy(schema) | {"title": name} for name, schema in sorted(schemas.items())}
    sent, answered = _bodies(document, "requestBody"), _bodies(document, "responses")
    in_requests = reachable(schemas, sent)
    for name in in_requests:
        _leave_out_null(schemas[name])
    for name in reachable(schemas, answered) - in_requests:
        _require_defaults(schemas[name])
    used = reachable(schemas, [document["paths"], document["webhooks"]])
    document["components"]["schemas"] = {
        name: schema for name, schema in schemas.items() if name in used
    }
    document["components"]["headers"] = HEADERS
    for _path, _method, operation in operations(document):
        _describe(operation)
        _require_body(operation, schemas)
    return document


def operations(document: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Path, method and operation of every call."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def _renamed(result: Schema) -> Schema:
    """Components without the suffix that their structs have in the code."""
    text = msgspec.json.encode(result, enc_hook=str).decode()  # some titles are lazy
    names = shortened(result["components"]["schemas"])
    for old, new in names.items():
        if old != new:
            text = text.replace(f'"{REF.format(name=old)}"', f'"{REF.format(name=new)}"')
    document: Schema = msgspec.json.decode(text)
    components = document["components"]
    components["schemas"] = {names[old]: each for old, each in components["schemas"].items()}
    return document


def shortened(names: Iterable[str]) -> dict[str, str]:
    """Each name without ``Json`` and ``Line``, unless two would be one (``Daily``)."""
    names = set(names)
    short = {name: name if (bare := JSON.sub("", name)) in names else bare for name in names}
    often = Counter(LINE.sub("", each) for each in short.values())
    return {
        name: bare if often[bare := LINE.sub("", each)] == 1 else each
        for name, each in short.items()
    }


def _problem_members(problem: Schema) -> Schema:
    """The members of every problem, and those of some causes, each with its type."""
    by_name: dict[str, tuple[Any, list[str]]] = {}
    for code, kind in sorted(Refusal.by_code.items()):
        for name, type_ in kind.members.items():
            by_name.setdefault(name, (type_, []))[1].append(code)
    brought = {
        name: _schema_of(type_) | {"description": f"With {_listed(codes)}."}
        for name, (type_, codes) in by_name.items()
    }
    every: Schema = problem["properties"]
    return every | {"code": {"$ref": REF.format(name="ProblemCode")}} | brought


def _schema_of(type_: Any) -> Schema:
    match type_:
        case str():
            return {"$ref": REF.format(name=type_)}
        case [str(name)]:
            return {"type": "array", "items": {"$ref": REF.format(name=name)}}
    schema: Schema = msgspec.json.schema(type_)
    return schema


def _listed(codes: list[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _tidy(schema: Schema, name: str = "") -> Schema:
    """A schema and all within it; ``name`` is that of the property, if it is one."""
    tidy = {key: value for key, value in schema.items() if key != "title"}
    tidy |= tidy.pop(BOUNDS, {})
    if "description" in tidy:
        tidy["description"] = inspect.cleandoc(tidy["description"]).replace("``", "`")
    if "prefixItems" in tidy:
        tidy |= _bounded_array(tidy.pop("prefixItems"))
    if isinstance(tidy.get("items"), dict):
        tidy["items"] = _tidy(tidy["items"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in tidy:
            tidy[key] = [_tidy(each, name) for each in tidy[key]]
    if "properties" in tidy:
        tidy["properties"] = {key: _tidy(each, key) for key, each in tidy["properties"].items()}
    elif tidy.get("type") == "object":
        more = tidy.get("additionalProperties", True)
        tidy["additionalProperties"] = _tidy(more) if isinstance(more, dict) else more
    if "pattern" in tidy:
        tidy["pattern"] = tidy["pattern"].replace(r"\Z", "$")
    if (name == "at" or name.endswith("_at")) and tidy.get("type") == "string":
        tidy["format"] = "date-time"
    return _typed_choices(tidy)


def _typed_choices(schema: Schema) -> Schema:
    choices = schema.get("enum")
    if choices == [True]:
        return {"type": "boolean", "const": True}
    if choices is None or not all(isinstance(choice, str) for choice in choices):
        return schema
    if len(choices) == 1:
        rest = {key: value for key, value in schema.items() if key != "enum"}
        return {"type": "string", "const": choices[0]} | rest
    return {"type": "string"} | schema


def _bounded_array(items: list[Schema]) -> Schema:
    kinds = list({msgspec.json.encode(item): item for item in items}.values())
    each = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"items": each, "minItems": len(items), "maxItems": len(items)}


def _bodies(document: Schema, where: str) -> list[Any]:
    return [operation.get(where) for _path, _method, operation in operations(document)]


def _leave_out_null(schema: Schema) -> None:
    """Null as a default says no more than that a field may be left out."""
    for field in schema.get("properties", {}).values():
        if "default" in field and field["default"] is None:
            del field["default"]


def _require_defaults(schema: Schema) -> None:
    properties = schema.get("properties", {})
    present = [name for name, field in properties.items() if "default" in field]
    for name in present:
        del properties[name]["default"]
    if properties:
        needed = {*schema.get("required", ()), *present}
        schema["required"] = [name for name in properties if name in needed]


def _describe(operation: Schema) -> None:
    description = inspect.cleandoc(operation.get("description", "")).replace("``", "`")
    first = description.partition(". ")[0].partition("\n")[0]
    operation.setdefault("summary", first.rstrip("."))
    scope = _scope(operation)
    has_text = operation.pop("x-plain-text", False)
    text = "With `Accept: text/plain` the answer is text for people." if has_text else ""
    allowed = f"Needs a key with the scope `{scope}`." if scope else ""
    if operation.pop("x-own-key", False):
        operation["security"] = [each for each in operation["security"] if "oauth2" not in each]
        allowed = f"{allowed} Connected programs are refused.".strip()
    operation["description"] = "\n\n".join(
        filter(None, (description or operation["summary"], text, allowed))
    )
    if scope:
        operation["x-required-scope"] = scope
    for status, answer in operation["responses"].items():
        answer["description"] = answer["description"] or HTTPStatus(int(status)).phrase
        own = {"Location": LOCATION} if status in ("201", "202") else {}
        limit = OF_A_LIMIT if status < "300" or status == "429" else {}
        answer["headers"] = own | answer.get("headers", {}) | limit | OF_EVERY_ANSWER


def _scope(operation: Schema) -> str | None:
    """The scope that a key or a connected program needs; a call for everybody needs nothing."""
    operation.setdefault("security", [])
    scopes = [scope for each in operation["security"] for scope in each.get("oauth2", ())]
    return scopes[0] if scopes else None


def _require_body(operation: Schema, schemas: Schema) -> None:
    """A body is required unless the call accepts the empty object."""
    if "requestBody" in operation:
        kinds = operation["requestBody"]["content"]
        own = kinds["application/json"]["schema"]
        shape = schemas.get(own.get("$ref", "").rpartition("/")[2], own)
        may_be_empty = shape.get("type") == "object" and not shape.get("required")
        operation["requestBody"]["required"] = not may_be_empty or "not" in shape
        operation["requestBody"]["content"] = {"application/json": kinds["application/json"]}


WITH_BODY: Final = ("POST", "PUT", "PATCH")
_WAIT: Final = {
    "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds.", "required": True}
}
SCHEMA_HEADERS: Final = {
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


def limits_of(view: Any, method: str) -> list[str]:
    """The limits of requests that a call takes from, by name; `GET /api/v1/` has their numbers."""
    names = []
    for throttle in view.throttle_classes:
        if issubclass(throttle, Requests):
            is_open = getattr(view, "open_to", {}).get(method.lower(), True)
            names += ["user", "anon"] if is_open else ["user"]
        elif method not in SAFE_METHODS or not issubclass(throttle, ByAddress):
            names.append(throttle.scope)
    return names


def _together(*codes: str) -> str:
    return ", ".join(dict.fromkeys(code for each in codes for code in each.split(", ")))


class CardroomSchema(AutoSchema):
    """Adds to each operation the refusals that any call of its kind may meet."""

    def get_extensions(self) -> dict[str, Any]:
        """For `_describe`, which leaves out all but the limits."""
        has_text = getattr(self.view, "plain_text", None) is not None
        facts = {"x-plain-text": has_text, "x-own-key": needs_own_key(self.view, self.method)}
        limits = limits_of(self.view, self.method)
        return {name: True for name, holds in facts.items() if holds} | {"x-rate-limits": limits}

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
        for status, headers in SCHEMA_HEADERS.items():
            if status in answers:
                answers[status]["headers"] = headers
        return dict(sorted(answers.items()))

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
    """The needs of a call from a caller with a key, or of a connected program."""
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

    target_class = "accounts.signing_in.KeyAuthentication"
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
