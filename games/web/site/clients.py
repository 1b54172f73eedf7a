"""The clients that the service serves: one file each, for programs elsewhere."""

from pathlib import Path
from typing import Final

from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

FOLDER: Final = Path(__file__).resolve().parents[2] / "static" / "clients"
MEDIA_TYPES: Final = {
    name: f"{kind}; charset=utf-8"
    for kind, names in {
        "text/x-python": ("cardroom.py", "bot.py"),
        "text/javascript": ("cardroom.js", "bot.js"),
    }.items()
    for name in names
}


@require_safe
def client(_request: HttpRequest, name: str) -> FileResponse:
    """The newest version, at an address that stays; every site may import it."""
    if name not in MEDIA_TYPES:
        raise Http404
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return FileResponse((FOLDER / name).open("rb"), content_type=MEDIA_TYPES[name], headers=headers)
