"""Accounts in templates: messages of operators, the version, blocked people."""

from typing import Any, Final
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.forms.utils import flatatt
from django.urls import reverse
from django.utils.translation import get_language

from accounts.audit.log import REASON_LENGTH, SHORTEST_REASON, unread_by
from accounts.models import USERNAME_LENGTH
from accounts.social.selectors import blocks_of
from accounts.web import AS_TYPED
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


# The bounds of fields that many forms have.

USERNAME: Final = {"name": "username", "maxlength": str(USERNAME_LENGTH), "autocomplete": "off"}
OF_USERNAME: Final = flatatt(USERNAME | AS_TYPED | {"required": True})
REASON: Final = {"name": "reason", "minlength": str(SHORTEST_REASON)}
OF_REASON: Final = flatatt(REASON | {"maxlength": str(REASON_LENGTH), "required": True})


@register.simple_tag
def username_attributes() -> str:
    """Of a field for somebody's username."""
    return OF_USERNAME


@register.simple_tag
def reason_attributes() -> str:
    """Of a field in which an operator says why."""
    return OF_REASON


# The block list as a part of the account page.


@register.inclusion_tag("social/blocks.html", takes_context=True)
def blocked_players(context: dict[str, Any]) -> dict[str, Any]:
    return {"blocks": blocks_of(context["user"]), "csrf_token": context.get("csrf_token")}
