"""Signing in a request: keys, passwords, the second factor, and who is locked out."""

import math
from copy import copy
from typing import Any, Final, cast

from allauth.account.auth_backends import AuthenticationBackend
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from allauth.mfa.utils import is_mfa_enabled
from axes.helpers import get_cool_off
from django.contrib.auth import authenticate, user_logged_in
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_noop
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import services
from accounts.locking import suspension_of
from accounts.models import Key, User
from accounts.refusals import BadCredentials, LockedOut, SecondFactorRequired, TooManyWrongCodes
from accounts.services import ended_key, key_by_digest
from config.api.errors import ProblemResponse
from config.api.scopes import MissingScope, Scope, needs_own_key, required_scope
from config.api.throttles import WrongPasswords
from config.refusals import NotAllowed

# The account of a caller: of any caller, or of one who must have one.


def account_of(request: HttpRequest | Request) -> User | None:
    """The caller's; ``None`` of a view that is open to everybody and has a visitor."""
    return request.user if isinstance(request.user, User) else None


def signed_in(request: HttpRequest | Request) -> User:
    """The caller; the permissions of the view have checked that there is one."""
    return cast("User", request.user)


# Checks the password of a signed-in person again, before anything that cannot be undone.


def knows_password(request: HttpRequest, user: User, password: str) -> bool:
    """A wrong password counts as one of a sign-in does, up to the lock-out."""
    return authenticate(request, username=user.username, password=password) == user


# The second factor of a sign-in: a code of an authenticator, a passkey, or a recovery code
# (allauth.mfa). The API knows no passkeys: of an account that has nothing else it takes a recovery
# code.


def has_second_factor(user: Any) -> bool:
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))


def check_code(user: User, code: str) -> None:
    """After the right password: raises BadCredentials unless the code is right as well.

    Each code opens once. Wrong ones are counted by account (TooManyWrongCodes), as on the page.
    """
    if not has_second_factor(user):
        return
    if not code:
        raise SecondFactorRequired
    form = AuthenticateForm(user=user, data={"code": code})
    if form.is_valid():
        form.authenticator.record_usage()
        return
    if form.has_error("code", "too_many_login_attempts"):
        raise TooManyWrongCodes
    raise BadCredentials("The code is wrong, or was used already.")


@receiver(authentication_failed)
def count_wrong_code(request: HttpRequest, user: User, **_: Any) -> None:
    """A wrong code counts like a wrong password, here and on the page of allauth."""
    credentials = {"username": user.username}
    user_login_failed.send(sender=User, credentials=credentials, request=request)


# Too many wrong passwords: django-axes counts them by account, this module by address.


@receiver(user_login_failed)
def count_failure(request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        WrongPasswords.take(request)


def lockout_response(
    request: HttpRequest, _response: HttpResponse | None = None, _credentials: Any = None
) -> HttpResponse:
    """AXES_LOCKOUT_CALLABLE: a problem below /api/, a page elsewhere."""
    wait = get_cool_off(request)
    seconds = math.ceil(wait.total_seconds()) if wait else 0
    headers = {"Retry-After": str(seconds)}
    if not request.path.startswith("/api/"):
        context = {"minutes": math.ceil(seconds / 60)}
        page = render_to_string("account/locked_out.html", context, request)
        return HttpResponse(page, status=429, headers=headers)
    sentence = f"Too many wrong passwords for this account. Try again in {seconds} s."
    return ProblemResponse(LockedOut(sentence), headers)


def lower_username(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """AXES_USERNAME_CALLABLE: `Ada` and `ADA` are one account, with one count."""
    typed = (credentials or {}).get("username") or request.POST.get("login") or ""
    return str(typed).lower()


# The caller: a program with its key, or a person with a password.
#
# The move path does not come through `KeyAuthentication`: it takes `key_digest` of the header and
# joins key and user into its one SELECT, with the conditions of `selectors.valid_keys`.

SCHEME: Final = "Token"
SCHEMES: Final = frozenset({"token", "bearer"})  # of keys, of tokens of programs; both take both
BAD_KEY: Final = gettext_noop(
    "This key is unknown, revoked or expired. Get a new one at accounts/token."
)
BAD_TOKEN: Final = gettext_noop(
    "This access token is unknown, revoked or expired. Refresh it at /oauth/token."
)
BAD_BEARER: Final = (
    'error="invalid_token", error_description="The access token is unknown, revoked or expired."'
)


def key_digest(header: str | None) -> str | None:
    """The digest of the key in an Authorization header; None if it holds no key."""
    scheme, _, secret = (header or "").partition(" ")
    return hash_token(secret.strip()) if scheme.lower() in SCHEMES else None


def is_bearer(request: Request) -> bool:
    """Whether the caller speaks RFC 6750, and reads what it says of errors."""
    header: str = request.META.get("HTTP_AUTHORIZATION", "")
    return header.partition(" ")[0].lower() == "bearer"


def scope_of(request: Request) -> Scope | None:
    """The scope that a key needs for this request."""
    return required_scope(request.parser_context.get("view"), request.method or "")


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Token <key>`, or `Bearer <token>`; `request.auth` is the key. One query.

    The SELECT of the move path finds only keys that have the scope; what is wrong with others is
    decided here.
    """

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        digest = key_digest(request.META.get("HTTP_AUTHORIZATION"))
        if digest is None:
            return None
        key = key_by_digest(digest)
        if key is None:
            raise _refused(digest, bearer=is_bearer(request))
        scope = scope_of(request)
        if scope is not None and scope not in key.scopes:
            raise MissingScope(scope, bearer=is_bearer(request))
        view = request.parser_context.get("view")
        if key.connection_id is not None and needs_own_key(view, request.method or ""):
            raise NotAllowed("A connected program cannot do this. Use a key of your own.")
        services.record_key_use(key)
        return key.user, key

    def authenticate_header(self, request: Request) -> str:
        """The challenge of a 401: RFC 6750 to those who speak it, and RFC 9728 says where to go."""
        if is_bearer(request):
            return f"{_bearer(request)}, {BAD_BEARER}"
        return SCHEME if "HTTP_AUTHORIZATION" in request.META else f"{_bearer(request)}, {SCHEME}"


def _bearer(request: Request) -> str:
    return f'Bearer resource_metadata="{request.build_absolute_uri(reverse("oauth_resource"))}"'


def _refused(digest: str, *, bearer: bool) -> Exception:
    """The program of a suspended person reads why; any other reads what to do."""
    key = ended_key(digest)
    is_over = key is None or (key.expires_at is not None and key.expires_at <= timezone.now())
    suspended = suspension_of(key.user_id) if key and not (is_over or key.user.is_active) else None
    is_token = key.connection_id is not None if key else bearer
    return suspended or AuthenticationFailed(BAD_TOKEN if is_token else BAD_KEY)


def user_by_password(request: HttpRequest, *, username: str, password: str, code: str = "") -> User:
    """Raises BadCredentials, SecondFactorRequired, or Suspended if the password is right.

    After too many guesses the lock-out answers. ``code`` belongs to the second factor of the
    account, if it has one.
    """
    AuthenticationBackend.unstash_authenticated_user()  # of an earlier request of this thread
    user = authenticate(request, username=username.strip(), password=password)
    closed = AuthenticationBackend.unstash_authenticated_user()
    if not isinstance(user, User):
        raise (suspension_of(closed.pk) if closed is not None else None) or BadCredentials()
    check_code(user, code)
    without_cookies = copy(request)  # axes would begin a session for its log
    vars(without_cookies).pop("session", None)
    user_logged_in.send(sender=User, request=without_cookies, user=user)  # forgets wrong guesses
    return user
