"""The stream of a page: it says that the page has changed, and the page asks for itself again."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from config.counting.client_address import client_address
from config.server.streams import LiveResponse
from games.live.credentials import session_credential
from games.live.encodings import EVENTS
from games.live.hub import hub
from games.live.page_stream import FriendList, PageListener
from games.live.talk import Talk
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot
from games.spoken import messages_for_reader
from games.web.parts.visitor import user_id


@require_GET
def page_stream(request: HttpRequest) -> HttpResponse:
    """``match``: the page shows this match; ``lobby``: it lists the open ones of everybody;
    ``friends``: it shows the reader's in this state (``state_of_list``).
    """
    match, user = _match(request), user_id(request)
    credential = session_credential(request, client_address(request))
    plays = match is not None and match.is_played_by(user)
    hub().judge(credential, plays=plays)
    shown = match.id if match else None
    lobby = "lobby" in request.GET
    talk = Talk(match.id, user, messages_for_reader(match.rules)) if match else None
    friends = (
        FriendList(user, request.GET["friends"]) if user and "friends" in request.GET else None
    )
    live = PageListener(
        credential, hub(), shown, lobby=lobby, plays=plays, talk=talk, friends=friends
    )
    live.sits = match is not None and bool(match.seats_of(user))
    return LiveResponse(live, EVENTS.content_type)


def _match(request: HttpRequest) -> MatchSnapshot | None:
    named = request.GET.get("match")
    if named is None:
        return None
    try:
        match_id = UUID(named)
    except ValueError:
        raise Http404("This is no match.") from None
    user = user_id(request)
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    return access.match
