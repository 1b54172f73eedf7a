"""The stream of a page: it says that the page has changed, and the page asks for itself again."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from config.counting.client_address import client_address
from config.server.streams import LiveResponse
from games.competitions.selectors import find as find_tournament
from games.live.credentials import session_credential
from games.live.encodings import EVENTS
from games.live.hub import hub
from games.live.page_stream import FriendList, PageListener, TournamentSheet
from games.live.talk import Talk
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot
from games.spoken import messages_for_reader
from games.web.parts.visitor import user_id


@require_GET
def page_stream(request: HttpRequest) -> HttpResponse:
    """``match``: the page shows this match; ``lobby``: it lists the open ones of everybody;
    ``friends``: it shows the reader's in this state (``state_of_list``); ``tournament``: it shows
    this one as it was at ``version``.
    """
    match, sheet, user = _match(request), _sheet(request), user_id(request)
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
        credential,
        hub(),
        shown,
        lobby=lobby,
        plays=plays,
        talk=talk,
        friends=friends,
        sheet=sheet,
    )
    live.sits = match is not None and bool(match.seats_of(user))
    return LiveResponse(live, EVENTS.content_type)


def _named(request: HttpRequest, what: str) -> UUID | None:
    named = request.GET.get(what)
    if named is None:
        return None
    try:
        return UUID(named)
    except ValueError:
        raise Http404("This is no id.") from None


def _sheet(request: HttpRequest) -> TournamentSheet | None:
    tournament_id, version = _named(request, "tournament"), request.GET.get("version", "")
    if tournament_id is None:
        return None
    row = find_tournament(tournament_id, user_id(request))
    return TournamentSheet(row.id, int(version) if version.isdecimal() else row.version)


def _match(request: HttpRequest) -> MatchSnapshot | None:
    match_id, user = _named(request, "match"), user_id(request)
    if match_id is None:
        return None
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    return access.match
