"""Acts of operators on one match or many: their pages and forms, and what stays secret."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, NamedTuple, Protocol, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from unfold.paginator import InfinitePaginator
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from accounts.audit.log import REASON_LENGTH, SHORTEST_REASON, Actor
from accounts.models import User
from accounts.staff_pages import OwnPage, ReadOnly, StaffPages, Subject
from config.refusals import Refusal
from games.matches.commit import deadlines
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.matches.selectors.secrecy import may_tell_all
from games.matches.snapshot import MatchSnapshot
from games.operations import acts, finding, refereeing
from games.operations.acts import ACTS, Act, NewDeadline, Values
from games.operations.models import BulkRun
from games.operations.refereeing import (
    NOTICE_LENGTH,
    bots_not_installed,
    moment,
    seats_for_a_bot,
    seats_to_give_back,
)

# The form of an act: a reason always, and what the act needs to know.

NO_DEADLINE: Final = datetime.max.replace(tzinfo=UTC)
REASON_HELP = "For the audit log. Players do not read it."


def act_form(act: Act, match: MatchSnapshot | None, data: Any = None) -> forms.Form:
    """For one match, or (``None``) for a bulk run."""
    fields = {name: _field(act, name, match) for name in act.needs}
    fields["reason"] = forms.CharField(
        min_length=SHORTEST_REASON,
        max_length=REASON_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=REASON_HELP,
    )
    form: forms.Form = type("ActForm", (forms.Form,), fields)(data)
    return form


def values_of(act: Act, form: forms.Form) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in act.needs}


def _field(act: Act, name: str, match: MatchSnapshot | None) -> forms.Field:
    if name == "minutes":
        return forms.IntegerField(
            min_value=1,
            max_value=30 * 24 * 60,
            initial=60,
            widget=UnfoldAdminIntegerFieldWidget(),
            help_text="Added to the time that is left, or counted from now where none is left.",
        )
    if name == "text":
        return forms.CharField(
            max_length=NOTICE_LENGTH,
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
            help_text="The players read this at the table and in the API.",
        )
    if match is None:
        raise LookupError(name)
    return forms.TypedChoiceField(
        choices=_choices(act, name, match),
        initial=_overdue(match) if act.slug == "hand-to-bot" and name == "seat" else None,
        coerce=str if name == "bot" else int,
        widget=UnfoldAdminSelectWidget(),
    )


def _choices(act: Act, name: str, match: MatchSnapshot) -> list[tuple[object, str]]:
    """Matches that the act can be done to; where there are none, all, and the act says why not."""
    if name == "bot":
        ordered = sorted(match.rules.bots, key=lambda bot: bot.slug != match.rules.stand_in)
        return [(bot.slug, f"{bot.name} · {bot.summary}") for bot in ordered]
    if name == "round":
        rounds = refereeing.rounds_to_go_back_to(match) if act.applies(match) else []
        return [(number, f"Round {number}") for number in rounds or range(match.round, 0, -1)]
    seats = _SEATS[act.slug](match) or range(len(match.seats))
    return [(seat, f"{match.names[seat]} (seat {seat})") for seat in seats]


_SEATS: Final = {
    "hand-to-bot": seats_for_a_bot,
    "give-back": seats_to_give_back,
    "adjudicate": refereeing.seats_that_may_win,
}


def _overdue(match: MatchSnapshot) -> int | None:
    """The seat that the match waits for: one whose computer is gone, or whose time ends first."""
    if gone := bots_not_installed(match):
        return next((seat for seat in match.to_act if seat in gone), min(gone))
    if match.status != "active" or not match.is_playable or not match.people_to_act:
        return None
    until = deadlines(match) if match.deadline_at is not None else {}
    return min(match.people_to_act, key=lambda seat: until.get(seat, NO_DEADLINE))


# How an act changes each deadline, shown before it is done: the old one and the new one.
#
# The form holds a token of what was shown. If it does not fit any more (other minutes, a deadline
# that has moved meanwhile), nothing is changed and the page shows the changes again.


class Row(Protocol):
    """A match of the ORM, or its snapshot."""

    @property
    def status(self) -> str: ...

    @property
    def deadline_at(self) -> datetime | None: ...


class Change(NamedTuple):
    match: Any
    was: str
    will_be: str


def changes(act: Act, matches: Iterable[Row], values: Values) -> list[Change]:
    """Empty for an act that leaves deadlines alone, and until the form says by how much."""
    if act.new_deadline is None or any(name not in values for name in act.needs):
        return []
    now = timezone.now()
    return [_change(act.new_deadline, match, values, now) for match in matches]


def _change(new: NewDeadline, match: Row, values: Values, now: datetime) -> Change:
    """A match that does not run has no deadline, and gets none."""
    was = match.deadline_at
    will_be = new(was, values, now) if match.status == "active" else was
    return Change(match, moment(was), moment(will_be))


def token(values: Values, shown: Sequence[Change] = ()) -> str:
    """Names what a page has shown; without ``shown`` only the values of the form."""
    return "|".join([*map(str, values.values()), *(change.was for change in shown)])


def is_confirmed(act: Act, sent: Any, expected: str) -> bool:
    """Whether the form was sent from a page that showed what changes; others need no token."""
    shows = act.new_deadline is not None or act.losses is not None
    return not shows or sent.get("shown") == expected


def allowed(request: HttpRequest, act: Act) -> bool:
    return bool(request.user.has_perm(act.permission))


def allowed_acts(request: HttpRequest) -> list[Act]:
    return [act for act in ACTS.values() if allowed(request, act)]


def page_of(match_id: UUID) -> str:
    return reverse("admin:games_match_change", args=[match_id])


class MatchActs:
    """Adds a page for each act to the pages of a match."""

    admin_site: Any

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:match_id>/act/<slug:slug>", wrap(self.act_page), name="games_match_act"),
            path("<uuid:match_id>/record", wrap(self.record_page), name="games_match_record"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    def act_page(self, request: HttpRequest, match_id: UUID, slug: str) -> HttpResponse:
        act = ACTS.get(slug)
        try:
            match = get_match(match_id)
        except Match.DoesNotExist:
            raise Http404 from None
        if act is None:
            raise Http404
        if not allowed(request, act):
            raise PermissionDenied
        if refereeing.plays(match_id, cast("User", request.user).pk):
            messages.error(request, refereeing.OWN_MATCH)
            return redirect(page_of(match_id))
        form = act_form(act, match, request.POST or None)
        valid = request.method == "POST" and form.is_valid()
        values = values_of(act, form) if valid else {}
        shown = changes(act, [match], values)
        losses = act.losses(match, values) if valid and act.losses is not None else []
        expected = token(values | ({"version": match.version} if losses else {}), shown)
        confirmed = valid and is_confirmed(act, request.POST, expected)
        if confirmed and _done(request, act, match_id, form.cleaned_data["reason"], values):
            return redirect(page_of(match_id))
        context = self.admin_site.each_context(request) | {
            "title": act.title,
            "act": act,
            "match": match,
            "form": form,
            "effects": list(act.foresee(match)),
            "changes": shown,
            "losses": losses,
            "instead": [
                other
                for other in allowed_acts(request)
                if other.slug in act.instead and other.applies(match)
            ],
            "button": f"{act.title}: yes, all of this goes" if losses else act.title,
            "now_is": moment(match.deadline_at),
            "token": expected,
            "back": page_of(match_id),
        }
        return TemplateResponse(request, "admin/operators/act.html", context)

    def record_page(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        """The record as a file; its form asks for a reason."""
        if request.method != "POST":
            return redirect(page_of(match_id))
        if not request.user.has_perm("games.audit_match"):
            raise PermissionDenied
        try:
            by = Actor.of(cast("User", request.user), request.POST.get("reason", ""))
            name, body = refereeing.export_record(match_id=match_id, by=by)
        except Match.DoesNotExist:
            raise Http404 from None
        except Refusal as refused:
            messages.error(request, str(refused))
            return redirect(page_of(match_id))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(body, content_type="application/json", headers=headers)


def _done(
    request: HttpRequest, act: Act, match_id: UUID, reason: str, values: dict[str, Any]
) -> bool:
    try:
        sentence = act.apply(match_id, Actor.of(cast("User", request.user), reason), values)
    except Refusal as refused:
        messages.error(request, str(refused))
        return False
    show = messages.error if sentence.startswith(refereeing.FAULTS) else messages.success
    show(request, sentence)
    return True


# The pages of a bulk run: its draft, which shows what will happen, and then its results.

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
        if request.method == "POST" and allowed(request, ACTS[run.act]):
            messages.error(request, "It was begun already.")
        elif request.method == "POST":
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
                acts.confirm(run_id=run.id, user=user, reason=reason, values=values)
            except Refusal as refused:
                messages.error(request, str(refused))
            return redirect(run_page(run.id))
        looks = act.slug == "annul-rating" and "ratings" in request.GET
        listed = run.match_ids[: None if act.changes_deadlines else EXAMPLES]
        matches = Match.objects.filter(id__in=listed).defer("state", "loaded", "seed", "options")
        matches = matches.prefetch_related("seats")
        context = self.admin_site.each_context(request) | {
            "title": f"{act.title}: {_counted(run)}",
            "counted": _counted(run),
            "act": act,
            "run": run,
            "form": form,
            "matches": matches,
            "changes": changes(act, matches, values),
            "token": token(values),
            "more": len(run.match_ids) - len(listed),
            "may_look": act.slug == "annul-rating",
            "ratings": acts.changes_of_annulling(run.match_ids) if looks else None,
            "back": reverse("admin:games_match_changelist"),
        }
        return TemplateResponse(request, "admin/operators/bulk_draft.html", context)

    def _progress(self, request: HttpRequest, run: BulkRun) -> HttpResponse:
        results = list(run.results.all()[:RESULTS])
        context = self.admin_site.each_context(request) | {
            "title": f"{ACTS[run.act].title}: {_counted(run)}",
            "run": run,
            "results": results,
            "failed": sum(not result.succeeded for result in results),
        }
        response = TemplateResponse(request, "admin/operators/bulk_run.html", context)
        if not run.is_over:
            response["Refresh"] = str(REFRESH_SECONDS)
        return response


def _counted(run: BulkRun) -> str:
    count = len(run.match_ids)
    return f"{count} match" if count == 1 else f"{count} matches"


# No page of the admin shows a secret of a running match, and a search by id is quick.

UNTIL_OVER = "shown when the match and all that share its cards are over"


class SearchById:
    """A search for a whole id uses the index instead of scanning the table."""

    named_by = "match_id"

    def get_search_results(
        self, request: HttpRequest, rows: QuerySet[Any], term: str
    ) -> tuple[QuerySet[Any], bool]:
        try:
            return rows.filter(**{self.named_by: UUID(term.strip())}), False
        except ValueError:
            results: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
                request, rows, term
            )
            return results


class OfAMatch(SearchById):
    """Rows that belong to a match, without its secrets; of a private match only after a look.

    Every page and every action reads rows through this query: list, search, filters, links,
    deletions, history and autocompletion.
    """

    asked_by: ClassVar[Sequence[str]] = ("match__id",)
    search_fields = ("=match__id",)
    search_help_text = "A match's whole id"
    paginator = InfinitePaginator  # does not count the rows of the largest table
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        open_to = finding.open_to(cast("User", request.user), request.session, "match")
        return rows.filter(open_to).select_related("match").defer(*LARGE_AND_SECRET)

    def subject_of(self, row: Any) -> Subject:
        return "match", row.match_id, str(row)


LARGE_AND_SECRET = ("match__state", "match__loaded", "match__seed", "match__options")


def may_be_shown(match: Match) -> bool:
    """Whether a match and all that share its cards are over."""
    over = match.status in (Match.Status.FINISHED, Match.Status.ABORTED)
    return over and may_tell_all(get_match(match.pk), None)


def hidden_until_over(match: Match, text: str) -> str:
    return text if may_be_shown(match) else UNTIL_OVER
