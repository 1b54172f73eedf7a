"""The page on which a person chooses quiet hours and announces holidays."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.hours import services
from accounts.models import User
from accounts.notifications.web import zones
from accounts.signing_in import signed_in
from config.refusals import Refusal
from config.words import sentence_of, sentences


def _clock(label: Any) -> forms.TimeField:
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, required=False, widget=widget)


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, widget=widget)


class HoursForm(forms.Form):
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
        help_text=_("Such as Europe/Istanbul."),
    )
    quiet_from = _clock(_("Quiet from"))
    quiet_until = _clock(_("Quiet until"))
    counts = forms.BooleanField(
        label=_("My clocks stand still in these hours"),
        required=False,
        widget=forms.CheckboxInput(attrs={"aria-describedby": "id_counts_helptext"}),
    )


class HolidayForm(forms.Form):
    first = _day(_("First day"))
    last = _day(_("Last day"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def hours(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    form = HoursForm(request.POST)
    return _kept(request, form, services.change_hours) or _page(request, form=form)


@require_POST
@never_cache
@login_required
def announce(request: HttpRequest) -> HttpResponse:
    form = HolidayForm(request.POST)
    return _kept(request, form, services.announce_holiday) or _page(request, holiday_form=form)


@require_POST
@login_required
def end(request: HttpRequest, holiday_id: UUID) -> HttpResponse:
    try:
        row = services.end_holiday(account=signed_in(request).pk, holiday_id=holiday_id)
    except services.NoSuchHoliday as refusal:
        raise Http404 from refusal
    except services.HolidayIsOver as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        done = gettext("The holiday is withdrawn.") if row is None else gettext("It is over.")
        messages.success(request, done)
    return redirect("hours")


def _kept(request: HttpRequest, form: forms.Form, keep: Any) -> HttpResponse | None:
    """The answer to a form that was kept; else it says what is wrong."""
    if not form.is_valid():
        return None
    try:
        keep(user=signed_in(request), **form.cleaned_data)
    except Refusal as refusal:
        form.add_error(None, sentences(refusal))
        return None
    messages.success(request, gettext("Saved."))
    return redirect("hours")


def _page(
    request: HttpRequest,
    form: HoursForm | None = None,
    holiday_form: HolidayForm | None = None,
) -> HttpResponse:
    me = signed_in(request)
    refused = form is not None or holiday_form is not None
    context = {
        "form": form or HoursForm(initial=_initial(me)),
        "holiday_form": holiday_form or HolidayForm(),
        "holidays": [(row, row.announced_at + services.CAN_BE_WITHDRAWN) for row in _shown(me)],
        "now": timezone.now(),
        "days_left": services.days_left(me.pk, timezone.now().year),
        "most_days": services.MOST_DAYS,
        "zones": zones(),
    }
    return render(request, "hours/page.html", context, status=422 if refused else 200)


def _initial(me: User) -> dict[str, Any]:
    chosen = services.hours_of(me.pk)
    return {name: getattr(chosen, name) for name in HoursForm.base_fields}


def _shown(me: User) -> Any:
    return services.holidays_of(me.pk).filter(ends_at__gt=timezone.now(), ended_at=None)


urlpatterns = [
    path("", hours, name="hours"),
    path("holidays/", announce, name="announce_holiday"),
    path("holidays/<uuid:holiday_id>/end/", end, name="end_holiday"),
]
