"""A call of the API as one function: what it takes and answers stands in its signature.

    @api.post("seeks", creates="seeks/{0.id}", refuses=[matches.BadDeck, lobby.AlreadyPaired])
    def create_seek(user: User, body: NewSeek, key: IdempotencyKey) -> SeekJson:
        \"\"\"Seek a match with anybody

        The description in the OpenAPI document, whose summary is the first line.
        \"\"\"

A parameter is read by its name: ``user`` is the caller (where it may be ``None``, and without it,
the call is open to everybody), ``reader`` the id of a caller who may be nobody, ``body`` and
``query`` are structs, ``key`` is the Idempotency-Key, ``page`` cuts a list into pages, ``request``
is the request; all others are parts of the path. An answer that is more than a body is annotated
with what the document says of it: ``Annotated[Response, Match]``. Functions of one path become one
view, in the order of the file.

A POST that makes something for its caller keeps its answer: the same Idempotency-Key again gets the
same answer. One that takes the ``key`` itself sees to that itself.
"""

import hashlib
import inspect
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import urljoin

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import import_string
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from config.api.document import PAGE_PARAMETERS, refusals
from config.api.errors import KeyReused
from config.api.json import (
    LIST,
    ROOT,
    MsgspecRenderer,
    body_of,
    page,
    page_of_known,
    query_of,
    shaped,
)
from config.api.scopes import Scope
from config.api.throttles import Requests
from config.postgres import replicas
from config.refusals import NotFound, Refusal

Call = TypeVar("Call", bound=Callable[..., Any])
Struct = TypeVar("Struct", bound=msgspec.Struct)
Refusals = Iterable[type[Refusal]]
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
IdempotencyKey = Key | None
IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64},
    OpenApiParameter.HEADER,
    description="The same key again gives the first answer again.",
)


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class Api:
    """The calls of one part of the API, whose addresses begin with ``below``.

    ``facts`` are attributes of all its views, which are kept by address in ``views``.
    """

    def __init__(self, tag: str, below: str = "", **facts: Any) -> None:
        self._tag, self._below, self._facts = tag, below, facts
        self.views: dict[str, type[APIView]] = {}
        self._names: dict[str, str] = {}

    def get(self, at: str = "", **more: Any) -> Callable[[Call], Call]:
        return partial(self._declare, "get", self._below + at, **more)

    def post(self, at: str = "", **more: Any) -> Callable[[Call], Call]:
        return partial(self._declare, "post", self._below + at, **more)

    def put(self, at: str = "", **more: Any) -> Callable[[Call], Call]:
        return partial(self._declare, "put", self._below + at, **more)

    def patch(self, at: str = "", **more: Any) -> Callable[[Call], Call]:
        return partial(self._declare, "patch", self._below + at, **more)

    def delete(self, at: str = "", **more: Any) -> Callable[[Call], Call]:
        return partial(self._declare, "delete", self._below + at, **more)

    @property
    def urls(self) -> list[URLPattern]:
        return [
            path(at, view.as_view(), name=self._names.get(at)) for at, view in self.views.items()
        ]

    def _declare(
        self,
        method: str,
        at: str,
        call: Call,
        *,
        tag: str = "",
        refuses: Refusals = (),
        creates: str = "",
        status: int = 0,
        body: type[msgspec.Struct] | None = None,
        parameters: Iterable[OpenApiParameter] = (),
        auth: Any = None,
        scope: Scope | str | None = "",
        own_key: bool = False,
        limits: Iterable[type[BaseThrottle]] = (),
        name: str = "",
        a_second_old: bool = False,
        **facts: Any,
    ) -> Call:
        """``creates`` is where what was made is read, below the API's address: a pattern with parts
        of the answer and of the path.

        ``body``: one that the function does not take, since it says nothing. ``scope``: that a key
        needs, ``own_key``: it must not be that of a connected program. ``limits`` hold beside the
        usual one. ``name`` is the view's in the metrics, by default that of its first function.
        ``a_second_old``: it may be read from a replica (`config.postgres.replicas`).
        """
        view = self._view(at, call)
        if name:
            self._names[at] = name
        for fact, value in facts.items():
            setattr(view, fact, value)
        if scope != "":
            setattr(view, "read_scope" if method == "get" else "write_scope", scope)
        if own_key:
            view.own_key_only = (*getattr(view, "own_key_only", ()), method.upper())  # type: ignore[attr-defined]
        if limits:
            view.throttle_classes = (Requests, *limits)
        takes = get_type_hints(call, include_extras=True)
        reads = _read_anywhere(call) if a_second_old else call
        gives = takes.pop("return")
        if body is not None:
            takes["body"] = body
        status = status or (204 if gives is type(None) else 201 if creates else 200)
        if status in {201, 202} and not creates and get_origin(gives) is not Annotated:
            raise TypeError(f"{call.__name__} does not say where what it makes is read")
        answers = _answers(gives, status)
        if get_origin(gives) is list:
            answers = {(200, "application/json"): gives, (200, LIST): _list_of(*get_args(gives))}
            parameters = [*PAGE_PARAMETERS, *parameters]
        keeps = method == "post" and not _is_open(takes) and "key" not in takes
        keeps = keeps and not {201, 202}.isdisjoint(answers)
        answers |= refusals(*refuses, *((KeyReused,) if keeps or "key" in takes else ()))
        handler = _handler(reads, takes, status, creates, unused_body=body is not None, keeps=keeps)
        parameters = [*_parameters(takes, keeps=keeps), *parameters]
        summary, _, handler.__doc__ = (inspect.getdoc(call) or "").partition("\n\n")
        described = extend_schema(
            operation_id=call.__name__,
            summary=summary,
            tags=[tag or self._tag],
            parameters=parameters,
            request=_documented(takes.get("body")),
            responses=answers,
            auth=auth,
        )(handler)
        setattr(view, method, described)
        view.permission_classes = (_permission(view, method, takes),)
        return call

    def _view(self, at: str, call: Callable[..., Any]) -> type[APIView]:
        if at not in self.views:
            facts = {"__module__": call.__module__, **self._facts}
            self.views[at] = type(call.__name__, (APIView,), facts)
        return self.views[at]


def _is_open(takes: dict[str, Any]) -> bool:
    """Whether everybody may call it."""
    return "user" not in takes or type(None) in get_args(takes["user"])


def _permission(view: Any, method: str, takes: dict[str, Any]) -> type:
    """The permission of a view: without an account one may read, if the reading calls are open."""
    view.open_to = getattr(view, "open_to", {}) | {method: _is_open(takes)}
    if all(view.open_to.values()):
        return AllowAny
    return IsAuthenticatedOrReadOnly if view.open_to.get("get") else IsAuthenticated


def _documented(kind: Any) -> Any:
    """The kind of a body or an answer in the document: its type, or what an annotation says."""
    return kind.__metadata__[0] if get_origin(kind) is Annotated else kind


def _answers(gives: Any, status: int) -> dict[Any, Any]:
    gives = _documented(gives)
    if isinstance(gives, dict):
        return gives
    return {status: None if gives is type(None) else gives}


def _handler(
    call: Callable[..., Any],
    takes: dict[str, Any],
    status: int,
    creates: str,
    *,
    unused_body: bool,
    keeps: bool,
) -> Any:
    """The method of a view that reads what the function takes, and sends what it answers."""
    reading = {name: (_READ[name], kind) for name, kind in takes.items() if name in _READ}

    def respond(request: Request, **parts: Any) -> HttpResponseBase:
        if "\0" in request.path_info:  # Postgres stores none
            raise NotFound
        read = {name: take(request, kind) for name, (take, kind) in reading.items()}
        if unused_body:
            del read["body"]
        answer = call(**read, **parts)
        if isinstance(answer, HttpResponseBase):
            return answer
        if isinstance(answer, list) and isinstance(request.accepted_renderer, MsgspecRenderer):
            return _listed(request, answer)
        where = creates and urljoin(ROOT, creates.format(answer, **parts))
        headers = {"Location": where} if where else None
        return Response(answer, status=status, headers=headers)

    def handler(_view: APIView, request: Request, **parts: Any) -> HttpResponseBase:
        key = _key(request) if keeps else None
        if key is None:
            return respond(request, **parts)
        return _answered_once(request, key, partial(respond, request, **parts))

    handler.__wrapped__ = call  # type: ignore[attr-defined]  # for who reads the source
    return handler


def _read_anywhere(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same call, of which a replica may answer; ``request.user`` is known by then."""

    @wraps(call)
    def reading(**taken: Any) -> Any:
        reader = taken.get("reader") or getattr(taken.get("user"), "pk", None)
        return replicas.read(partial(call, **taken), own=reader is not None)

    return reading


ARRAYS_DEPRECATED: Final = {
    "Deprecation": "@1795996800",  # 2026-11-30
    "Link": '</docs/api/versions/#lists>; rel="deprecation"',
}


def _list_of(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The component of a list in the one shape."""
    fields = {"results": list[kind], "next": str | None}  # type: ignore[valid-type]
    return msgspec.defstruct(f"{kind.__name__}List", fields.items())


def _listed(request: Request, rows: list[Any]) -> Response:
    """A list in the one shape if the request accepts it; by v1's contract a bare array if not."""
    page = page_of_known(rows, request)
    if LIST in request.headers.get("Accept", ""):
        return Response(page, content_type=LIST, headers={"Vary": "Accept"})
    return Response(rows, headers={"Vary": "Accept", **ARRAYS_DEPRECATED})


def _answered_once(
    request: Request, key: str, respond: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """The answer, or the one that this caller got for the same request with this key."""
    made: list[HttpResponseBase] = []

    def make() -> bytes:
        made.append(response := respond())
        headers = {name: response[name] for name in ("Location", "ETag") if name in response}
        body = MsgspecRenderer().render(getattr(response, "data", None))
        return msgspec.msgpack.encode((response.status_code, headers, body))

    keep = import_string(settings.IDEMPOTENT_ANSWERS)
    sent = msgspec.json.encode([request.path, request.data], order="sorted")
    kept = keep(request.user.pk, key, hashlib.sha256(sent).digest(), make)
    if made:
        return made[0]
    status, headers, body = msgspec.msgpack.decode(kept)
    return HttpResponse(body, MsgspecRenderer.media_type, status, headers=headers)


def _user(request: Request, kind: Any) -> Any:
    """The caller; where there must be one, the permissions of the view have checked it."""
    return request.user if request.user.pk or type(None) not in get_args(kind) else None


def _key(request: Request, _kind: Any = None) -> str | None:
    key = request.headers.get("Idempotency-Key")
    return None if key is None else shaped(key, Key)


_READ: Final[dict[str, Callable[[Request, Any], Any]]] = {
    "user": _user,
    "reader": lambda request, _kind: request.user.pk,
    "body": body_of,
    "query": query_of,
    "key": _key,
    "page": lambda request, _kind: partial(page, request=request),
    "request": lambda request, _kind: request,
}


def _parameters(takes: dict[str, Any], *, keeps: bool) -> list[OpenApiParameter]:
    parameters = query_parameters(takes["query"]) if "query" in takes else []
    if "page" in takes and "query" not in takes:
        parameters += PAGE_PARAMETERS
    if "key" in takes or keeps:
        parameters.append(IDEMPOTENCY_KEY)
    return parameters


def header_parameters(**headers: dict[str, Any]) -> list[OpenApiParameter]:
    """Headers of a request, with the bounds of their text."""
    return [
        OpenApiParameter(
            name.replace("_", "-"), {"type": "string", **bounds}, OpenApiParameter.HEADER
        )
        for name, bounds in headers.items()
    ]


def query_parameters(shape: type[msgspec.Struct]) -> list[OpenApiParameter]:
    schema = msgspec.json.schema_components([shape])[1][shape.__name__]
    return [
        OpenApiParameter(name, _plain(facts), OpenApiParameter.QUERY)
        for name, facts in schema["properties"].items()
    ]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A query has no null: a parameter without a value is left out."""
    if schema.get("type") == "boolean":
        return {"type": "boolean", "description": "`true` or `1`, `false` or `0`."}
    choices = [s for s in schema.get("anyOf", ()) if s != {"type": "null"}]
    return choices[0] if len(choices) == 1 else {k: v for k, v in schema.items() if k != "default"}


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


def answer(kind: type[Struct], row: object, /, **more: Any) -> Struct:
    """A struct filled by name from the attributes of a row; ``more`` holds what differs."""
    own = {name: getattr(row, name) for name in kind.__struct_fields__ if name not in more}
    return kind(**own, **more)


def given(body: msgspec.Struct) -> dict[str, Any]:
    """The fields that a caller has sent, of a body that may leave some out."""
    fields = msgspec.structs.asdict(body)
    return {name: value for name, value in fields.items() if value is not msgspec.UNSET}
