"""Messages of operators to the reader of a page."""

from typing import Any

from django import template

from accounts.audit.notices import unread_by
from config import version

register = template.Library()


@register.inclusion_tag("account/notices.html", takes_context=True)
def told_by_operators(context: dict[str, Any]) -> dict[str, Any]:
    """The unread ones, each with a button. One query, and none without a signed-in reader."""
    user, request = context.get("user"), context.get("request")
    return {
        "notices": unread_by(user) if user is not None and user.is_authenticated else (),
        "back": request.path if request else "/",
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag
def cardroom_version() -> str:
    """For the footer: what somebody who reports a fault should name."""
    return f"Cardroom {version.written()}"
