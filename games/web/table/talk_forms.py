"""The forms by which one speaks at a table, and stops reading somebody."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import escape
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from config.refusals import NotAllowed, Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.matches.refusals import NoSuchMatch
from games.matches.snapshot import MatchSnapshot
from games.phrases import speaking
from games.web.parts.posted import number
from games.web.table.acting import action
from games.web.table.showing import page_for


@require_POST
def say(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A page with scripts gets no more than why nothing was said: its stream shows the rest."""
    sentence = ""
    try:
        phrase = request.POST.get("phrase", "")
        speaking.speak(match_id=match_id, user=_player(request), phrase=phrase)
    except NoSuchMatch:
        raise Http404("There is no such match, or it is not yours to see.") from None
    except Refusal as refused:
        requests.refused(refused)
        sentence = sentence_of(refused)
    if getattr(request, "htmx", False):
        return HttpResponse(escape(sentence))
    if sentence:
        messages.error(request, sentence)
    return redirect("table", match_id)


@action
def mute(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user, seat = _player(request), number(request, "seat")
    if "again" in request.POST:
        speaking.unmute(match_id=match_id, user=user, seat=seat)
        messages.success(request, gettext("You read them again."))
    else:
        speaking.mute(match_id=match_id, user=user, seat=seat)
        messages.success(request, gettext("You read them no more. They are not told."))
    return page_for(request, match_id).match


def _player(request: HttpRequest) -> User:
    """A visitor without an account sits nowhere, and gets none for this."""
    if isinstance(request.user, User):
        return request.user
    raise NotAllowed("Only the players speak at a table.")
