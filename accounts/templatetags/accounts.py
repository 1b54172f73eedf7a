"""Accounts in templates: messages of operators, the version, blocked people."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from accounts.audit.log import unread_by
from accounts.social.selectors import blocks_of
from config import club
from config.settings.libraries import PROVIDER

register = template.Library()


@register.inclusion_tag("account/notices.html", takes_context=True)
def told_by_operators(context: dict[str, Any]) -> dict[str, Any]:
    """Announcements to everybody, and the unread messages, each with a button.

    One query, and none without a signed-in reader.
    """
    user, request = context.get("user"), context.get("request")
    closed = request.COOKIES.get(club.CLOSED, "") if request else ""
    every = club.announcements(user)
    return {
        "plans": [one for one in (club.read_only_sentence(), club.maintenance_sentence()) if one],
        "announcements": [
            (one, one.text_in(get_language() or "en"))
            for one in every
            if not (one.is_dismissable and str(one.pk) in closed)
        ],
        "notices": unread_by(user) if user is not None and user.is_authenticated else (),
        "back": request.path if request else "/",
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag
def this_club() -> club.Place:
    """The place, for what is rendered without a request."""
    return club.PLACE


@register.simple_tag(takes_context=True)
def club_sign_in(context: dict[str, Any]) -> dict[str, str] | None:
    """The provider of the club's own, if there is one, and the way there and back to ``next``."""
    if not settings.OIDC["server"]:
        return None
    to = context["request"].GET.get("next", "")
    login = reverse("openid_connect_login", kwargs={"provider_id": PROVIDER})
    return {"name": settings.OIDC["name"], "login": f"{login}?{urlencode({'next': to})}"}


# The block list as a part of the account page.


@register.inclusion_tag("social/blocks.html", takes_context=True)
def blocked_players(context: dict[str, Any]) -> dict[str, Any]:
    return {"blocks": blocks_of(context["user"]), "csrf_token": context.get("csrf_token")}
