"""The page of an act: what will happen, the reason, and the button that does it."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts.audit.log import Actor
from accounts.models import User
from config.refusals import Refusal
from games.admin.refereeing.act_forms import act_form, values_of
from games.admin.refereeing.deadline_changes import changes, is_confirmed, token
from games.matches.models import Match
from games.matches.selectors.access import get_match
from games.operations.refereeing import conflicts, judgements
from games.operations.refereeing.acts import ACTS, Act
from games.operations.refereeing.time_limits import moment


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
        if conflicts.plays(match_id, cast("User", request.user).pk):
            messages.error(request, conflicts.OWN_MATCH)
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
            name, body = judgements.export_record(match_id=match_id, by=by)
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
    show = messages.error if sentence.startswith(judgements.FAULTS) else messages.success
    show(request, sentence)
    return True
