"""The page on which a person allows a program to act for them, or does not.

A request with a fault goes back to the program with an error (RFC 6749 §4.1.2.1). If the program or
the address of the way back is not known, the fault is shown here, and nobody is sent on.
"""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import OAuth2Error

from accounts.programs.meanings import meanings
from accounts.programs.redirects import form_target, is_allowed
from accounts.programs.selectors import usable_client
from accounts.programs.server import Server, address_of
from accounts.signing_in.signed_in import signed_in


class ConsentForm(forms.Form):
    scopes = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one, or do not allow it.")},
    )

    def __init__(self, scopes: list[str], sent: QueryDict | None) -> None:
        super().__init__(sent, initial={"scopes": scopes})
        choices = [(one.scope, one.sentence) for one in meanings(scopes)]
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
        return _page(request, facts, form)
    headers, _, _ = Server().create_authorization_response(
        address_of(request),
        scopes=form.cleaned_data["scopes"],
        credentials={"user": signed_in(request)},
    )
    return Redirect(add_params_to_uri(headers["Location"], [("iss", issuer(request))]))


def issuer(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _page(request: HttpRequest, facts: dict[str, Any], form: ConsentForm) -> HttpResponse:
    context = {"client": facts["request"].client, "form": form, "to": facts["redirect_uri"]}
    status = 422 if form.is_bound else 200
    response = render(request, "programs/consent.html", context, status=status)
    # Browsers apply form-action to where the answer to the form leads as well.
    target = form_target(facts["redirect_uri"])
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
    client = usable_client(clients[0])
    is_own = client is not None and is_allowed(addresses[0], client.get_redirect_uris())
    return addresses[0] if is_own else None


def _refused(request: HttpRequest, fault: Exception) -> HttpResponse:
    error = fault.error if isinstance(fault, OAuth2Error) else "invalid_request"
    why = getattr(fault, "description", None) or error
    to = _trusted(request.GET)
    if to is not None:
        return _back(request, to, error=error, error_description=why)
    return render(request, "programs/refused.html", {"error": error, "why": why}, status=400)
