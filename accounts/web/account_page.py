"""The account page: display name, language, browsers that are signed in, keys."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import selectors
from accounts.refusals import BadAccount, NoSuchKey, TooManyKeys
from accounts.services import keys, people, sessions
from accounts.signing_in.signed_in import signed_in
from accounts.web.forms import KeyForm, ProfileForm
from accounts.web.language import remember
from config.words import sentence_of, sentences


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
@login_required
def change_profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST)
    if not form.is_valid():
        return _page(request, profile_form=form, status=422)
    try:
        people.change_profile(user=signed_in(request), **form.cleaned_data)
    except BadAccount as refusal:
        form.add_error("display_name", sentences(refusal))
        return _page(request, profile_form=form, status=422)
    response = redirect("account")
    remember(response, signed_in(request))
    return response


@require_POST
@never_cache
@login_required
def make_key(request: HttpRequest) -> HttpResponse:
    """Responds with the page itself: the secret is not stored, so a redirect would lose it."""
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, key_form=form, status=422)
    try:
        new_key = keys.issue(user=signed_in(request), **form.cleaned_data)
    except TooManyKeys as refusal:
        form.add_error(None, sentence_of(refusal))
        return _page(request, key_form=form, status=409)
    return _page(request, new_key=new_key, status=201)


@require_POST
@login_required
def revoke_key(request: HttpRequest, key_id: UUID) -> HttpResponse:
    with suppress(NoSuchKey):  # revoked already
        keys.revoke(user=signed_in(request), key_id=key_id)
    return redirect("account")


@require_POST
@login_required
def end_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    sessions.end(user=signed_in(request), session_id=session_id)
    return redirect("account")


def _page(request: HttpRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    me = signed_in(request)
    current = {name: getattr(me, name) for name in ProfileForm.base_fields}
    context = {
        "profile_form": ProfileForm(initial=current),
        "key_form": KeyForm(),
        "sessions": sessions.sessions_of(me),
        "keys": selectors.keys_of(me),
        **shown,
    }
    return render(request, "account/account.html", context, status=status)
