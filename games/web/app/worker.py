"""The service worker: one script at the root, since a worker serves what lies below its address.

What it begins with, a version and the files of the first page, is put before the script. The
version is made of their contents, so a browser fetches a new worker whenever one of them changes.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

SCRIPT: Final = "games/js/worker.js"
FILES: Final = (
    "games/css/tokens.css",
    "games/css/site.css",
    "games/css/forms.css",
    "games/js/offline.js",
    "games/img/favicon.svg",
)


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        script(), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@cache
def script() -> str:
    begin = {
        "VERSION": version(),
        "SHELL": reverse("app"),
        "FILES": [static(name) for name in FILES],
        "ICON": static("games/img/icon-192.png"),
    }
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in begin.items()]
    return "".join(lines) + source(SCRIPT).decode()


def version() -> str:
    template: Any = get_template("games/app/shell.html")
    parts = [source(name) for name in (SCRIPT, *FILES)]
    parts.append(template.template.source.encode())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def source(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()
