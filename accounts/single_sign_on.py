"""Sign-in of the club's own: one OpenID Connect provider, whose groups may be roles here.

allauth speaks to the provider. A person whom it sends for the first time gets an account under the
name that it says, or the next free one; a guest keeps the matches. An account with a password is
connected on its own page, never because an address is the same.
"""

import re
import secrets
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from allauth.account.internal.flows.manage_email import assess_unique_email
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from accounts import services
from accounts.audit import log
from accounts.models import User
from accounts.refusals import BadAccount, UsernameTaken
from accounts.staff_pages import ROLES
from config.settings.libraries import PROVIDER

TRIES: Final = 20  # names with a number, before one by chance
SECONDS: Final = 5.0
NEEDED: Final = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
WRONG_CLIENT: Final = frozenset({"invalid_client", "unauthorized_client"})


class ProviderFails(Exception):
    """The provider cannot be used as it is set; the text is for operators."""


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Of what the provider says nothing is kept but the name. A guest is remembered here, for
        allauth signs it out before a new account is made.
        """
        sociallogin.claims = _claims(sociallogin.account.extra_data)
        sociallogin.account.extra_data = {"name": _name(sociallogin.claims)}
        sociallogin.token = None  # nor does a session hold it until the password is typed
        if isinstance(request.user, User) and request.user.is_guest:
            sociallogin.guest = request.user
            sociallogin.state["process"] = AuthProcess.LOGIN  # a guest has nothing to connect
        if sociallogin.is_existing:
            sociallogin.account.save(update_fields=["extra_data"])
            give_roles(sociallogin.user, sociallogin.claims)
            return
        addresses = sociallogin.email_addresses
        if addresses and assess_unique_email(addresses[0].email) is not True:
            sociallogin.email_addresses = []  # it is that of another account

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return bool(settings.OIDC["signup"])

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        emails = [one.email for one in sociallogin.email_addresses if one.verified]
        user = _new_account(
            _name(sociallogin.claims), next(iter(emails), ""), getattr(sociallogin, "guest", None)
        )
        sociallogin.user = user
        sociallogin.save(request)
        give_roles(user, sociallogin.claims)
        return user


def _claims(data: dict[str, Any]) -> dict[str, Any]:
    """Those of the token, and of the person's page at the provider, which come first."""
    return {**data.get("id_token", {}), **data.get("userinfo", {})}


def _name(claims: dict[str, Any]) -> str:
    email = str(claims.get("email", "")).partition("@")[0]
    return str(claims.get("preferred_username") or claims.get("name") or email)


def _new_account(wish: str, email: str, guest: User | None) -> User:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", wish.partition("@")[0]).strip("-")[:24] or "player"
    plain = plain if len(plain) > 2 else f"{plain}-player"
    numbered = (f"{plain}{number}" for number in range(2, TRIES))
    for name in (plain, *numbered):
        with suppress(BadAccount, UsernameTaken):
            return services.register_elsewhere(username=name, email=email, guest=guest)
    name = f"player-{secrets.token_hex(4)}"
    return services.register_elsewhere(username=name, guest=guest)


@transaction.atomic
def give_roles(user: User, claims: dict[str, Any]) -> None:
    """The roles of the person's groups, and no others, where groups are mapped; in the audit log.

    A superuser is nobody's to demote.
    """
    mapping = settings.OIDC["roles"]
    if not mapping or user.is_superuser:
        return
    groups = claims.get(settings.OIDC["claim"], [])
    named = groups if isinstance(groups, list) else [groups]
    wanted = {mapping[group] for group in named if isinstance(group, str) and group in mapping}
    before = set(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
    if wanted == before:
        return
    user.groups.remove(*Group.objects.filter(name__in=before - wanted))
    user.groups.add(*Group.objects.filter(name__in=wanted - before))
    user.is_staff = bool(wanted)
    user.save(update_fields=["is_staff"])
    details = {"before": sorted(before), "after": sorted(wanted)}
    log.write(settings.OIDC["name"], "change_roles", "person", user.pk, user.username, **details)


def callback() -> str:
    """The address that the provider's client has to allow."""
    return settings.SITE_URL + reverse("openid_connect_callback", args=[PROVIDER])


def try_provider() -> str:
    """Asks the provider for its addresses, and whether it knows this client: a code that is none
    has to be all that it complains of. Raises ``ProviderFails``.
    """
    server = settings.OIDC["server"]
    if not server:
        raise ProviderFails("OIDC_SERVER is not set: there is no sign-in of the club's own.")
    document = _json(requests.get, f"{server}/.well-known/openid-configuration")
    if missing := [name for name in NEEDED if not isinstance(document.get(name), str)]:
        raise ProviderFails(f"{server} does not say its {', '.join(missing)}.")
    if document["issuer"].rstrip("/") != server:
        raise ProviderFails(
            f"It calls itself {document['issuer']}: that is what OIDC_SERVER has to be."
        )
    client, secret = settings.OIDC["client"], settings.OIDC["secret"]
    methods = document.get("token_endpoint_auth_methods_supported") or []
    # As allauth chooses.
    is_basic = "client_secret_basic" in methods and "client_secret_post" not in methods
    answer = _json(
        requests.post,
        document["token_endpoint"],
        data={
            "grant_type": "authorization_code",
            "code": "none",
            "redirect_uri": callback(),
            **({} if is_basic else {"client_id": client, "client_secret": secret}),
        },
        auth=(client, secret) if is_basic else None,
    )
    if answer.get("error") in WRONG_CLIENT:
        raise ProviderFails("It does not know OIDC_CLIENT_ID, or its secret is another one.")
    return f"{urlsplit(server).netloc} answers and knows this client."


def _json(call: Any, address: str, **more: Any) -> dict[str, Any]:
    try:
        answer = call(address, timeout=SECONDS, **more).json()
    except requests.JSONDecodeError:
        raise ProviderFails(f"{address} does not answer with JSON.") from None
    except requests.RequestException as error:
        raise ProviderFails(f"{address} cannot be reached: {type(error).__name__}.") from None
    return answer if isinstance(answer, dict) else {}
