"""The OpenAPI document, and the page to browse it."""

import gzip
import hashlib
from functools import cache
from typing import Final

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.api.problems import ProblemResponse
from config.api.refusals import MethodNotAllowed

MEDIA_TYPE: Final = "application/vnd.oai.openapi+json; version=3.1"


class Document(msgspec.Struct, frozen=True):
    """The document as it is sent; ``tag`` changes with it."""

    plain: bytes
    compressed: bytes
    tag: str


@cache
def document() -> Document:
    """Made once a process: it depends on the code and on nothing else."""
    found = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    plain = msgspec.json.encode(found, enc_hook=str)
    tag = hashlib.sha256(plain).hexdigest()[:16]
    return Document(plain, gzip.compress(plain, mtime=0), f'"{tag}"')


@csrf_exempt  # there is nothing to forge
def send_document(request: HttpRequest) -> HttpResponse:
    """``GET schema``: public, the same for everybody, compressed for who asks."""
    if request.method not in ("GET", "HEAD"):
        return ProblemResponse(MethodNotAllowed(), {"Allow": "GET, HEAD"})
    made, asks = document(), "gzip" in request.headers.get("Accept-Encoding", "")
    headers = {
        "ETag": made.tag,
        "Cache-Control": "public, max-age=300",
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("If-None-Match", "").removeprefix("W/") == made.tag:
        return HttpResponse(status=304, headers=headers)
    if asks:
        headers["Content-Encoding"] = "gzip"
    return HttpResponse(made.compressed if asks else made.plain, MEDIA_TYPE, headers=headers)


class DocsPage(SpectacularSwaggerSplitView):
    """The document to browse; every script and style comes from here (CSP allows no other)."""

    template_name = "games/api/docs.html"
    http_method_names = ("get", "head")  # it describes no page to OPTIONS
