"""The form by which a seat plans its moves, or withdraws its plan."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from games.matches.moving import planned
from games.matches.snapshot import MatchSnapshot
from games.web.front.planning import steps_of
from games.web.parts.posted import number
from games.web.parts.visitor import current_or_guest_user
from games.web.table.acting import action
from games.web.table.showing import page_for


@action
def plan(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    match = page_for(request, match_id).match
    user, seat = current_or_guest_user(request), number(request, "seat")
    steps = steps_of(request.POST)
    if "withdraw" in request.POST:
        planned.withdraw(match_id=match_id, user=user, seat=seat)
    elif not steps:
        messages.error(request, gettext("Nothing was planned: say what you play."))
    else:
        planned.put(match_id=match_id, user=user, seat=seat, steps=steps)
    return match
