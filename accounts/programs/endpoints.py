"""What programs call themselves: tokens for a code, revocation, and the discovery documents."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from accounts.programs.consent import issuer
from accounts.programs.server import Server, parts_of
from config.api.scopes import SCOPES
from config.api.throttles import spend
from config.counting.client_address import client_address

Answer = tuple[dict[str, str], Any, int]
API: Final = "/api/v1"
PUBLIC: Final = {"Cache-Control": "public, max-age=3600"}


def _for_programs(answer: Callable[[HttpRequest], Answer]) -> Callable[..., HttpResponse]:
    """A POST without cookies: nothing is to forge. What the validator ends stays ended."""

    @csrf_exempt
    def view(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            fault = {"error": "invalid_request", "error_description": "Send it with POST."}
            return JsonResponse(fault, status=405, headers={"Allow": "POST"})
        wait = spend("anon", f"@{client_address(request)}")
        if wait is not None:
            headers = {"Retry-After": str(int(wait) + 1)}
            return JsonResponse({"error": "temporarily_unavailable"}, status=429, headers=headers)
        try:
            with transaction.atomic():
                headers, body, status = answer(request)
        except ValueError:  # oauthlib could not read it
            headers, body, status = {}, '{"error": "invalid_request"}', 400
        if status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = 'Basic realm="Cardroom", charset="UTF-8"'
        response = HttpResponse(body, status=status, content_type="application/json")
        for name, value in {"Cache-Control": "no-store", **headers}.items():
            response[name] = value
        return response

    return view


@_for_programs
def token(request: HttpRequest) -> Answer:
    answer: Answer = Server().create_token_response(*parts_of(request))
    return answer


@_for_programs
def revoke(request: HttpRequest) -> Answer:
    answer: Answer = Server().create_revocation_response(*parts_of(request))
    return answer


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """RFC 8414. Programs find here where everything is and what is spoken."""

    def at(name: str) -> str:
        return request.build_absolute_uri(reverse(name))

    methods = ["none", "client_secret_basic", "client_secret_post"]
    facts = {
        "issuer": issuer(request),
        "authorization_endpoint": at("oauth_authorize"),
        "token_endpoint": at("oauth_token"),
        "revocation_endpoint": at("oauth_revoke"),
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": request.build_absolute_uri("/docs/api/programs/"),
        "protected_resources": [request.build_absolute_uri(API)],
    }
    return JsonResponse(facts, headers=PUBLIC)


@require_safe
def resource(request: HttpRequest, path: str = "") -> HttpResponse:
    """RFC 9728. Which server gives tokens for the API; an answer of 401 leads here.

    The address of the resource follows from that of the document.
    """
    facts = {
        "resource": request.build_absolute_uri(f"/{path}").rstrip("/"),
        "resource_name": "Cardroom",
        "authorization_servers": [issuer(request)],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_documentation": request.build_absolute_uri("/docs/api/"),
    }
    return JsonResponse(facts, headers=PUBLIC)
