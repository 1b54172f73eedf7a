"""oauthlib's endpoints with the one grant that OAuth 2.1 has for people, and its refresh."""

import re
from base64 import b64encode
from datetime import timedelta
from functools import partial
from hmac import compare_digest
from typing import Any, ClassVar, Final
from urllib.parse import unquote_plus

from allauth.core.internal.httpkit import extract_basic_auth
from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.models import Client
from django.http import HttpRequest
from django.utils import timezone
from django.utils.http import urlencode
from knox.crypto import hash_token
from oauthlib.common import Request
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    InvalidClientError,
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
    RefreshTokenGrant,
    RevocationEndpoint,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.grant_types.authorization_code import code_challenge_method_s256

from accounts.models import Key
from accounts.programs import services
from accounts.programs.models import Connection
from accounts.programs.services import ACCESS_LIFE, is_allowed
from config.api.scopes import SCOPES

# The decisions that oauthlib leaves to the service, made strict.
#
# allauth's validator knows clients and their secrets. Its own answers to these were too lenient
# or kept codes in the cache, which may lose or repeat them: PKCE for public clients only and also
# in plain text, redirect addresses compared by parts, a code that two requests at once both
# redeem, an old refresh token without consequence, a revocation of anybody's token. Each "no"
# says what is wrong (``error_description``), to the program that has proved itself.

S256: Final = "S256"


class Validator(OAuthLibRequestValidator):  # type: ignore[misc]
    """One for each request; the connection that the request is about is kept here."""

    connection: Connection | None = None
    successors: services.Successors | None = None  # of the refresh token that was presented
    repeated: Key | None = None  # the access token that the lost answer held

    # --- the program and where it lets people return

    def _lookup_client(self, request: Request, client_id: Any) -> Client | None:
        client = services.usable_client(client_id) if isinstance(client_id, str) else None
        if client is not None:
            client.check_secret = partial(services.holds_secret, client)
        return client

    def authenticate_client(self, request: Request, *args: Any, **kwargs: Any) -> bool:
        """By HTTP Basic as RFC 6749 §2.3.1 has it, form-encoded, or as many clients send it."""
        if super().authenticate_client(request, *args, **kwargs):
            return True
        plain = extract_basic_auth(request.headers)
        decoded = ":".join(unquote_plus(part or "") for part in plain)
        if None not in plain and decoded != ":".join(plain):
            request.headers["Authorization"] = f"Basic {b64encode(decoded.encode()).decode()}"
            if super().authenticate_client(request, *args, **kwargs):
                return True
        raise InvalidClientError("This program is not known, or its secret is wrong.")

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return is_allowed(redirect_uri, request.client.get_redirect_uris())

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Client, request: Request, *args: Any
    ) -> bool:
        if not super().validate_scopes(client_id, scopes, client, request):
            raise InvalidScopeError(f"The scopes are: {', '.join(SCOPES)}.")
        return True

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return True

    # --- the code

    def save_authorization_code(
        self, client_id: str, code: dict[str, Any], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        given = services.Consent(
            client=request.client,
            user=request.user,
            scopes=request.scopes,
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge,
        )
        services.consent(given, code["code"])

    def validate_code(
        self, client_id: str, code: str, client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """A code that was redeemed before was stolen, then or now: its tokens end."""
        connection = services.locked_by_code(client, code)
        if connection is None:
            raise InvalidGrantError("This code is not known, or is that of another program.")
        if connection.connected_at is not None:
            connection.delete()
            raise InvalidGrantError("This code was used before; every token of it has ended.")
        if connection.expires_at <= timezone.now():
            raise InvalidGrantError("This code has expired; it lasts a minute.")
        _check_account(connection)
        self.connection = connection
        request.user, request.scopes = connection.user, list(connection.scopes)
        return True

    def get_code_challenge(self, code: str, request: Request) -> str | None:
        return self.connection.code_challenge if self.connection else None

    def get_code_challenge_method(self, code: str, request: Request) -> str | None:
        return S256

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Client,
        request: Request,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        if self.connection is None or redirect_uri != self.connection.redirect_uri:
            raise InvalidGrantError("redirect_uri is not that of the authorization request.")
        return True

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """`services.give_tokens` has marked it as used, in the same transaction."""

    # --- tokens

    def validate_refresh_token(
        self, refresh_token: str, client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """A refresh token that was used before ends its whole family.

        Except the last one for a minute, as long as the newest was not used: the answer to it may
        have been lost, and is given again.
        """
        connection = services.locked_by_refresh(client, refresh_token)
        if connection is None:
            raise InvalidGrantError("This refresh token is not known, was revoked, or has ended.")
        _check_account(connection)
        newest = hash_token(refresh_token.partition(".")[2])
        if not compare_digest(newest, connection.refresh_digest):
            self.successors = services.successors(refresh_token, connection.refresh_nonce)
            since = timezone.now() - services.REPEATED_WITHIN
            lost = self.successors._asdict()
            self.repeated = services.lost_answer(connection, **lost, since=since)
            if self.repeated is None:
                connection.delete()
                raise InvalidGrantError(
                    "This refresh token was used before; every token of this consent has ended."
                )
        elif connection.expires_at <= timezone.now():
            raise InvalidGrantError("This refresh token has expired.")
        else:
            connection.refresh_nonce = services.new_secret()
            self.successors = services.successors(refresh_token, connection.refresh_nonce)
        self.connection = connection
        request.user = connection.user
        return True

    def get_original_scopes(
        self, refresh_token: str, request: Request, *args: Any, **kwargs: Any
    ) -> list[str]:
        return list(self.connection.scopes) if self.connection else []

    def rotate_refresh_token(self, request: Request) -> bool:
        return True

    def new_access_token(self, _request: Request) -> str:
        return self.successors.access if self.successors else services.new_secret()

    def new_refresh_token(self, _request: Request) -> str:
        """The first part names the family, which all tokens of one consent have in common."""
        if self.successors:
            return self.successors.refresh
        return f"{services.new_secret()}.{services.new_secret()}"

    def save_bearer_token(
        self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        if self.connection is None:  # no grant of ours comes here without one
            raise RuntimeError("A token without a connection.")
        if self.repeated is not None:
            left = services.seconds_left(self.repeated)
            token.update(scope=" ".join(self.repeated.scopes), expires_in=left)
            return
        services.give_tokens(
            self.connection,
            access=token["access_token"],
            refresh=token["refresh_token"],
            scopes=request.scopes,
            life=timedelta(seconds=token["expires_in"]),
        )

    def revoke_token(
        self, token: str, token_type_hint: str | None, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """A program ends its own tokens only; a refresh token takes the family with it."""
        connection = services.locked_by_refresh(request.client, token)
        if connection is not None:
            connection.delete()
        Key.objects.filter(digest=hash_token(token), connection__client=request.client).delete()


def _check_account(connection: Connection) -> None:
    if not connection.user.is_active:
        raise InvalidGrantError("The account that allowed this is closed or suspended.")


Parts = tuple[str, str, str, dict[str, str]]
CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")  # a SHA-256 in base64url


class CodeGrant(AuthorizationCodeGrant):  # type: ignore[misc]
    _code_challenge_methods: ClassVar = {S256: code_challenge_method_s256}  # never in plain text

    def validate_authorization_request(self, request: Request) -> tuple[list[str], dict[str, Any]]:
        answer: tuple[list[str], dict[str, Any]] = super().validate_authorization_request(request)
        if not CHALLENGE.fullmatch(request.code_challenge):
            raise InvalidRequestError("code_challenge is no SHA-256 in base64url.", request=request)
        if request.response_mode not in (None, "query"):
            raise InvalidRequestError("The only response_mode is query.", request=request)
        return answer

    def validate_code_challenge(self, challenge: str, challenge_method: str, verifier: str) -> bool:
        if super().validate_code_challenge(challenge, challenge_method, verifier):
            return True
        raise InvalidGrantError("code_verifier does not belong to the code_challenge.")


class Server(AuthorizationEndpoint, TokenEndpoint, RevocationEndpoint):  # type: ignore[misc]
    """For one request."""

    def __init__(self) -> None:
        validator = Validator()
        bearer = BearerToken(
            validator,
            token_generator=validator.new_access_token,
            expires_in=int(ACCESS_LIFE.total_seconds()),
            refresh_token_generator=validator.new_refresh_token,
        )
        code, refresh = CodeGrant(validator), RefreshTokenGrant(validator)
        grants = {"authorization_code": code, "refresh_token": refresh}
        AuthorizationEndpoint.__init__(self, "code", bearer, {"code": code})
        TokenEndpoint.__init__(self, "authorization_code", bearer, grants)
        RevocationEndpoint.__init__(self, validator)


def address_of(request: HttpRequest) -> str:
    """The path and query of a request, encoded again: oauthlib refuses some encodings."""
    query = urlencode(list(request.GET.lists()), doseq=True)
    return f"{request.path}?{query}" if query else request.path


def parts_of(request: HttpRequest) -> Parts:
    """A request of a program, as oauthlib wants it."""
    headers: dict[str, Any] = {}
    for name in ("Authorization", "Content-Type", "Origin"):
        if name in request.headers:
            headers[name] = request.headers[name]
    body = urlencode(list(request.POST.lists()), doseq=True)
    return address_of(request), request.method or "", body, headers
