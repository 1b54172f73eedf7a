"""One screen in the room, hands on the phones: the screen of a match, and sitting down by its code.

The screen shows what somebody without a seat sees, also to its host: its stream and its panel are
made for nobody, so a browser that plays shows no hand there either, and matches that are shown late
are late on it, too. It has no control and does not count as its reader's presence.
"""

from io import BytesIO
from typing import Any, Final
from uuid import UUID

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from accounts.services import change_profile
from accounts.visitors import check_plays_here
from cardroom.rules import catalog
from config.api.throttles import WrongCodes
from config.refusals import Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.absent import GameNotInstalled, check_installed
from games.lobby.rematches import standing_of
from games.matches import opening, party
from games.matches.models import Match
from games.matches.refusals import TooManyCodes, UnknownCode
from games.matches.seats import SeatRequest
from games.matches.selectors.history import delayed_for
from games.matches.selectors.secrecy import named_for
from games.matches.snapshot import MatchSnapshot
from games.web.parts.table_page import TablePage
from games.web.parts.visitor import (
    current_or_guest_user,
    match_or_404,
    number,
    once,
    user_id,
)
from games.web.table.acts import absent_match, action
from games.web.table.page import BY_CODE, draw_page, page_of_match, tag, visible_match

MOST_HOSTS: Final = 8


def _shown(request: HttpRequest, match_id: UUID) -> tuple[TablePage, dict[str, Any]]:
    """The table as nobody in particular sees it, and what the screen says beside it."""
    reader = user_id(request)
    stored = match_or_404(request, match_id)
    check_installed(stored.rules)
    match = delayed_for(named_for(stored, reader, gettext), None)
    page = page_of_match(request, match, None)
    page.__dict__["profiles"] = {}  # no link leads away from a screen
    code, following = party.code_for(stored), standing_of(match, reader)
    is_running = following is not None and following.status == Match.Status.ACTIVE
    return page, {
        "frame": "games/screen_panel.html",
        "code": code,
        "join_address": f"{request.get_host()}{reverse('join_by_code')}",
        "seats_taken": sum(seat.kind != "open" for seat in match.seats),
        "next_match": following.match if following and is_running else None,
        "screen_tag": f"{tag(page)}-{code}-{following.match if following and is_running else ''}",
    }


@never_cache
@require_GET
def screen(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        page, more = _shown(request, match_id)
    except GameNotInstalled:
        return absent_match(request, visible_match(request, match_id))
    return draw_page(request, page, lambda _own: "games/screen.html", more)


@never_cache
@require_GET
def screen_update(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The panel of the screen if it differs from what is shown, else 204."""
    page, more = _shown(request, match_id)
    if request.GET.get("shown") == more["screen_tag"]:
        return HttpResponse(status=204)
    return draw_page(request, page, lambda own: own.template, more)


def qr_code(address: str) -> HttpResponse:
    """An SVG, dark on light whatever the page looks like: cameras want it so."""
    picture = BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(picture, kind="svg", border=3, scale=4, dark="#000", light="#fff")
    return HttpResponse(
        picture.getvalue(),
        content_type="image/svg+xml",
        headers={"Cache-Control": "private, max-age=3600"},
    )


@require_GET
def join_code(request: HttpRequest, code: str) -> HttpResponse:
    """The address at which one sits down by this code; drawn for any, so it tells of none."""
    query = urlencode({"code": party.as_code(code)})
    return qr_code(request.build_absolute_uri(f"{reverse('join_by_code')}?{query}"))


# Sitting down by a code. Looking at the form tells nothing of a code: only a press is answered.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_by_code(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        code = party.as_code(request.GET.get("code", ""))
        return render(request, "games/join.html", {"code": code})
    typed, name = request.POST.get("code", "")[:64], request.POST.get("name", "").strip()[:128]
    try:
        check_plays_here(request)
        match = _table_of(request, party.as_code(typed))
        if "screen" in request.POST:
            return redirect("screen", match.id)
        match_id = once(request, lambda user: _seated(party.as_code(typed), user, name).id)
    except Refusal as refused:
        requests.refused(refused)
        context = {"code": typed, "name": name, "fault": sentence_of(refused)}
        return render(request, "games/join.html", context, status=refused.status)
    hosts = [each for each in request.session.get(BY_CODE, []) if each != str(match.creator_id)]
    request.session[BY_CODE] = [*hosts, str(match.creator_id)][-MOST_HOSTS:]
    return redirect("table", match_id)


def _table_of(request: HttpRequest, code: str) -> MatchSnapshot:
    """Counts wrong codes by address; a place that sent too many gets no answer to right ones."""
    if WrongCodes.seconds_left(request) is not None:
        raise TooManyCodes
    try:
        return party.table_of(code, user_id(request))
    except UnknownCode:
        WrongCodes.take(request)
        raise


def _seated(code: str, user: User, name: str) -> MatchSnapshot:
    if name and user.is_guest and name != user.display_name:
        change_profile(user=user, display_name=name)
    return party.sit_down(code=code, user=user)


# The host opens a table for the screen, removes, begins, hands a seat over.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_party(request: HttpRequest) -> HttpResponse:
    """A table with a seat for the host and free ones for all others who may play the game."""
    fault = ""
    if request.method == "POST":
        game = next((g for g in catalog.GAMES if g.slug == request.POST.get("game")), None)
        try:
            if game is None:
                raise Http404("There is no such game.")
            most = number(request, "seats") or game.max_seats
            seats = min(max(most, game.min_seats), game.max_seats)
            return redirect("table", once(request, lambda user: _opened(user, game.slug, seats).id))
        except Refusal as refused:
            requests.refused(refused)
            fault = sentence_of(refused)
    context = {
        "games": catalog.GAMES,
        "fault": fault,
        "most": max(g.max_seats for g in catalog.GAMES),
    }
    return render(request, "games/party.html", context)


def _opened(host: User, slug: str, seats: int) -> MatchSnapshot:
    game = catalog.find(slug)
    usual = game.choose_options(preset=game.quick_preset)
    fits = game.seats(usual) == seats
    match = opening.open_match(
        creator=host,
        game=slug,
        seats=[SeatRequest("me"), *[SeatRequest("open")] * (seats - 1)],
        preset=game.quick_preset if fits else None,
        options=None if fits else {"players": seats},
        rated=False,
    )
    party.code_for(match)
    return match


@action
def begin(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return party.begin(match_id=match_id, host=current_or_guest_user(request))


@action
def remove(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    host, seat = current_or_guest_user(request), number(request, "seat") or 0
    match = party.remove(match_id=match_id, host=host, seat=seat)
    messages.success(request, gettext("Removed. The code has changed, and you have blocked them."))
    return match


@require_POST
def hand_over(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Shows the host a code for this seat alone."""
    try:
        seat, host = number(request, "seat") or 0, current_or_guest_user(request)
        code = party.hand_over(match_id=match_id, host=host, seat=seat)
        sentence = gettext("The new phone opens {address} and enters {code} within ten minutes.")
        address = request.build_absolute_uri(reverse("join_by_code"))
        messages.success(request, sentence.format(address=address, code=code))
    except Refusal as refused:
        requests.refused(refused)
        messages.error(request, sentence_of(refused))
    return redirect("table", match_id)
