"""The forms of webhooks, and the page of one with its deliveries."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.notifications.hooks import endpoints, signing
from accounts.notifications.kinds import HOOK_NAMES, STATES
from accounts.notifications.models import Endpoint
from accounts.notifications.refusals import NoSuchDelivery, NoSuchWebhook, WebhookIsOff
from accounts.notifications.web.forms import WebhookForm
from accounts.notifications.web.page import shown
from accounts.signing_in.signed_in import signed_in
from config.refusals import Refusal
from config.words import sentence_of

SHOWN = 50


def _own(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Another person's webhook is not there."""

    @never_cache
    @login_required
    @wraps(view)
    def checked(request: HttpRequest, **named: UUID) -> HttpResponse:
        try:
            return view(request, **named)
        except (NoSuchWebhook, NoSuchDelivery) as refusal:
            raise Http404 from refusal

    return checked


@require_POST
@never_cache
@login_required
def make(request: HttpRequest) -> HttpResponse:
    """Answers with a page: the secret is not stored, so a redirect would lose it."""
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return shown(request, hook_form=form, status=422)
    try:
        row = endpoints.create(user=signed_in(request), **form.cleaned_data)
    except Refusal as refusal:
        form.add_error(None, sentence_of(refusal))
        return shown(request, hook_form=form, status=refusal.status)
    return _page(request, row, secret=signing.secret_of(row), status=201)


@require_safe
@_own
def webhook(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    return _page(request, endpoints.find(account=signed_in(request).pk, endpoint_id=webhook_id))


@require_POST
@_own
def change(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Turns it off or on."""
    enabled = request.POST.get("enabled") == "on"
    me = signed_in(request).pk
    endpoints.change(account=me, endpoint_id=webhook_id, enabled=enabled)
    return redirect("webhook", webhook_id=webhook_id)


@require_POST
@_own
def rotate(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    row = endpoints.rotate(account=signed_in(request).pk, endpoint_id=webhook_id)
    return _page(request, row, secret=signing.secret_of(row))


@require_POST
@_own
def delete(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    endpoints.delete(account=signed_in(request).pk, endpoint_id=webhook_id)
    return redirect("notifications")


@require_POST
@_own
def resend(request: HttpRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    me = signed_in(request).pk
    try:
        endpoints.resend(account=me, endpoint_id=webhook_id, delivery_id=delivery_id)
    except WebhookIsOff as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        messages.success(request, gettext("It is sent again."))
    return redirect("webhook", webhook_id=webhook_id)


def _page(
    request: HttpRequest, row: Endpoint, *, secret: str = "", status: int = 200
) -> HttpResponse:
    sent = endpoints.deliveries_of(account=row.account_id, endpoint_id=row.pk)[:SHOWN]
    kinds = [HOOK_NAMES[kind] for kind in row.kinds if kind in HOOK_NAMES]
    deliveries = [(one, HOOK_NAMES.get(one.cause.kind), STATES[one.state]) for one in sent]
    context = {"hook": row, "secret": secret, "kinds": kinds, "deliveries": deliveries}
    return render(request, "notifications/webhook.html", context, status=status)
