"""Notifications on the pages: choices, webhooks, the links of a mail."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.notifications import choices, endpoints
from accounts.notifications.channels import shown_call
from accounts.notifications.endpoints import endpoints_of
from accounts.notifications.models import (
    HOOK_NAMES,
    KINDS,
    NAME_LENGTH,
    NAMES,
    STATES,
    URL_LENGTH,
    Choices,
    Endpoint,
)
from accounts.notifications.refusals import NoSuchDelivery, NoSuchWebhook, WebhookIsOff
from accounts.signing_in import signed_in
from config.refusals import Refusal
from config.words import sentence_of, sentences

# The forms of choices and webhooks. The services decide what is allowed.

MAIL = [
    ("off", gettext_lazy("no mail")),
    ("mail", gettext_lazy("mail at once")),
    ("daily", gettext_lazy("mail once a day")),
]
_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
PUSH = gettext_lazy("in my browsers")


def _clock(label: Any, help_text: Any = "") -> forms.TimeField:
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, help_text=help_text, required=False, widget=widget)


class ChoicesForm(forms.Form):
    """A field for each kind and channel; channels that the service does not use are left out."""

    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text=gettext_lazy("Such as Europe/Istanbul."),
    )
    quiet_from = _clock(gettext_lazy("Quiet from"))
    quiet_until = _clock(
        gettext_lazy("Quiet until"), gettext_lazy("Nothing comes in between; it comes afterwards.")
    )
    daily_at = _clock(
        gettext_lazy("The daily mail comes at"), gettext_lazy("At 08:00 if you choose no time.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in KINDS:
            name: Any = NAMES[kind]
            if settings.MAIL_IS_SET_UP:
                self.fields[f"mail_{kind}"] = forms.ChoiceField(label=name, choices=MAIL)
            if settings.VAPID_PRIVATE_KEY:
                self.fields[f"push_{kind}"] = forms.BooleanField(label=PUSH, required=False)

    @staticmethod
    def initial_of(row: Choices) -> dict[str, Any]:
        names = ("time_zone", "quiet_from", "quiet_until", "daily_at")
        mail: dict[str, str] = {kind: "daily" if kind in row.daily else "off" for kind in KINDS}
        mail |= dict.fromkeys(row.mail, "mail")
        return (
            {name: getattr(row, name) for name in names}
            | {f"mail_{kind}": how for kind, how in mail.items()}
            | {f"push_{kind}": kind in row.push for kind in KINDS}
        )

    def rows(self) -> list[dict[str, Any]]:
        """The fields of each kind, for the table."""
        return [
            {
                "name": NAMES[kind],
                "mail": self[f"mail_{kind}"] if f"mail_{kind}" in self.fields else None,
                "push": self[f"push_{kind}"] if f"push_{kind}" in self.fields else None,
            }
            for kind in KINDS
        ]

    def changes(self) -> dict[str, Any]:
        given = self.cleaned_data
        names = ("time_zone", "quiet_from", "quiet_until", "daily_at")
        changes = {name: given[name] for name in names}
        if settings.MAIL_IS_SET_UP:
            changes["mail"] = [kind for kind in KINDS if given[f"mail_{kind}"] == "mail"]
            changes["daily"] = [kind for kind in KINDS if given[f"mail_{kind}"] == "daily"]
        if settings.VAPID_PRIVATE_KEY:
            changes["push"] = [kind for kind in KINDS if given[f"push_{kind}"]]
        return changes


class WebhookForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What is it for?"), max_length=NAME_LENGTH, required=False
    )
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("What is it told?"),
        choices=[(kind, NAMES[kind]) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    match = forms.CharField(
        label=gettext_lazy("What happens in one match"),
        max_length=URL_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "The address of its page, if you want that. The program is told what you see there."
        ),
    )

    def clean_match(self) -> UUID | None:
        """The id in the address; an address without one is refused."""
        typed = self.cleaned_data["match"].strip()
        named = _ID.search(typed)
        if typed and named is None:
            raise forms.ValidationError(gettext_lazy("This is not the address of a match."))
        return UUID(named[0]) if named else None


def zones() -> list[str]:
    return sorted(zone for zone in available_timezones() if "/" in zone and zone[:3] != "Etc")


def mail_state(row: Choices, user: User) -> str:
    """The state of the address on the page: it has none, waits for an answer, or is confirmed."""
    if not user.email:
        return "none"
    wants = bool(row.mail or row.daily)
    if row.mail_address == user.email:
        return "confirmed"
    return "asked" if wants else "unused"


# The page on which a person chooses what they are told, and how.


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
    endpoints.remove_browser(account=signed_in(request).pk, browser_id=browser_id)
    return redirect("notifications")


def shown(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    """The page, with a form that was refused or a webhook that was just made."""
    me = signed_in(request)
    row = choices.choices_of(me.pk)
    context = {
        "form": ChoicesForm(initial=ChoicesForm.initial_of(row)),
        "hook_form": WebhookForm(),
        "hooks": endpoints_of(me.pk),
        "browsers": endpoints.browsers_of(me.pk),
        "push_key": endpoints.push_key(),
        "mail_is_set_up": settings.MAIL_IS_SET_UP,
        "mail_state": mail_state(row, me),
        "zones": zones(),
        **more,
    }
    return render(request, "notifications/page.html", context, status=status)


# The links of a mail. They work without signing in, and a look at them changes nothing.
#
# Mail servers open links to see what is behind: only the press of a button, or the one-click
# ``POST`` of a mail program (RFC 8058), does something.

_METHODS = ["GET", "HEAD", "POST"]


@csrf_exempt  # a mail program has no cookie of ours; the link is the proof
@require_http_methods(_METHODS)
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    account = choices.account_of(token)
    if account is None:
        raise Http404
    if request.method == "POST":
        choices.end_mail(account)
    done = request.method == "POST"
    return render(request, "notifications/unsubscribe.html", {"done": done})


@require_http_methods(_METHODS)
@never_cache
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    if request.method != "POST":
        return render(request, "notifications/confirm_address.html", {"done": None})
    done = choices.confirm(token)
    context = {"done": done}
    return render(
        request, "notifications/confirm_address.html", context, status=200 if done else 410
    )


# The forms of webhooks, and the page of one with its deliveries.

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
    return _page(request, row, secret=endpoints.secret_of(row), status=201)


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
    return _page(request, row, secret=endpoints.secret_of(row))


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


@require_POST
@_own
def ping(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    here = reverse("webhook", args=[webhook_id])
    try:
        endpoints.ping(account=signed_in(request).pk, endpoint_id=webhook_id, url=here)
    except WebhookIsOff as refusal:
        messages.error(request, sentence_of(refusal))
    return redirect("webhook", webhook_id=webhook_id)


def _page(
    request: HttpRequest, row: Endpoint, *, secret: str = "", status: int = 200
) -> HttpResponse:
    sent = endpoints.deliveries_of(account=row.account_id, endpoint_id=row.pk)[:SHOWN]
    kinds = [HOOK_NAMES[kind] for kind in row.kinds if kind in HOOK_NAMES]
    deliveries = [
        (one, HOOK_NAMES.get(one.cause.kind), STATES[one.state], shown_call(one)) for one in sent
    ]
    context = {"hook": row, "secret": secret, "kinds": kinds, "deliveries": deliveries}
    return render(request, "notifications/webhook.html", context, status=status)


# Below /accounts/notifications/.

urlpatterns = [
    path("", notifications, name="notifications"),
    path("browsers/<uuid:browser_id>/remove/", remove_browser, name="remove_browser"),
    path("webhooks/", make, name="make_webhook"),
    path("webhooks/<uuid:webhook_id>/", webhook, name="webhook"),
    path("webhooks/<uuid:webhook_id>/change/", change, name="change_webhook"),
    path("webhooks/<uuid:webhook_id>/secret/", rotate, name="rotate_webhook"),
    path("webhooks/<uuid:webhook_id>/ping/", ping, name="ping_webhook"),
    path("webhooks/<uuid:webhook_id>/delete/", delete, name="delete_webhook"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/",
        resend,
        name="resend_delivery",
    ),
    path("confirm/<str:token>/", confirm, name="confirm_address"),
    path("unsubscribe/<str:token>/", unsubscribe, name="unsubscribe"),
]
