"""What operators told the reader of a page."""

from typing import Any

from django import template

from accounts.audit.notices import unread_by

register = template.Library()


@register.inclusion_tag("account/notices.html", takes_context=True)
def told_by_operators(context: dict[str, Any]) -> dict[str, Any]:
    """One query, and only for who is signed in; unread ones with a button."""
    user, request = context.get("user"), context.get("request")
    return {
        "notices": unread_by(user) if user is not None and user.is_authenticated else (),
        "back": request.path if request else "/",
        "csrf_token": context.get("csrf_token"),
    }
