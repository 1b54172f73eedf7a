"""The page of the own calendar's address, and the calendar itself."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.signing_in.signed_in import signed_in
from games.calendars import selectors, services
from games.calendars.writing import calendar_of
from games.competitions.files.calendar import CONTENT_TYPE


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def calendar_page(request: HttpRequest) -> HttpResponse:
    """A new address is shown in the answer to the form itself: its secret is not stored."""
    me = signed_in(request)
    shown: dict[str, Any] = {}
    if request.method == "POST":
        path = reverse("calendar", args=[services.make_address(me.pk)])
        shown["new_address"] = request.build_absolute_uri(path)
    context = {"address": selectors.address_of(me), **shown}
    status = 201 if shown else 200
    return render(request, "games/feeds/calendar.html", context, status=status)


@require_POST
@login_required
def end_calendar(request: HttpRequest) -> HttpResponse:
    services.end_address(signed_in(request).pk)
    return redirect("calendar_page")


@require_safe
@never_cache
def calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """For everybody who has the address. A withdrawn address looks like one that never existed."""
    user = selectors.owner_of(secret)
    if user is None:
        raise Http404("There is no such calendar.")

    def address(name: str, pk: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[pk]))

    return HttpResponse(calendar_of(user, address), content_type=CONTENT_TYPE)
