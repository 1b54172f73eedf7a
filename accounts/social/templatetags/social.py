"""The block list as a part of the account page."""

from typing import Any

from django import template

from accounts.social.selectors import blocks_of

register = template.Library()


@register.inclusion_tag("social/blocks.html", takes_context=True)
def blocked_players(context: dict[str, Any]) -> dict[str, Any]:
    return {"blocks": blocks_of(context["user"]), "csrf_token": context.get("csrf_token")}
