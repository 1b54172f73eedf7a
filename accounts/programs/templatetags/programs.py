"""The connected programs as a part of the account page."""

from typing import Any

from django import template

from accounts.programs.services import connections_of, meanings

register = template.Library()


@register.inclusion_tag("programs/connected.html", takes_context=True)
def connected_programs(context: dict[str, Any]) -> dict[str, Any]:
    user = context["user"]
    rows = [(row, meanings(row.scopes)) for row in connections_of(user)]
    return {"rows": rows, "user": user, "csrf_token": context.get("csrf_token")}
