"""The pages of a bulk run: its draft, which shows what will happen, and then its results."""

from typing import cast
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.models import User
from accounts.staff_pages import StaffPages
from config.pages.admin_pages import OwnPage, ReadOnly
from config.refusals import Refusal
from games.admin.refereeing.act_forms import act_form, values_of
from games.admin.refereeing.deadline_changes import changes, is_confirmed, token
from games.admin.refereeing.match_acts import allowed
from games.matches.models import Match
from games.operations.models import BulkRun
from games.operations.refereeing import bulk
from games.operations.refereeing.acts import ACTS

EXAMPLES = 20
RESULTS = 1000
REFRESH_SECONDS = 2


def run_page(run_id: UUID) -> str:
    return reverse("admin:operations_bulkrun_change", args=[run_id])


@admin.register(BulkRun)
class BulkRunAdmin(OwnPage, ReadOnly, StaffPages):
    takes_posts = True
    list_display = ("title", "progress", "reason", "actor", "created_at", "finished_at")
    list_select_related = ("actor",)
    list_per_page = 50
    show_full_result_count = False

    @admin.display(description="Act")
    def title(self, run: BulkRun) -> str:
        return ACTS[run.act].title if run.act in ACTS else run.act

    @admin.display(description="Matches")
    def progress(self, run: BulkRun) -> str:
        if run.confirmed_at is None:
            return f"draft for {len(run.match_ids)}"
        return f"{run.done} of {len(run.match_ids)}"

    def own_page(self, request: HttpRequest, run: BulkRun) -> HttpResponse:
        if run.act not in ACTS:
            raise Http404
        if run.confirmed_at is None:
            return self._draft(request, run)
        if request.method == "POST":
            raise PermissionDenied
        return self._progress(request, run)

    def _draft(self, request: HttpRequest, run: BulkRun) -> HttpResponse:
        act = ACTS[run.act]
        if not allowed(request, act):
            raise PermissionDenied
        form = act_form(act, None, request.POST or None)
        valid = request.method == "POST" and form.is_valid()
        values = values_of(act, form) if valid else {}
        if valid and is_confirmed(act, request.POST, token(values)):
            user, reason = cast("User", request.user), form.cleaned_data["reason"]
            try:
                bulk.confirm(run_id=run.id, user=user, reason=reason, values=values)
            except Refusal as refused:
                messages.error(request, str(refused))
            return redirect(run_page(run.id))
        listed = run.match_ids[: None if act.changes_deadlines else EXAMPLES]
        matches = Match.objects.filter(id__in=listed).defer("state", "loaded", "seed", "options")
        matches = matches.prefetch_related("seats")
        context = self.admin_site.each_context(request) | {
            "title": f"{act.title}: {len(run.match_ids)} matches",
            "act": act,
            "run": run,
            "form": form,
            "matches": matches,
            "changes": changes(act, matches, values),
            "token": token(values),
            "more": len(run.match_ids) - len(listed),
            "back": reverse("admin:games_match_changelist"),
        }
        return TemplateResponse(request, "admin/operators/bulk_draft.html", context)

    def _progress(self, request: HttpRequest, run: BulkRun) -> HttpResponse:
        results = list(run.results.all()[:RESULTS])
        context = self.admin_site.each_context(request) | {
            "title": f"{ACTS[run.act].title}: {len(run.match_ids)} matches",
            "run": run,
            "results": results,
            "failed": sum(not result.succeeded for result in results),
        }
        response = TemplateResponse(request, "admin/operators/bulk_run.html", context)
        if not run.is_over:
            response["Refresh"] = str(REFRESH_SECONDS)
        return response
