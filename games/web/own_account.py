"""A person's own data to take along, the end of the own account, the look of the cards."""

import json

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.refusals import NotConfirmed, WrongPassword
from accounts.signing_in import knows_password, signed_in
from accounts.visitors import next_page
from accounts.web import AS_TYPED
from config.api.throttles import WrongPasswords
from config.refusals import Refusal, TooManyRequests
from config.words import sentence_of
from games.exports import exporting
from games.language import COOKIE, chosen, look_of
from games.operations import people
from games.operations.own_data import data_of


class DeletionForm(forms.Form):
    username = forms.CharField(
        label=gettext_lazy("Your username"), max_length=254, widget=forms.TextInput(AS_TYPED)
    )
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        max_length=1024,
        widget=forms.PasswordInput,
        required=False,
    )
    password.widget.attrs["autocomplete"] = "current-password"


@require_GET
@never_cache
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    exports = exporting.exports_of(signed_in(request).pk)
    return render(request, "games/own_data.html", {"exports": exports})


@require_GET
@never_cache
@login_required
def account_file(request: HttpRequest) -> HttpResponse:
    """All but the records of the matches, which workers write."""
    body = json.dumps(
        data_of(signed_in(request)), cls=DjangoJSONEncoder, indent=1, ensure_ascii=False
    )
    headers = {"Content-Disposition": 'attachment; filename="cardroom-account.json"'}
    return HttpResponse(body, content_type="application/json", headers=headers)


@require_POST
@login_required
def write_records(request: HttpRequest) -> HttpResponse:
    try:
        exporting.start_export(owner=signed_in(request))
    except Refusal as refused:
        messages.error(request, sentence_of(refused))
    return redirect("own_data")


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    form = DeletionForm(request.POST or None)
    if request.method != "POST":
        return render(request, "games/delete_account.html", {"form": form})
    status = 422
    if form.is_valid():
        try:
            _delete(request, **form.cleaned_data)
        except Refusal as refused:
            field = {NotConfirmed: "username", WrongPassword: "password"}.get(type(refused))
            form.add_error(field, sentence_of(refused))
            status = refused.status if field is None else 422
        else:
            logout(request)
            messages.success(request, gettext("Your account is deleted."))
            return redirect("landing")
    return render(request, "games/delete_account.html", {"form": form}, status=status)


def _delete(request: HttpRequest, *, username: str, password: str) -> None:
    user = signed_in(request)
    if WrongPasswords.seconds_left(request) is not None:
        raise TooManyRequests
    people.delete(
        user=user, typed=username, knows_password=lambda: knows_password(request, user, password)
    )


# The switch of how cards look.


@require_POST
def set_look(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``colours``, ``back`` or both; back to ``next``."""
    look = chosen(request.POST.dict(), look_of(request))
    response = redirect(next_page(request))
    response.set_cookie(
        COOKIE,
        f"{look.colours}.{look.back}",
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
