"""The page of a match: views and form targets, for plain forms and for htmx."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from cardroom.rules import record
from config.api.throttles import Loads
from config.refusals import NotAllowed, Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.absent import GameNotInstalled
from games.lobby.challenges.reading import is_challenge_of
from games.lobby.finding.here import watchers_of
from games.lobby.rematches import asking
from games.matches.history import continuation, loading
from games.matches.leaving import resigning
from games.matches.moving import moves
from games.matches.overdue import clocks
from games.matches.records import records
from games.matches.refusals import TooManyLoads
from games.matches.seating import blocking, joining, opening
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.withheld import named_for
from games.matches.snapshot import MatchSnapshot
from games.operations.watching import reports
from games.web.parts.posted import mover, number
from games.web.parts.visitor import current_or_guest_user, user_id
from games.web.table import coach
from games.web.table.absent_match import absent_match
from games.web.table.acting import action, made_once
from games.web.table.endings.ending import harder_rival
from games.web.table.past.replay import replay
from games.web.table.showing import (
    NO_HINTS,
    draw_page,
    found_match,
    page_for,
    panel,
    presence_key,
    tag,
    visible_match,
)
from games.web.table.talking import bubbles
from games.web.tables import page_of


@never_cache
@require_GET
def table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        page = page_for(request, match_id)
    except GameNotInstalled:
        return absent_match(request, visible_match(request, match_id))
    if page.match.status == "open" and is_challenge_of(page.user, match_id):
        return redirect("challenge", match_id)
    if "ply" in request.GET:
        return replay(request, page)
    more = {
        "bubbles": bubbles(page.match, page.user),
        "watchers": watchers_of([match_id]).get(match_id),
    }
    return draw_page(request, page, lambda _own: "games/table.html", more)


@never_cache
@require_GET
def table_update(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The table panel if it differs from what the page shows, else 204."""
    page = page_for(request, match_id)
    if request.GET.get("shown") == tag(page):
        return HttpResponse(status=204)
    return panel(request, page)


def game_action(request: HttpRequest, match_id: UUID, name: str) -> HttpResponse:
    """A form that only this game's page has."""
    perform = page_of(page_for(request, match_id).match.game).actions.get(name)
    if perform is None:
        raise Http404("This game has no such action.")
    return action(perform)(request, match_id)


@action
def move(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    text = " ".join(part for part in request.POST.getlist("move") if part)
    if "coached" in request.POST:  # no other move waits for the coach
        match = visible_match(request, match_id)
        coach.warn(request, match, current_or_guest_user(request), text)
    return moves.play(match_id=match_id, move=text, **mover(request)).match


@action
def confirm_presence(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The player to whom a shared device was handed says that they hold it."""
    page = page_for(request, match_id)
    request.session[presence_key(match_id)] = page.seat
    return page.match


@action
def no_hints(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The reader wants no more lines for beginners."""
    request.session[NO_HINTS] = True
    return page_for(request, match_id).match


@action
def join(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    seat, deck = number(request, "seat"), request.POST.get("side_deck") or None
    return made_once(
        request, lambda user: joining.join(match_id=match_id, user=user, seat=seat, deck=deck)
    )


@action
def leave(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return joining.leave(match_id=match_id, user=current_or_guest_user(request))


@action
def resign(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    caller = Caller(user=user_id(request))
    return resigning.resign(match_id=match_id, caller=caller, seat=number(request, "seat"))


@action
def abort(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return joining.stop(match_id=match_id, user=current_or_guest_user(request))


@action
def block(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Blocks who holds a seat, or without one who opened the match."""
    user, seat = current_or_guest_user(request), number(request, "seat")
    match = blocking.block_player(match_id=match_id, user=user, seat=seat)
    messages.success(
        request, gettext("Blocked. The list of those you have blocked is on your account page.")
    )
    return match


@action
def give_time(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return clocks.give_time(match_id=match_id, user=current_or_guest_user(request))


@action
def reclaim(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user, seat = current_or_guest_user(request), number(request, "seat")
    return clocks.reclaim(match_id=match_id, user=user, seat=seat)


@action
def rematch(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return made_once(request, lambda user: asking.ask(match_id=match_id, user=user))


@action
def no_rematch(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    page = page_for(request, match_id)
    return asking.refuse(match_id=page.match.id, user=current_or_guest_user(request))


@require_POST
def decline(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Declines an invitation; then the lobby is shown, as the match may be gone."""
    user = current_or_guest_user(request)
    access = find_match(match_id, Caller(user=user.id))
    if access is None or not access.match.is_invited(user.id):
        raise Http404("There is no such invitation.")
    try:
        if access.match.previous_id:
            asking.refuse(match_id=access.match.previous_id, user=user)
        else:
            joining.leave(match_id=match_id, user=user)
        messages.success(request, gettext("You have declined the invitation."))
    except Refusal as refused:
        requests.refused(refused)
        messages.error(request, sentence_of(refused))
    return redirect("lobby")


@action
def harder(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The same match against the computer of the next level."""
    page = page_for(request, match_id)
    rival = harder_rival(page)
    if rival is None:
        raise NotAllowed("There is no harder computer for this match.")
    return made_once(request, lambda user: opening.open_harder(page.match, user, rival.slug))


@action
def load(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    cards: continuation.Cards = "same" if request.POST.get("cards") == "same" else "reshuffled"
    point = {"round": number(request, "round"), "version": number(request, "version")}

    def make(user: User) -> MatchSnapshot:
        if Loads.take(request) is not None:
            raise TooManyLoads
        return loading.load(match_id=match_id, user=user, cards=cards, **point)

    return made_once(request, make)


@action
def report(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    page = page_for(request, match_id)
    reports.report(
        match_id=match_id,
        user=current_or_guest_user(request),
        seat=number(request, "seat"),
        reason=request.POST.get("reason", ""),
        text=request.POST.get("text", ""),
    )
    messages.success(request, gettext("Thank you. An operator will look at it."))
    return page.match


@require_GET
def record_file(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        match = named_for(found_match(request, match_id), user_id(request))
        match_record = records.of(match, user_id(request))
    except Refusal as refused:
        messages.error(request, sentence_of(refused))
        return redirect("table", match_id)
    return HttpResponse(
        record.write(match_record),
        content_type=record.MEDIA_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{record.file_name(match_record)}"'},
    )
