"""The forms of blocks, friends and privacy, on the account page and elsewhere."""

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
from accounts.signing_in import signed_in
from accounts.social import selectors, services
from config.pages.middleware import is_page_of_ours
from config.refusals import Refusal
from config.words import sentence_of


def _form(change: Callable[..., str]) -> Callable[..., HttpResponse]:
    """The answer to a form: back to where it stands, with a message that says what was done."""

    @require_POST
    @login_required
    @wraps(change)
    def view(request: HttpRequest, **named: UUID) -> HttpResponse:
        try:
            messages.success(request, change(request, signed_in(request), **named))
        except Refusal as refused:
            messages.error(request, sentence_of(refused))
        return redirect(_page_of(request))

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


@_form
def befriend(request: HttpRequest, me: User) -> str:
    user = selectors.account_by_username(me.pk, request.POST.get("username", "").strip())
    row = services.befriend(user=me, other=user.pk)
    if row.state == row.State.ACCEPTED:
        return gettext("You and {name} are friends.").format(name=user.display_name)
    return gettext("{name} is asked.").format(name=user.display_name)


@_form
def unfriend(request: HttpRequest, me: User) -> str:
    other = selectors.befriended_by_username(me.pk, request.POST.get("username", "").strip())
    if other is not None:
        services.end_friendship(user=me.pk, other=other)
    return gettext("Done. They are not told.")


@_form
def privacy(request: HttpRequest, me: User) -> str:
    names = ("hides_profile", "hides_presence", "hides_titles")
    chosen = {name: name in request.POST for name in names}
    services.set_privacy(user=me, **chosen)
    return gettext("Saved.")


def _page_of(request: HttpRequest) -> str:
    address = request.POST.get("next", "")
    return address if address and is_page_of_ours(request, address) else "account"


urlpatterns = [
    path("", block, name="account_block"),
    path("<uuid:user_id>/remove/", unblock, name="account_unblock"),
]
friend_patterns = [
    path("", befriend, name="account_befriend"),
    path("end/", unfriend, name="account_unfriend"),
]
