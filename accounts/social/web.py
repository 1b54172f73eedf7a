"""The forms of the block list on the account page."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.signing_in.signed_in import signed_in
from accounts.social import selectors, services
from config.refusals import Refusal
from config.words import sentence_of


def _form(change: Callable[..., str]) -> Callable[..., HttpResponse]:
    """The answer to a form: back to the account page, with a message that says what was done."""

    @require_POST
    @login_required
    @wraps(change)
    def view(request: HttpRequest, **named: UUID) -> HttpResponse:
        try:
            messages.success(request, change(request, signed_in(request), **named))
        except Refusal as refused:
            messages.error(request, sentence_of(refused))
        return redirect("account")

    return view


@_form
def block(request: HttpRequest, me: User) -> str:
    user = selectors.account_by_username(me.pk, request.POST.get("username", "").strip())
    services.block(owner=me, blocked=user.pk)
    return gettext("{name} cannot invite you any more.").format(name=user.display_name)


@_form
def unblock(_request: HttpRequest, me: User, user_id: UUID) -> str:
    services.unblock(owner=me, blocked=user_id)
    return gettext("Unblocked.")


urlpatterns = [
    path("", block, name="account_block"),
    path("<uuid:user_id>/remove/", unblock, name="account_unblock"),
]
