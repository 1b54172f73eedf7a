"""How django-unfold shows the admin."""

from django.http import HttpRequest
from django.templatetags.static import static


def _icon(_request: HttpRequest) -> str:
    return static("games/img/favicon.svg")


THEME = {
    "SITE_TITLE": "Cardroom",
    "SITE_HEADER": "Cardroom",
    "SITE_ICON": _icon,
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _icon}],
}
