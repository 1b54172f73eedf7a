"""The door of the admin: the sign-in of the site, and a second factor where it is required."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, FieldError, PermissionDenied, ValidationError
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.sites import UnfoldAdminSite

from accounts.signing_in import has_second_factor
from config.club import PLACE
from config.pages.middleware import is_page_of_ours

UNREADABLE = (DataError, FieldError, OverflowError, TypeError, ValidationError, ValueError)
SET_UP_FIRST = "Staff sign in with a second factor. Set one up to open the admin."


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]
    index_template = "admin/operators/dashboard.html"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """With the logo of the place, where it has one of its own."""
        own = {"site_icon": PLACE.icon, "site_favicons": [{"rel": "icon", "href": PLACE.icon}]}
        context: dict[str, Any] = super().each_context(request)
        return context | own if PLACE.icon else context

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Takes our own pages only: those of libraries show secrets, check less and log elsewhere.

        The site is made before there are models, and pages know their models.
        """
        from accounts.staff_pages import StaffPages

        if admin_class is not None and issubclass(admin_class, StaffPages):
            super().register(model_or_iterable, admin_class, **options)

    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Finds pages by name. Unfold's own search would cache objects that cannot be stored."""
        term = request.GET.get("s", "").strip().lower()
        pages = self._search_apps(AdminSite.get_app_list(self, request), term) if term else []
        return TemplateResponse(request, "unfold/helpers/search_results.html", {"results": pages})

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Passwords are changed on the page of the site only."""
        return redirect("account_change_password")

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(super().has_permission(request)) and not lacks_second_factor(request)

    def admin_view(
        self, view: Callable[..., HttpResponse], *cacheable: bool, **options: bool
    ) -> Callable[..., HttpResponse]:
        inner = super().admin_view(view, *cacheable, **options)
        return _read_strictly(inner) if view.__name__ == "changelist_view" else inner

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """No password is taken here: others go to the sign-in of the site."""
        target = _target(request)
        if self.has_permission(request):
            return HttpResponseRedirect(target)
        if not request.user.is_authenticated or request.user.is_guest:
            return redirect_to_login(target, str(settings.LOGIN_URL))
        if super().has_permission(request):
            messages.warning(request, SET_UP_FIRST)
            return redirect("mfa_activate_totp")
        raise PermissionDenied


def _read_strictly(show_list: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A query or a choice that a list cannot read is answered as a bad request, not as a fault."""

    @wraps(show_list)
    def strict(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = show_list(request, *args, **kwargs)
            if request.GET and isinstance(response, TemplateResponse):
                response.render()  # some filters are only read by then
        except UNREADABLE as error:
            if not request.GET and "_selected_action" not in request.POST:
                raise
            raise BadRequest("The list cannot read what was asked for.") from error
        return response

    return strict


def lacks_second_factor(request: HttpRequest) -> bool:
    """Whether the user has to set up a second factor first. Looked up once a request."""
    if not settings.STAFF_SECOND_FACTOR:
        return False
    if not hasattr(request, "_lacks_second_factor"):
        lacks = _needs_second_factor(request.user) and not has_second_factor(request.user)
        request._lacks_second_factor = lacks  # type: ignore[attr-defined]  # noqa: SLF001
    return bool(request._lacks_second_factor)  # type: ignore[attr-defined]  # noqa: SLF001


def _needs_second_factor(user: Any) -> bool:
    """All of the staff, or those of some roles and superusers."""
    roles = settings.STAFF_SECOND_FACTOR
    if roles is True or user.is_superuser:
        return True
    return bool(user.groups.filter(name__in=roles).exists())


def _target(request: HttpRequest) -> str:
    """The page of the admin to go to after the sign-in."""
    target = request.GET.get("next", "")
    return target if is_page_of_ours(request, target) else reverse("admin:index")
