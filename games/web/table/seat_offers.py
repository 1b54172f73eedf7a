"""What a host does with a kept seat: invites, opens it, lets a computer play."""

from uuid import UUID

from django.http import HttpRequest

from games.matches.seating import inviting
from games.matches.snapshot import MatchSnapshot
from games.web.parts.posted import number
from games.web.parts.visitor import current_or_guest_user
from games.web.table.acting import action


@action
def offer_seat(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """``to`` is ``person``, ``bot``, ``friends`` or anybody; an invitation before is withdrawn."""
    host, seat = current_or_guest_user(request), number(request, "seat") or 0
    match request.POST.get("to"):
        case "person":
            name = request.POST.get("username", "").strip()
            return inviting.invite(match_id=match_id, host=host, seat=seat, username=name)
        case "bot":
            bot = request.POST.get("bot", "")
            return inviting.fill_seat(match_id=match_id, host=host, seat=seat, bot=bot)
    friends = request.POST.get("to") == "friends"
    return inviting.open_seat(match_id=match_id, host=host, seat=seat, friends=friends)
