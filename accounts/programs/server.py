"""oauthlib's endpoints with the one grant that OAuth 2.1 has for people, and its refresh."""

import re
from typing import Any, ClassVar, Final

from django.http import HttpRequest
from django.utils.http import urlencode
from oauthlib.common import Request
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    InvalidGrantError,
    InvalidRequestError,
    RefreshTokenGrant,
    RevocationEndpoint,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.grant_types.authorization_code import code_challenge_method_s256

from accounts.programs.services import ACCESS_LIFE
from accounts.programs.validator import S256, Validator

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
