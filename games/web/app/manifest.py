"""What a phone asks before it keeps the site beside its programs."""

from typing import Any, Final

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

FELT, PAPER = "#1f5a45", "#f6f2e9"
SIZES: Final = (192, 512)
PICTURES: Final = {"narrow": (780, 1688), "wide": (1280, 800)}


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    about = {
        "name": "Cardroom",
        "short_name": "Cardroom",
        "description": _("Card games against the computer, with friends, or side by side."),
        "id": "/",
        "scope": "/",
        "start_url": reverse("app"),
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": FELT,
        "icons": [icon(size, purpose) for purpose in ("any", "maskable") for size in SIZES],
        "screenshots": [screenshot(form) for form in PICTURES],
        "shortcuts": [
            shortcut(_("Play"), reverse("new_match")),
            shortcut(_("Your turn"), f"{reverse('lobby')}#yours"),
        ],
        "share_target": {
            "action": reverse("app_share"),
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    return JsonResponse(about, content_type="application/manifest+json")


def icon(size: int, purpose: str) -> dict[str, str]:
    """A maskable one has room around its picture: phones cut it to their own shape."""
    name = "maskable" if purpose == "maskable" else "icon"
    source = static(f"games/img/{name}-{size}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def screenshot(form: str) -> dict[str, str]:
    width, height = PICTURES[form]
    return {
        "src": static(f"games/img/screen-{form}.webp"),
        "sizes": f"{width}x{height}",
        "type": "image/webp",
        "form_factor": form,
        "label": _("A card table"),
    }


def shortcut(name: str, url: str) -> dict[str, Any]:
    return {"name": name, "url": url, "icons": [icon(192, "any")]}
