"""The targets of the forms of a table: what was done is shown, or why it was refused."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.web.presses import check_plays_here
from config.refusals import Refusal
from config.telemetry import requests, work
from config.words import sentence_of
from games.matches.refusals import MalformedMove, StaleVersion
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.web.parts.visitor import once
from games.web.table.quick_answers import wait_for_quick_computers
from games.web.table.showing import page_for, panel
from games.web.tables import Action


def action(perform: Action) -> Callable[[HttpRequest, UUID], HttpResponse]:
    """A form's target: shows the match that ``perform`` returns, or why it was refused."""

    @require_POST
    @wraps(perform)
    def view(request: HttpRequest, match_id: UUID) -> HttpResponse:
        after: MatchSnapshot | None = None
        try:
            check_plays_here(request)
            after = perform(request, match_id)
            work.note(match=after.id, version=after.version)
        except StaleVersion as stale:
            requests.refused(stale)
            messages.info(
                request, gettext("The match went on in the meantime. This is how it stands now.")
            )
        except MalformedMove as malformed:  # its sentence is for those who write moves as text
            requests.refused(malformed)
            messages.error(
                request,
                gettext("Nothing was played: the choice is not complete. Choose and press again."),
            )
        except Refusal as refused:
            requests.refused(refused)
            messages.error(request, sentence_of(refused))
        to = after.id if after else match_id
        if not getattr(request, "htmx", False) or to != match_id:
            return redirect("table", to)
        if after:
            wait_for_quick_computers(after)
        return panel(request, page_for(request, match_id))

    return view


def made_once(request: HttpRequest, make: Callable[[User], MatchSnapshot]) -> MatchSnapshot:
    """The match that this press made, or one before that was the same."""
    return get_match(once(request, lambda user: make(user).id))
