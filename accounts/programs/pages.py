"""The pages of a person's own programs, and of those connected with their account."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import KEY_NAME_LENGTH
from accounts.names.shown_names import shown_name
from accounts.programs import selectors, services
from accounts.programs.redirects import MOST, check_redirect
from accounts.programs.refusals import (
    BadRedirect,
    NoSuchConnection,
    NoSuchProgram,
    TooManyPrograms,
)
from accounts.signing_in.signed_in import signed_in
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
        if not 0 < len(lines) <= MOST:
            raise forms.ValidationError(gettext("Give one to {most} addresses.").format(most=MOST))
        try:
            return [check_redirect(line) for line in lines]
        except BadRedirect as refusal:
            raise forms.ValidationError(sentence_of(refusal)) from refusal


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
    except TooManyPrograms as refusal:
        form.add_error(None, sentence_of(refusal))
        return _page(request, form, status=409)
    return _page(request, ProgramForm(), program=program, status=201)


@require_POST
@login_required
def delete(request: HttpRequest, client_id: str) -> HttpResponse:
    with suppress(NoSuchProgram):  # deleted already
        services.delete_program(owner=signed_in(request), client_id=client_id)
        messages.success(request, gettext("The program is deleted; nobody is connected any more."))
    return redirect("programs")


@require_POST
@login_required
def disconnect(request: HttpRequest, connection_id: UUID) -> HttpResponse:
    with suppress(NoSuchConnection):  # disconnected already
        services.disconnect(user=signed_in(request), connection_id=connection_id)
        messages.success(request, gettext("The program is disconnected."))
    return redirect("account")


def _page(
    request: HttpRequest, form: ProgramForm, *, status: int = 200, **shown: Any
) -> HttpResponse:
    own = selectors.programs_of(signed_in(request))
    context = {"form": form, "own": own, **shown}
    return render(request, "programs/programs.html", context, status=status)
