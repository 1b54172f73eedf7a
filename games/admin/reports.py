"""The reports of players: who works on each, the ply that it is about, how it was resolved."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from accounts.audit.log import Actor
from accounts.models import User
from accounts.staff_pages import LongLists
from config.pages.admin_pages import OwnPage, ReadOnly
from config.refusals import Refusal
from games.operations.models import PlayerReport
from games.operations.watching import reports


class StateFilter(SimpleListFilter):
    """Without a choice only open reports are listed."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, _: Any) -> list[tuple[str, str]]:
        return [("mine", "Assigned to me"), ("resolved", "Resolved"), ("all", "All")]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        yield {**first, "display": "Open"}
        yield from others

    def queryset(self, request: HttpRequest, rows: QuerySet[PlayerReport]) -> Any:
        match self.value():
            case "mine":
                return rows.filter(resolved_at=None, assignee_id=request.user.pk)
            case "resolved":
                return rows.filter(resolved_at__isnull=False)
            case "all":
                return rows
        return rows.filter(resolved_at=None)


@admin.register(PlayerReport)
class PlayerReportAdmin(OwnPage, ReadOnly, LongLists):
    takes_posts = True
    list_display = ("at", "reason", "reported", "reporter", "text", "assignee", "resolved_at")
    list_filter = (StateFilter, "reason")
    list_select_related = ("reported", "reporter", "assignee")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        """Without reports about the reader, who must not learn who made them."""
        rows: QuerySet[PlayerReport] = super().get_queryset(request)
        return rows.exclude(reported_id=request.user.pk)

    def own_page(self, request: HttpRequest, report: PlayerReport) -> HttpResponse:
        may = request.user.has_perm("operations.change_playerreport")
        if request.method == "POST":
            if not may:
                raise PermissionDenied
            return _act(request, report)
        context = self.admin_site.each_context(request) | {
            "title": str(report),
            "report": report,
            "match": report.match,
            "may": may and report.resolved_at is None,
            "may_reopen": may and report.resolved_at is not None,
            "looked_at": reports.LOOKED_AT,
        }
        return TemplateResponse(request, "admin/operators/report.html", context)


def _act(request: HttpRequest, report: PlayerReport) -> HttpResponse:
    user = cast("User", request.user)
    try:
        if request.POST.get("what") == "assign":
            reports.assign(report_id=report.pk, user=user)
            return redirect(request.path)
        by, answer = Actor.of(user, request.POST.get("reason", "")), request.POST.get("answer", "")
        if request.POST.get("what") == "reopen":
            messages.success(request, reports.reopen(report_id=report.pk, by=by))
        else:
            messages.success(request, reports.resolve(report_id=report.pk, by=by, answer=answer))
    except Refusal as refused:
        messages.error(request, str(refused))
    return redirect(request.path)
