"""The OpenAPI document, and the page to browse it."""

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from config import club
from config.api.document import METHODS, operations
from config.api.errors import MethodNotAllowed, ProblemResponse
from config.api.json import ROOT
from config.api.operations import Api

api = Api("catalogue")
CLIENTS: Final = Path(__file__).resolve().parents[1] / "static" / "clients"
EXAMPLE_URL: Final = "http://127.0.0.1:8000"
MEDIA_TYPE: Final = "application/vnd.oai.openapi+json; version=3.1"


class Document(msgspec.Struct, frozen=True):
    """The document as it is sent; ``tag`` changes with it."""

    plain: bytes
    compressed: bytes
    tag: str


@cache
def document() -> Document:
    """Made once a process: it depends on the code and on nothing else."""
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    plain = msgspec.json.encode(schema, enc_hook=str)
    tag = hashlib.sha256(plain).hexdigest()[:16]
    return Document(plain, gzip.compress(plain, mtime=0), f'"{tag}"')


@cache
def bots() -> dict[str, str]:
    """The example of each client."""
    return {f"bot_{kind}": (CLIENTS / f"bot.{kind}").read_text("utf-8") for kind in ("py", "js")}


class Resource(msgspec.Struct, frozen=True):
    """An address of the API, and what each method of it does."""

    href: str
    calls: dict[str, str]


class AnnouncementJson(msgspec.Struct, frozen=True):
    """What operators tell everybody until a time: ``texts`` by language, English always."""

    id: UUID
    texts: dict[str, str]
    link: str
    since: datetime
    until: datetime | None


class Plans(msgspec.Struct, frozen=True):
    """No match begins during maintenance; until ``read_only_until`` nothing is written."""

    maintenance_from: datetime | None = None
    maintenance_until: datetime | None = None
    read_only_until: datetime | None = None


class ApiIndex(msgspec.Struct, frozen=True):
    """``document`` is the OpenAPI document, ``page`` the same to read.

    ``rates`` are the limits of requests by name, such as ``600/min``: ``user`` of an account,
    ``anon`` of an address. The document names those of each operation (``x-rate-limits``).
    """

    version: str
    document: str
    page: str
    resources: list[Resource]
    announcements: list[AnnouncementJson]
    plans: Plans
    rates: dict[str, str]


@cache
def _index() -> ApiIndex:
    """The addresses without a parameter; their answers lead to all others."""
    paths = msgspec.json.decode(document().plain)["paths"].items()
    resources = [
        Resource(path, {m.upper(): item[m]["summary"] for m in METHODS if m in item})
        for path, item in paths
        if "{" not in path
    ]
    return ApiIndex("1", f"{ROOT}schema", f"{ROOT}docs", resources, [], Plans(), {})


@api.get(scope=None)
def index() -> ApiIndex:
    """List the resources

    Where everything is: for people and programs that come here first.
    """
    shown = [
        AnnouncementJson(one.id, one.texts, one.link, one.shown_from, one.shown_until)
        for one in club.announcements()
    ]
    begins, ends = club.maintenance() or (None, None)
    plans = Plans(begins, ends, club.read_only_until())
    return msgspec.structs.replace(_index(), announcements=shown, plans=plans, rates=rates())


@csrf_exempt  # there is nothing to forge
def send_document(request: HttpRequest) -> HttpResponse:
    """``GET schema``: public, the same for everybody, compressed on request."""
    if request.method not in ("GET", "HEAD"):
        return ProblemResponse(MethodNotAllowed(), {"Allow": "GET, HEAD"})
    made, packed = document(), "gzip" in request.headers.get("Accept-Encoding", "")
    headers = {
        "ETag": made.tag,
        "Cache-Control": "public, max-age=300",
        "Vary": "Accept-Encoding, Origin",
    }
    if request.headers.get("If-None-Match", "").removeprefix("W/") == made.tag:
        return HttpResponse(status=304, headers=headers)
    if packed:
        headers["Content-Encoding"] = "gzip"
    return HttpResponse(made.compressed if packed else made.plain, MEDIA_TYPE, headers=headers)


def rates() -> dict[str, str]:
    """The limits of requests as they are set: ``600/min``."""
    return {scope: str(rate) for scope, rate in api_settings.DEFAULT_THROTTLE_RATES.items()}


class DocsPage(SpectacularSwaggerSplitView):
    """The document to browse; every script and style comes from here (CSP allows no other)."""

    template_name = "games/api/docs.html"
    http_method_names = ("get", "head")  # it describes no page to OPTIONS

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """With the bots of thirty lines, as they would call this service."""
        page: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if isinstance(page.data, dict):
            page.data |= {
                name: text.replace(EXAMPLE_URL, request.build_absolute_uri("/")[:-1])
                for name, text in bots().items()
            }
            page.data |= {"rates": rates(), "limits": settings.LIMITS}
        return page


# A page for each operation, with the call in three languages. It is made from the document, whose
# language it has.

LANGUAGES: Final = {"curl": "curl", "Python": "python", "JavaScript": "javascript"}


def snippets(url: str, path: str, method: str, operation: Mapping[str, Any]) -> dict[str, str]:
    """The call of an operation; parts of its path are variables, and the key never stands in it."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    example = content.get("example", {})
    body = json.dumps(example, ensure_ascii=False)
    context = {
        "url": url,
        "path": path,
        "shell_path": re.sub(r"\{(\w+)\}", lambda part: "$" + part[1].upper(), path),
        "script_path": path.replace("{", "${"),
        "method": method.upper(),
        "has_body": "requestBody" in operation,
        "body": body,
        "shell_body": body.replace("'", "'\\''"),
        "python_body": repr(example),
    }
    made = {name: get_template(f"games/api/{file}.txt") for name, file in LANGUAGES.items()}
    return {name: template.render({"call": context}).strip() for name, template in made.items()}


@cache
def calls() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """By operation its path, method and what the document says of it."""
    schema = msgspec.json.decode(document().plain)
    return {one["operationId"]: (path, method, one) for path, method, one in operations(schema)}


@require_safe
def operation_page(request: HttpRequest, operation: str) -> HttpResponse:
    if operation not in calls():
        raise Http404("There is no such operation.")
    path, method, described = calls()[operation]
    shown, numbers = request.build_absolute_uri("/")[:-1], rates()
    context = {
        "operation": described,
        "path": path,
        "method": method.upper(),
        "paragraphs": described["description"].split("\n\n"),
        "parameters": described.get("parameters", ()),
        "responses": described["responses"].items(),
        "limits": [(name, numbers[name]) for name in described["x-rate-limits"]],
        "snippets": snippets(shown, path, method, described).items(),
        "names": sorted(calls()),
    }
    return render(request, "games/api/operation.html", context)


@require_safe
@cache_control(public=True, max_age=3600)
def changes_feed(request: HttpRequest) -> HttpResponse:
    """The changes that authors of clients follow (``changes.json``), newest first, as RFC 4287."""
    here, page = request.build_absolute_uri(request.path), request.build_absolute_uri(f"{ROOT}docs")
    feed = Atom1Feed(
        "Changes of the Cardroom API", page, "", "en", author_name="Cardroom", feed_url=here
    )
    for change in json.loads(FILE.with_name("changes.json").read_text("utf-8")):
        at = datetime.fromisoformat(f"{change['day']}T00:00:00+00:00")
        name = f"{here}#{change['day']}-{change['name']}"
        item = {"description": change["text"], "unique_id": name, "pubdate": at, "updateddate": at}
        feed.add_item(change["title"], page, **item)
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


FILE: Final = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct, frozen=True):
    """``request`` is null for a call without a body."""

    request: Any
    status: int
    answer: Any


def show_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook."""
    examples = msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])
    for _path, _method, operation in operations(result):
        example = examples.get(operation["operationId"])
        if example is not None:
            _show(operation, example)
    return result


def _show(operation: dict[str, Any], example: Example) -> None:
    _fill(operation.get("requestBody"), example.request)
    answers = operation["responses"]
    answered = dict(answers.get(str(example.status), {}).get("content", {}))
    for status, answer in answers.items():
        # Where a call answers with the same in two ways (200, 201), one example is of both.
        if status[0] == "2" and answer.get("content") == answered:
            _fill(answer, example.answer)


def _fill(place: dict[str, Any] | None, shown: Any) -> None:
    content = (place or {}).get("content", {})
    if "application/json" in content and shown is not None:
        content["application/json"] = content["application/json"] | {"example": shown}


Schema = dict[str, Any]

MATCH: Final = {"match_id": "$response.body#/id"}
MOVE: Final = {
    "operationId": "move",
    "parameters": MATCH,
    "requestBody": {
        "move": "$response.body#/legal_moves/0/move",
        "version": "$response.body#/version",
    },
    "description": "The first legal move, where it is the caller's turn.",
}
AFTER_OPENING: Final = {
    "read": {"operationId": "match", "parameters": MATCH},
    "join": {"operationId": "join", "parameters": MATCH, "description": "By somebody else."},
    "invite": {"operationId": "invite", "parameters": MATCH},
    "move": MOVE,
    "events": {"operationId": "events", "parameters": MATCH},
    "stream": {"operationId": "stream", "parameters": MATCH},
    "load": {"operationId": "load", "parameters": MATCH},
    "resign": {"operationId": "resign", "parameters": MATCH},
}
AFTER_MOVE: Final = {name: AFTER_OPENING[name] for name in ("read", "move", "events", "resign")}
AFTER: Final[dict[tuple[str, str], Schema]] = {
    ("create_match", "201"): AFTER_OPENING,
    ("rematch", "201"): AFTER_OPENING,
    ("load", "201"): AFTER_OPENING,
    ("join", "200"): AFTER_OPENING,
    ("match", "200"): AFTER_OPENING,
    ("move", "201"): AFTER_MOVE,
    ("create_simulation", "201"): {
        "read": {"operationId": "simulation", "parameters": {"simulation_id": MATCH["match_id"]}},
        "cancel": {
            "operationId": "cancel_simulation",
            "parameters": {"simulation_id": MATCH["match_id"]},
        },
    },
    ("create_export", "202"): {
        "read": {"operationId": "export", "parameters": {"export_id": MATCH["match_id"]}},
        "file": {"operationId": "export_file", "parameters": {"export_id": MATCH["match_id"]}},
    },
    ("create_deck", "201"): {
        "read": {"operationId": "deck", "parameters": {"deck_id": MATCH["match_id"]}},
    },
}


def show_links(result: Schema, **_: Any) -> Schema:
    """drf-spectacular's postprocessing hook."""
    for _path, _method, operation in operations(result):
        for status, answer in operation["responses"].items():
            links = AFTER.get((operation["operationId"], status))
            if links:
                answer["links"] = links
    return result
