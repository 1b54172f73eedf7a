"""The club's own pages: announcements, settings without a restart, jobs, how it is going."""

import csv
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from accounts.audit import log
from accounts.models import User
from accounts.staff_pages import StaffPages
from config import club
from config.models import Announcement, SettingChange, Trouble
from config.pages.admin_pages import ReadOnly
from config.refusals import Refusal
from games.operations import jobs, numbers

GROUPS = {"club": "The club", "limits": "How much one account may have", "rates": "Requests"}


@admin.register(Announcement)
class AnnouncementAdmin(StaffPages):
    """Every page shows them from one moment until another; a change is everywhere at once."""

    list_display = ("text", "audience", "shown_from", "shown_until", "is_dismissable")
    list_filter = ("audience",)
    list_per_page = 50
    show_full_result_count = False
    fields = (
        *("audience", "text", "text_tr", "text_ru", "text_cs", "link"),
        *("shown_from", "shown_until", "is_dismissable"),
    )

    def save_model(self, request: HttpRequest, obj: Announcement, form: Any, change: bool) -> None:  # noqa: FBT001
        """One that is new begins now at the earliest: streams tell what begins."""
        if not change:
            obj.shown_from = max(obj.shown_from, timezone.now())
        super().save_model(request, obj, form, change)
        club.tell()

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        super().delete_model(request, obj)
        club.tell()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        super().delete_queryset(request, queryset)
        club.tell()


class Page(ReadOnly, StaffPages):
    """A page in place of a list. ``right`` is what its buttons need."""

    template: ClassVar[str]
    title: ClassVar[str]
    right: ClassVar[str]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        may = request.user.has_perm(self.right)
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            try:
                messages.success(request, self.act(request, cast("User", request.user)))
            except Refusal as refused:
                messages.error(request, str(refused))
            return redirect(request.get_full_path())
        context = self.admin_site.each_context(request) | {"title": self.title, "may": may}
        return TemplateResponse(request, self.template, context | self.shown(request))

    def shown(self, request: HttpRequest) -> dict[str, Any]:
        raise NotImplementedError

    def act(self, request: HttpRequest, user: User) -> str:
        """Does what a button says; what the next page tells."""
        raise NotImplementedError


@admin.register(SettingChange)
class SettingAdmin(Page):
    template = "admin/operators/settings.html"
    title = "Settings"
    right = "config.change_settingchange"

    def shown(self, request: HttpRequest) -> dict[str, Any]:
        rows = SettingChange.objects.order_by("name", "-id").distinct("name")
        newest = {row.name: row for row in rows}
        lines: dict[str, list[dict[str, Any]]] = {title: [] for title in GROUPS.values()}
        for name, one in club.REGISTRY.items():
            value, usual = club.value(name), club.default(name)
            lines[GROUPS[one.group]].append(
                {
                    "setting": one,
                    "value": _written(value),
                    "usual": _written(usual),
                    "is_changed": value != usual,
                    "newest": newest.get(name),
                }
            )
        about = request.GET.get("name", "")
        past = club.history(about) if about in club.REGISTRY else []
        return {
            "groups": lines.items(),
            "about": club.REGISTRY.get(about),
            "past": [(row, _written(row.value)) for row in past],
        }

    def act(self, request: HttpRequest, user: User) -> str:
        name = request.POST.get("name", "")
        if name not in club.REGISTRY:
            raise Http404
        if "back" in request.POST:
            before, now = club.put_back(name=name, by=user.username)
        else:
            given = request.POST.get("value", "")
            before, now = club.change(name=name, given=given, by=user.username)
        title = club.REGISTRY[name].title
        log.write(user, "change_setting", "setting", name, title, before=before, after=now)
        return f"{title}: {_written(now)}. Every process has it within two seconds."


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


@admin.register(Trouble)
class JobAdmin(Page):
    template = "admin/operators/jobs.html"
    title = "Jobs"
    right = "config.change_trouble"

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.numbers_page)
        return [path("numbers", page, name="numbers"), *super().get_urls()]

    def shown(self, _request: HttpRequest) -> dict[str, Any]:
        try:
            return {"jobs": jobs.jobs(), "queues": jobs.queues().items(), "buttons": jobs.BUTTONS}
        except Refusal as refused:
            return {"refused": str(refused), "failures": jobs.failures()}

    def act(self, request: HttpRequest, user: User) -> str:
        name, error = request.POST.get("name", ""), request.POST.get("error", "")
        match request.POST.get("act"):
            case "run":
                jobs.run_now(name=name, user=user)
                return f"{name}: a worker does it as soon as it is free."
            case "aside":
                return f"{name}: {jobs.set_aside(name=name, error=error, user=user)} set aside."
            case "again":
                return f"{name}: {jobs.try_again(name=name, error=error, user=user)} tried again."
        raise Http404

    def numbers_page(self, request: HttpRequest) -> HttpResponse:
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        wish = request.GET.get("weeks", "")
        weeks = int(wish) if wish in map(str, numbers.WEEKS) else numbers.WEEKS[0]
        tables = numbers.tables(weeks)
        if slug := request.GET.get("csv", ""):
            chosen = next((one for one in tables if one.slug == slug), None)
            if chosen is None:
                raise Http404
            return _as_csv(chosen, weeks)
        context = self.admin_site.each_context(request) | {
            "title": "How is it going",
            "tables": tables,
            "weeks": weeks,
            "choices": numbers.WEEKS,
        }
        return TemplateResponse(request, "admin/operators/numbers.html", context)


def _as_csv(table: numbers.Numbers, weeks: int) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"cardroom-{table.slug}-{weeks}-weeks.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    rows = csv.writer(response)
    rows.writerow(table.columns)
    rows.writerows(table.rows)
    return response
