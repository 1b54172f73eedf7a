"""Pages of moderators: reports, acts on several people, undoing, and who may register."""

import re
from typing import Any, Final, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts import gate
from accounts.audit import wording
from accounts.audit.log import Actor
from accounts.audit.models import Entry
from accounts.models import RegistrationBlock, User
from accounts.names import standing_of
from accounts.staff_pages import LongLists, OwnPage, ReadOnly, StaffPages
from config.postgres import together
from config.refusals import Refusal
from games.admin.people import ROWS_SHOWN, number_of
from games.admin.refereeing import LARGE_AND_SECRET
from games.matches.models import Seat
from games.operations import reports, undoing
from games.operations.models import PlayerReport, Undoable
from games.operations.reports import Earlier

# The reports of players: who works on each, the ply that it is about, how it was resolved.


class StateFilter(SimpleListFilter):
    """Without a choice only open reports are listed."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, _: Any) -> list[tuple[str, str]]:
        own, free = ("mine", "Assigned to me"), ("nobodys", "Assigned to nobody")
        return [own, free, ("resolved", "Resolved"), ("all", "All")]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        yield {**first, "display": "Open"}
        yield from others

    def queryset(self, request: HttpRequest, rows: QuerySet[PlayerReport]) -> Any:
        match self.value():
            case "mine":
                return rows.filter(resolved_at=None, assignee_id=request.user.pk)
            case "nobodys":
                return rows.filter(resolved_at=None, assignee=None)
            case "resolved":
                return rows.filter(resolved_at__isnull=False)
            case "all":
                return rows
        return rows.filter(resolved_at=None)


RIGHTS: Final = {
    "warn": "operations.message_person",
    "silence": "operations.suspend_person",
    "suspend": "operations.suspend_person",
    "lift": "operations.suspend_person",
}
LENGTHS: Final = ("1", "3", "7", "30", "90", "365")  # days
MOST_AT_ONCE: Final = 50  # people


@admin.register(PlayerReport)
class PlayerReportAdmin(OwnPage, ReadOnly, LongLists):
    takes_posts = True
    actions = ("assign_to_me",)
    list_display = (
        *("at", "reason", "reported", "earlier", "reporter", "text", "assignee", "resolved_at"),
    )
    list_filter = (StateFilter, "reason")
    list_select_related = ("reported", "reporter", "assignee", "suspension", "match")

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.several_page)
        return [path("people", page, name="several_people"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        """Without reports about the reader, who must not learn who made them."""
        rows: QuerySet[PlayerReport] = super().get_queryset(request)
        rows = rows.exclude(reported_id=request.user.pk).defer(*LARGE_AND_SECRET)
        return reports.with_earlier(rows)

    @admin.display(description="In a year")
    def earlier(self, report: Any) -> str:
        return str(Earlier(*report.earlier_counts))

    def has_work_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("operations.change_playerreport")

    @admin.action(description="Assign to me", permissions=["work"])
    def assign_to_me(self, request: HttpRequest, rows: QuerySet[PlayerReport]) -> None:
        for row in rows:
            try:
                done = reports.assign(report_id=row.pk, user=cast("User", request.user))
                messages.success(request, f"{row}: {done}")
            except Refusal as refused:
                messages.error(request, f"{row}: {refused}")

    def own_page(self, request: HttpRequest, report: Any) -> HttpResponse:
        may, earlier = self.has_work_permission(request), Earlier(*report.earlier_counts)
        offered, person = _offered(cast("User", request.user), report), report.person
        if request.method == "POST":
            if not may or request.POST.get("verdict", "nothing") not in offered:
                raise PermissionDenied
            return _report_act(request, report, earlier)
        about = Q(subject_type="person", subject_id=str(person and person.pk))
        others = PlayerReport.objects.filter(reported=person, reported__isnull=False)
        others, entries = together.read(
            others.exclude(pk=report.pk)[:ROWS_SHOWN],
            Entry.objects.filter(about).exclude(action="assign_report")[:ROWS_SHOWN],
        )
        context = self.admin_site.each_context(request) | {
            "title": str(report),
            "report": report,
            "match": report.match,
            "may": may and report.resolved_at is None,
            "may_reopen": may and report.resolved_at is not None,
            "person": person,
            "earlier": earlier,
            "others": others,
            "entries": entries,
            "verdicts": [(what, earlier.label(what)) for what in offered],
            "lengths": LENGTHS,
            "moderators": reports.moderators(report) if may else (),
            "to_person": _in_language_of(person, wording.TO_PERSON),
            "to_writer": _in_language_of(report.reporter, _answers(report)),
        }
        return TemplateResponse(request, "admin/operators/report.html", context)

    def several_page(self, request: HttpRequest) -> HttpResponse:
        """Shows what the next act to each of several people is, and does one to all."""
        user = cast("User", request.user)
        if not user.has_perm("operations.view_person"):
            raise PermissionDenied
        offered = [what for what in ("warn", "silence", "suspend") if user.has_perm(RIGHTS[what])]
        sent = request.GET.getlist("id")[:MOST_AT_ONCE]
        ids = [
            UUID(one)
            for one in sent
            if re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one)
        ]
        playing = Seat.objects.filter(user=OuterRef("pk"), match__status="active", resigned_at=None)
        counted = playing.order_by().values("user").annotate(n=Count("pk")).values("n")
        # Joined, the earlier acts would be counted once for each seat.
        rows: QuerySet[Any] = User.objects.filter(pk__in=ids).annotate(
            running=Coalesce(Subquery(counted), 0)
        )
        rows = reports.with_earlier(rows, "accounts_user.id").prefetch_related("suspensions")
        lines = [
            (one, standing_of(one), Earlier(*one.earlier_counts))
            for one in rows.order_by("username")
        ]
        if request.method == "POST":
            if request.POST.get("verdict") not in offered:
                raise PermissionDenied
            for person, _, earlier in lines:
                if not person.is_staff:
                    _act_on(request, person, earlier)
            return redirect(request.get_full_path())
        context = self.admin_site.each_context(request) | {
            "title": "Several people",
            "lines": [(*line, [line[2].label(what) for what in offered]) for line in lines],
            "offered": offered,
            "lengths": LENGTHS,
            "templates": wording.TO_PERSON,
        }
        return TemplateResponse(request, "admin/operators/several.html", context)


def _offered(user: User, report: PlayerReport) -> list[str]:
    """The acts of this operator that are possible on the person of a report."""
    acts = ("lift",) if report.match_id is None else ("warn", "silence", "suspend")
    below = report.person is not None and user.outranks(report.person)
    return ["nothing", *(what for what in acts if below and user.has_perm(RIGHTS[what]))]


def _answers(report: PlayerReport) -> Any:
    return wording.TO_WRITER if report.match_id is not None else wording.TO_SUSPENDED


def _in_language_of(person: User | None, templates: Any) -> list[tuple[str, str]]:
    if person is None:
        return []
    return [(slug, wording.written_for(person, text)) for slug, text in templates.items()]


def _report_act(request: HttpRequest, report: Any, earlier: Earlier) -> HttpResponse:
    user, sent = cast("User", request.user), request.POST
    try:
        if sent.get("what") == "assign":
            done = reports.assign(report_id=report.pk, user=user, to=sent.get("to", ""))
            messages.success(request, done)
            return redirect(request.path)
        by = Actor.of(user, sent.get("reason", ""))
        if sent.get("what") == "reopen":
            messages.success(request, reports.reopen(report_id=report.pk, by=by))
        else:
            messages.success(request, _settle(sent, report, by, earlier))
    except Refusal as refused:
        messages.error(request, str(refused))
    return redirect(request.path)


def _settle(sent: QueryDict, report: Any, by: Actor, earlier: Earlier) -> str:
    what = sent.get("verdict", "nothing")
    slug = "lifted" if what == "lift" else sent.get("answer_template", "")
    answer = _answers(report).get(slug, "")
    return reports.resolve(
        report_id=report.pk,
        by=by,
        what=what,
        days=_days(sent, earlier),
        words=_words(sent, report.person),
        answer=sent.get("answer", "").strip() or wording.written_for(report.reporter, answer),
    )


def _days(sent: QueryDict, earlier: Earlier) -> int | None:
    """The chosen number of days, or the next length; none: for good."""
    what, length = sent.get("verdict", "nothing"), sent.get("length", "")
    if what not in reports.LENGTHS or length == "good":
        return None
    return number_of(length) if length else earlier.days(what)


def _words(sent: QueryDict, person: User | None) -> str:
    """Own words, or a template in the language of its reader."""
    text = wording.TO_PERSON.get(sent.get("template", ""), "")
    return sent.get("words", "").strip() or (wording.written_for(person, text) if person else "")


def _act_on(request: HttpRequest, person: User, earlier: Earlier) -> None:
    sent = request.POST
    try:
        by = Actor.of(cast("User", request.user), sent.get("reason", ""))
        days = _days(sent, earlier)
        outcome = reports.act_on(person, by, sent["verdict"], days, _words(sent, person))
        messages.success(request, f"{person.username}: {outcome}")
    except Refusal as refused:
        messages.error(request, f"{person.username}: {refused}")


# Acts that one button takes back.

PAGES: Final = {
    "match": "admin:games_match_change",
    "person": "admin:operations_person_change",
    "tournament": "admin:competitions_tournament_change",
}


@admin.register(Undoable)
class UndoableAdmin(OwnPage, ReadOnly, LongLists):
    """Those of the last hour, and erasures of the last day; others are in the audit log."""

    takes_posts = True
    list_display = ("at", "title", "subject", "by", "reason", "until", "undone_by")
    list_filter = ("act",)

    def own_page(self, request: HttpRequest, row: Undoable) -> HttpResponse:
        user, name = cast("User", request.user), PAGES.get(row.subject_type)
        page = reverse(name, args=[row.subject_id]) if name else ""
        if request.method != "POST":
            undoable = [row] if undoing.may_undo(user, row) else []
            more = {"title": str(row), "row": row, "page": page, "undoable": undoable}
            context = self.admin_site.each_context(request) | more
            return TemplateResponse(request, "admin/operators/undoable.html", context)
        if not user.has_perm(undoing.RIGHTS[row.act]):
            raise PermissionDenied
        try:
            messages.success(request, undoing.undo(undo_id=row.pk, user=user))
        except Refusal as refused:
            messages.error(request, str(refused))
        return redirect(page or request.path)


# Who may make no account here.


class BlockForm(forms.ModelForm[RegistrationBlock]):
    def clean(self) -> None:
        kind, value = self.cleaned_data.get("kind", ""), self.cleaned_data.get("value", "")
        try:
            self.cleaned_data["value"] = gate.checked_value(kind, value)
        except ValidationError as error:
            self.add_error("value", error)


@admin.register(RegistrationBlock)
class RegistrationBlockAdmin(StaffPages):
    form = BlockForm
    list_display = ("value", "kind", "per_day", "until", "reason", "at")
    list_filter = ("kind",)
    list_per_page = 50
    show_full_result_count = False
    fields = ("kind", "value", "per_day", "until", "reason")
