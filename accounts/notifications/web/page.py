"""The page on which a person chooses what they are told, and how."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.notifications import choices
from accounts.notifications.hooks.endpoints import endpoints_of
from accounts.notifications.push import browsers
from accounts.notifications.web.forms import ChoicesForm, WebhookForm, mail_state, zones
from accounts.signing_in.signed_in import signed_in
from config.refusals import Refusal
from config.words import sentences


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return shown(request)
    form = ChoicesForm(request.POST)
    if not form.is_valid():
        return shown(request, form=form, status=422)
    try:
        choices.change(user=signed_in(request), **form.changes())
    except Refusal as refusal:
        form.add_error(None, sentences(refusal))
        return shown(request, form=form, status=refusal.status)
    messages.success(request, gettext("Saved."))
    return redirect("notifications")


@require_POST
@login_required
def remove_browser(request: HttpRequest, browser_id: UUID) -> HttpResponse:
    browsers.remove(account=signed_in(request).pk, browser_id=browser_id)
    return redirect("notifications")


def shown(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    """The page, with a form that was refused or a webhook that was just made."""
    me = signed_in(request)
    row = choices.choices_of(me.pk)
    context = {
        "form": ChoicesForm(initial=ChoicesForm.initial_of(row)),
        "hook_form": WebhookForm(),
        "hooks": endpoints_of(me.pk),
        "browsers": browsers.browsers_of(me.pk),
        "push_key": browsers.public_key(),
        "mail_is_set_up": settings.MAIL_IS_SET_UP,
        "mail_state": mail_state(row, me),
        "zones": zones(),
        **more,
    }
    return render(request, "notifications/page.html", context, status=status)
