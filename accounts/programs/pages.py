"""Programs as pages: their list, consent, and the endpoints of OAuth 2.1."""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from allauth.idp.oidc.models import Client
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import OAuth2Error

from accounts.models import KEY_NAME_LENGTH
from accounts.names import shown_name
from accounts.programs import services
from accounts.programs.server import Server, address_of, parts_of
from accounts.signing_in import signed_in
from config.api.scopes import SCOPES
from config.api.throttles import spend
from config.club import PLACE
from config.counting import client_address
from config.words import sentence_of


class ProgramForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the program"), max_length=KEY_NAME_LENGTH)
    redirect_uris = forms.CharField(
        label=gettext_lazy("Where people return to, one address a line"),
        help_text=gettext_lazy("The redirect URI that the program sends, letter by letter."),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=5000,
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Where it runs"),
        choices=[
            ("public", gettext_lazy("With its users: in a browser, on a phone or a computer")),
            ("confidential", gettext_lazy("On a server of yours, which can keep a secret")),
        ],
    )

    def clean_name(self) -> str:
        return shown_name(self.cleaned_data["name"])

    def clean_redirect_uris(self) -> list[str]:
        lines = self.cleaned_data["redirect_uris"].split()
        if not 0 < len(lines) <= services.MOST:
            raise forms.ValidationError(
                gettext("Give one to {most} addresses.").format(most=services.MOST)
            )
        try:
            return [services.check_redirect(line) for line in lines]
        except services.BadRedirect as refusal:
            raise forms.ValidationError(sentence_of(refusal)) from refusal


class ProgramChangeForm(ProgramForm):
    kind = None  # type: ignore[assignment]  # it stays as it was registered


@require_safe
@never_cache
@login_required
def programs(request: HttpRequest) -> HttpResponse:
    if signed_in(request).is_guest:
        return redirect("account_signup")
    return _page(request, ProgramForm())


@require_POST
@never_cache
@login_required
def register(request: HttpRequest) -> HttpResponse:
    """Responds with the page itself: the secret is not stored, so a redirect would lose it."""
    if signed_in(request).is_guest:
        return redirect("account_signup")
    form = ProgramForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        program = services.register(
            owner=signed_in(request),
            name=form.cleaned_data["name"],
            redirect_uris=form.cleaned_data["redirect_uris"],
            confidential=form.cleaned_data["kind"] == "confidential",
        )
    except services.TooManyPrograms as refusal:
        form.add_error(None, sentence_of(refusal))
        return _page(request, form, status=409)
    return _page(request, ProgramForm(), program=program, status=201)


@require_POST
@never_cache
@login_required
def change(request: HttpRequest, client_id: str) -> HttpResponse:
    services.program_of(signed_in(request), client_id)  # another person's is not there
    form = ProgramChangeForm(request.POST, auto_id=f"{client_id}-%s")
    if not form.is_valid():
        return _page(request, ProgramForm(), status=422, changing=(client_id, form))
    services.change(owner=signed_in(request), client_id=client_id, **form.cleaned_data)
    messages.success(request, gettext("The program is changed; everybody stays connected."))
    return redirect("programs")


@require_POST
@never_cache
@login_required
def rotate(request: HttpRequest, client_id: str) -> HttpResponse:
    """Responds with the page itself, as for a new program."""
    program = services.rotate(owner=signed_in(request), client_id=client_id)
    return _page(request, ProgramForm(), rotated=program, status=201)


@require_POST
@login_required
def delete(request: HttpRequest, client_id: str) -> HttpResponse:
    with suppress(services.NoSuchProgram):  # deleted already
        services.delete_program(owner=signed_in(request), client_id=client_id)
        messages.success(request, gettext("The program is deleted; nobody is connected any more."))
    return redirect("programs")


@require_POST
@login_required
def disconnect(request: HttpRequest, connection_id: UUID) -> HttpResponse:
    with suppress(services.NoSuchConnection):  # disconnected already
        services.disconnect(user=signed_in(request), connection_id=connection_id)
        messages.success(request, gettext("The program is disconnected."))
    return redirect("account")


def _page(
    request: HttpRequest,
    form: ProgramForm,
    *,
    status: int = 200,
    changing: tuple[str, ProgramForm] | None = None,
    **shown: Any,
) -> HttpResponse:
    """``changing``: the form of one program that could not be changed as it was sent."""
    sent = dict([changing] if changing else [])
    own = [
        (client, sent.get(client.pk) or _change_form(client))
        for client in services.programs_of(signed_in(request))
    ]
    context = {"form": form, "own": own, **shown}
    return render(request, "programs/programs.html", context, status=status)


def _change_form(client: Client) -> ProgramForm:
    values = {"name": client.name, "redirect_uris": "\n".join(client.get_redirect_uris())}
    return ProgramChangeForm(initial=values, auto_id=f"{client.pk}-%s")


# The page on which a person allows a program to act for them, or does not.
#
# A request with a fault goes back to the program with an error (RFC 6749 §4.1.2.1). If the
# program or the address of the way back is not known, the fault is shown here, and nobody is sent
# on.


class ConsentForm(forms.Form):
    scopes = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one, or do not allow it.")},
    )

    def __init__(self, scopes: list[str], sent: QueryDict | None) -> None:
        super().__init__(sent, initial={"scopes": scopes})
        choices = [(one.scope, one.sentence) for one in services.meanings(scopes)]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]


class Redirect(HttpResponse):
    """Django's own redirect knows the schemes of the web only."""

    def __init__(self, address: str) -> None:
        super().__init__(status=302, headers={"Location": address})


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def authorize(request: HttpRequest) -> HttpResponse:
    if signed_in(request).is_guest:
        return redirect("account_signup")
    try:
        scopes, facts = Server().validate_authorization_request(address_of(request))
    except (OAuth2Error, ValueError) as fault:
        return _refused(request, fault)
    form = ConsentForm(scopes, request.POST if request.method == "POST" else None)
    if request.POST.get("answer") == "deny":
        return _back(request, facts["redirect_uri"], error="access_denied")
    if request.POST.get("answer") != "allow" or not form.is_valid():
        return _consent_page(request, facts, form)
    headers, _, _ = Server().create_authorization_response(
        address_of(request),
        scopes=form.cleaned_data["scopes"],
        credentials={"user": signed_in(request)},
    )
    return Redirect(add_params_to_uri(headers["Location"], [("iss", issuer(request))]))


def issuer(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _consent_page(request: HttpRequest, facts: dict[str, Any], form: ConsentForm) -> HttpResponse:
    context = {"client": facts["request"].client, "form": form, "to": facts["redirect_uri"]}
    status = 422 if form.is_bound else 200
    response = render(request, "programs/consent.html", context, status=status)
    # Browsers apply form-action to where the answer to the form leads as well.
    target = services.form_target(facts["redirect_uri"])
    response._csp_update = {"form-action": [target]}  # type: ignore[attr-defined]  # noqa: SLF001
    return response


def _back(request: HttpRequest, to: str, **answer: str) -> HttpResponse:
    states = request.GET.getlist("state")
    if len(states) == 1 and states[0]:
        answer["state"] = states[0]
    answer["iss"] = issuer(request)
    return Redirect(add_params_to_uri(to, list(answer.items())))


def _trusted(query: QueryDict) -> str | None:
    """The address of the way back, if one program and one of its addresses are named."""
    clients, addresses = query.getlist("client_id"), query.getlist("redirect_uri")
    if len(clients) != 1 or len(addresses) != 1:
        return None
    client = services.usable_client(clients[0])
    is_own = client is not None and services.is_allowed(addresses[0], client.get_redirect_uris())
    return addresses[0] if is_own else None


def _refused(request: HttpRequest, fault: Exception) -> HttpResponse:
    error = fault.error if isinstance(fault, OAuth2Error) else "invalid_request"
    why = getattr(fault, "description", None) or error
    to = _trusted(request.GET)
    if to is not None:
        return _back(request, to, error=error, error_description=why)
    return render(request, "programs/refused.html", {"error": error, "why": why}, status=400)


# Endpoints for programs: tokens for a code, revocation, and the discovery documents.

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
            headers["WWW-Authenticate"] = 'Basic realm="programs", charset="UTF-8"'
        response = HttpResponse(body, status=status, content_type="application/json")
        for name, value in {"Cache-Control": "no-store", **headers}.items():
            response[name] = value
        return response

    return view


@_for_programs
def token_endpoint(request: HttpRequest) -> Answer:
    answer: Answer = Server().create_token_response(*parts_of(request))
    return answer


@_for_programs
def revoke_endpoint(request: HttpRequest) -> Answer:
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
        "resource_name": PLACE.name,
        "authorization_servers": [issuer(request)],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_documentation": request.build_absolute_uri("/docs/api/"),
    }
    return JsonResponse(facts, headers=PUBLIC)


# Where programs and the people who use them go; included at the root.

urlpatterns = [
    path("oauth/authorize", authorize, name="oauth_authorize"),
    path("oauth/token", token_endpoint, name="oauth_token"),
    path("oauth/revoke", revoke_endpoint, name="oauth_revoke"),
    path(".well-known/oauth-authorization-server", metadata, name="oauth_metadata"),
    path(".well-known/oauth-protected-resource", resource, name="oauth_resource_root"),
    path(
        ".well-known/oauth-protected-resource/api/v1",
        resource,
        {"path": "api/v1"},
        name="oauth_resource",
    ),
    path("accounts/programs/", programs, name="programs"),
    path("accounts/programs/new/", register, name="register_program"),
    path("accounts/programs/<str:client_id>/change/", change, name="change_program"),
    path("accounts/programs/<str:client_id>/secret/", rotate, name="rotate_program_secret"),
    path("accounts/programs/<str:client_id>/delete/", delete, name="delete_program"),
    path(
        "accounts/programs/<uuid:connection_id>/disconnect/",
        disconnect,
        name="disconnect_program",
    ),
]
