"""The page of a match: views and form targets, for plain forms and for htmx."""

from collections.abc import Callable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from config.api.throttles import Loads
from config.refusals import NotAllowed, Refusal
from config.telemetry import requests, work
from config.words import sentence_of
from games.absent import GameNotInstalled, check_installed
from games.competitions.selectors import tournament_for
from games.lobby.finding.here import watchers_of
from games.lobby.rematches import asking
from games.matches.history import continuation, loading
from games.matches.leaving import resigning
from games.matches.moving import moves
from games.matches.overdue import clocks
from games.matches.records import records
from games.matches.refusals import MalformedMove, StaleVersion, TooManyLoads
from games.matches.seating import blocking, joining, opening
from games.matches.selectors.access import Caller, find_match, get_match
from games.matches.selectors.history import as_watched
from games.matches.snapshot import MatchSnapshot
from games.operations.watching import reports
from games.rules import record
from games.web.front.agreements import Agreements
from games.web.parts.headline import headline, round_said, turns
from games.web.parts.match_shape import shape_words
from games.web.parts.options_form import chosen
from games.web.parts.posted import mover, number
from games.web.parts.side_decks import decks_for
from games.web.parts.table_page import TablePage, table_page
from games.web.parts.terms import invitation
from games.web.parts.visitor import current_or_guest_user, once, user_id
from games.web.table import score_sheet
from games.web.table.absent_match import absent_match
from games.web.table.coach import coach_line
from games.web.table.endings.ending import MatchEnding, harder_rival, round_ending
from games.web.table.endings.once_more import OnceMore, series_score
from games.web.table.first_deal import shows_the_opening
from games.web.table.happened import MOST_PLIES, motions_of
from games.web.table.past.replay import may_look_back, replay
from games.web.table.preview import preview
from games.web.table.quick_answers import wait_for_quick_computers
from games.web.table.saves import save_groups
from games.web.table.talking import bubbles, talk
from games.web.tables import Action, GamePage, drawn, page_of


@never_cache
@require_GET
def table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        page = page_for(request, match_id)
    except GameNotInstalled:
        return absent_match(request, visible_match(request, match_id))
    if "ply" in request.GET:
        return replay(request, page)
    more = {
        "bubbles": bubbles(page.match, page.user),
        "watchers": watchers_of([match_id]).get(match_id),
    }
    return _drawn(request, page, lambda _own: "games/table.html", more)


@never_cache
@require_GET
def table_update(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The table panel if it differs from what the page shows, else 204."""
    page = page_for(request, match_id)
    if request.GET.get("shown") == tag(page):
        return HttpResponse(status=204)
    return _panel(request, page)


def _panel(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table panel alone; it replaces the one that the page shows."""
    return _drawn(request, page, lambda own: own.template)


def _drawn(
    request: HttpRequest,
    page: TablePage,
    template: Callable[[GamePage], str],
    more: Mapping[str, Any] = MappingProxyType({}),
) -> HttpResponse:
    """By the game's own page; what fails of a game from outside is drawn by the plain one."""

    def draw(game_page: GamePage) -> HttpResponse:
        return render(request, template(game_page), {**_context(page, game_page), **more})

    return _at_its_version(drawn(page_of(page.match.game), draw), page)


def _at_its_version(response: HttpResponse, page: TablePage) -> HttpResponse:
    """Says which state of the match this is, so that no older one is shown after it."""
    response["Table-Version"] = f"{page.match.version}-{page.changed}"
    return response


def tag(page: TablePage) -> str:
    """Identifies what the page shows; the kinds of seats are in it, as joining is no move."""
    kinds = "".join(seat.kind[0] for seat in page.match.seats)
    wish = OnceMore(page).tag
    shows = page.match.version, page.match.status, kinds, page.seat, int(page.hidden), wish
    return "-".join(map(str, [*shows, f"{page.changed:x}"]))


def visible_match(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user = user_id(request)
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    return access.match


def page_for(request: HttpRequest, match_id: UUID) -> TablePage:
    """Raises ``GameNotInstalled``."""
    match = visible_match(request, match_id)
    check_installed(match.rules)
    match = as_watched(match, user_id(request))
    present_seat = request.session.get(_presence_key(match_id))
    game_page = page_of(match.game)
    return table_page(
        match,
        user_id(request),
        present_seat=present_seat,
        plies_read=game_page.plies_read,
        wants_hints=NO_HINTS not in request.session,
        unseen=min(_unseen(request, match), _most_shown(game_page)),
    )


def _unseen(request: HttpRequest, match: MatchSnapshot) -> int:
    """How many plies the asking page does not show; of a whole page all while the match opens."""
    if shows_the_opening(request, match):
        return match.version + 1
    shown = request.GET.get("shown", "").partition("-")[0] or request.POST.get("version", "")
    after = int(shown) if shown.isdecimal() and len(shown) < 9 else match.version
    return max(0, match.version - after)


def _most_shown(game_page: GamePage) -> int:
    return MOST_BRIEF_PLIES if game_page.brief_motions else MOST_PLIES


def _context(page: TablePage, game_page: GamePage) -> dict[str, Any]:
    motions, match_ending = motions_of(page, game_page), MatchEnding(page, game_page)
    return {
        "page": page,
        "match": page.match,
        "game": page.match.rules,
        "view": page.view,
        "tag": tag(page),
        "on_timeout": page.on_timeout,
        "agreements": Agreements(page),
        "headline": headline(page),
        "round_said": round_said(page),
        "motions": motions,
        "turns": turns(page) if motions else (),
        "round_ending": round_ending(page, game_page) if page.view else None,
        "invitation": invitation(page),
        "once_more": OnceMore(page),
        "series": series_score(page),
        "tournament": tournament_for(page.match, page.user),
        "match_ending": match_ending,
        "read_aloud": _read_aloud(page, match_ending),
        "scores": score_sheet.sheet(page),
        "preview": preview(page),
        "shape": shape_words(page),
        "coach": coach_line(page, game_page),
        "chosen_options": chosen(page.match.rules, page.match.options),
        "game_page": game_page,
        "scene": game_page.scene(page) if page.view else None,
        "decks": decks_for(page.user, page.match.rules),
        "may_look_back": may_look_back(page),
        "saves": save_groups(page),
        "talk": talk(page),
    }


def _read_aloud(page: TablePage, match_ending: MatchEnding) -> str:
    """What mattered last, and at the end how it ended."""
    ending = match_ending.read_aloud if page.match.is_over else ""
    return " ".join(filter(None, (page.read_aloud, ending)))


NO_HINTS: Final = "no_hints"  # in the session
MOST_BRIEF_PLIES: Final = 400  # twenty tricks of eight with some disputes


def _presence_key(match_id: UUID) -> str:
    """Where the session keeps which seat's player said that they hold the device."""
    return f"there:{match_id}"


def action(perform: Action) -> Callable[[HttpRequest, UUID], HttpResponse]:
    """A form's target: shows the match that ``perform`` returns, or why it was refused."""

    @require_POST
    @wraps(perform)
    def view(request: HttpRequest, match_id: UUID) -> HttpResponse:
        after: MatchSnapshot | None = None
        try:
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
        return _panel(request, page_for(request, match_id))

    return view


def game_action(request: HttpRequest, match_id: UUID, name: str) -> HttpResponse:
    """A form that only this game's page has."""
    perform = page_of(page_for(request, match_id).match.game).actions.get(name)
    if perform is None:
        raise Http404("This game has no such action.")
    return action(perform)(request, match_id)


def made_once(request: HttpRequest, make: Callable[[User], MatchSnapshot]) -> MatchSnapshot:
    """The match that this press made, or one before that was the same."""
    return get_match(once(request, lambda user: make(user).id))


@action
def move(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    text = " ".join(part for part in request.POST.getlist("move") if part)
    return moves.play(match_id=match_id, move=text, **mover(request)).match


@action
def confirm_presence(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The player to whom a shared device was handed says that they hold it."""
    page = page_for(request, match_id)
    request.session[_presence_key(match_id)] = page.seat
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
        match_record = records.of(visible_match(request, match_id), user_id(request))
    except Refusal as refused:
        messages.error(request, sentence_of(refused))
        return redirect("table", match_id)
    return HttpResponse(
        record.write(match_record),
        content_type=record.MEDIA_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{record.file_name(match_record)}"'},
    )
