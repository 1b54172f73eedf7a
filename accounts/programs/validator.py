"""The decisions that oauthlib leaves to the service, made strict.

allauth's validator knows clients and their secrets. Its own answers to these were too lenient or
kept codes in the cache, which may lose or repeat them: PKCE for public clients only and also in
plain text, redirect addresses compared by parts, a code that two requests at once both redeem, an
old refresh token without consequence, a revocation of anybody's token.
"""

import secrets
from datetime import timedelta
from hmac import compare_digest
from typing import Any, Final

from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.models import Client
from django.utils import timezone
from knox.crypto import hash_token
from oauthlib.common import Request

from accounts.models import Key
from accounts.programs import selectors, services
from accounts.programs.models import Connection
from accounts.programs.redirects import is_allowed

S256: Final = "S256"


class Validator(OAuthLibRequestValidator):  # type: ignore[misc]
    """One for each request; the connection that the request is about is kept here."""

    connection: Connection | None = None

    # --- the program and where it lets people return

    def _lookup_client(self, request: Request, client_id: Any) -> Client | None:
        return selectors.usable_client(client_id) if isinstance(client_id, str) else None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        return is_allowed(redirect_uri, request.client.get_redirect_uris())

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
        connection = selectors.locked_by_code(client, code)
        if connection is None:
            return False
        if connection.connected_at is not None:
            connection.delete()
            return False
        if connection.expires_at <= timezone.now() or not connection.user.is_active:
            return False
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
        return self.connection is not None and redirect_uri == self.connection.redirect_uri

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """`services.give_tokens` has marked it as used, in the same transaction."""

    # --- tokens

    def validate_refresh_token(
        self, refresh_token: str, client: Client, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """A refresh token that was used before ends its whole family."""
        connection = selectors.locked_by_refresh(client, refresh_token)
        if connection is None or not connection.user.is_active:
            return False
        newest = hash_token(refresh_token.partition(".")[2])
        if not compare_digest(newest, connection.refresh_digest):
            connection.delete()
            return False
        if connection.expires_at <= timezone.now():
            return False
        self.connection = connection
        request.user = connection.user
        return True

    def get_original_scopes(
        self, refresh_token: str, request: Request, *args: Any, **kwargs: Any
    ) -> list[str]:
        return list(self.connection.scopes) if self.connection else []

    def rotate_refresh_token(self, request: Request) -> bool:
        return True

    def new_refresh_token(self, request: Request) -> str:
        """The first part names the family, which all tokens of one consent have in common."""
        family = (request.refresh_token or "").partition(".")[0] or services.new_secret()
        return f"{family}.{secrets.token_urlsafe(services.SECRET_BYTES)}"

    def save_bearer_token(
        self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any
    ) -> None:
        if self.connection is None:  # no grant of ours comes here without one
            raise RuntimeError("A token without a connection.")
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
        connection = selectors.locked_by_refresh(request.client, token)
        if connection is not None:
            connection.delete()
        Key.objects.filter(digest=hash_token(token), connection__client=request.client).delete()
