"""The forms of the coach at a table: switched on, asked for a hint."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from games.coaching import at_table, hints
from games.matches.selectors.access import get_match
from games.matches.snapshot import MatchSnapshot
from games.web.parts.visitor import current_or_guest_user
from games.web.table.acting import action
from games.web.table.coach import WAITED


@action
def switch_on(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return at_table.switch_on(match_id=match_id, user=current_or_guest_user(request))


@action
def hint(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The panel shows the hint as soon as it is there; one with scripts asks again by itself."""
    row = at_table.ask(match_id=match_id, user=current_or_guest_user(request))
    if hints.wait_for(row, WAITED) is None and not getattr(request, "htmx", False):
        messages.info(request, gettext("The coach is still thinking. Look again in a moment."))
    return get_match(match_id)
