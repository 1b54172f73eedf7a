"""The addresses of a match: its page, and the forms with which people act on it."""

from collections.abc import Callable
from functools import wraps
from time import monotonic, sleep
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.visitors import check_plays_here
from cardroom.rules import record
from config.api.throttles import Loads
from config.refusals import NotAllowed, Refusal
from config.telemetry import requests, work
from config.words import sentence_of
from games.absent import GameNotInstalled
from games.coaching import analyses
from games.guests import name_for
from games.idle import ending
from games.language import words
from games.lobby import rematches
from games.lobby.challenges import is_challenge_of
from games.lobby.finding import watchers_of
from games.matches import (
    joining,
    leaving,
    loading,
    moves,
    opening,
    overdue,
    planned,
    records,
    rolling_back,
)
from games.matches.announcements import turn_class_of
from games.matches.refusals import MalformedMove, NoSuchMatch, StaleVersion, TooManyLoads
from games.matches.selectors.access import Caller, find_match, get_match, stamps_of
from games.matches.selectors.secrecy import named_for
from games.matches.snapshot import MatchSnapshot
from games.operations import reports
from games.phrases import speaking
from games.web.parts.visitor import BEFORE_ALL, current_or_guest_user, mover, number, once, user_id
from games.web.table import coach
from games.web.table.agreements import steps_of
from games.web.table.coach import SECONDS_WAITED
from games.web.table.ending import harder_rival
from games.web.table.page import (
    NO_HINTS,
    bubbles,
    draw_page,
    found_match,
    page_for,
    panel,
    presence_key,
    tag,
    visible_match,
)
from games.web.table.past import replay
from games.web.tables import Action, page_of

# One answer for a move and for the computer's answer to it, where that comes at once.
#
# The page would learn of the computer's move by its stream and ask again: a second request, a
# second panel and a second swap, which together take longer than most computers think.

MOST_SECONDS: Final = 0.06  # waited for; a computer that takes longer is told by the stream
SECONDS_BETWEEN_LOOKS: Final = 0.005
MOST_OF_A_KEY: Final = 64  # characters


def wait_for_quick_computers(match: MatchSnapshot) -> None:
    """Returns once computers that answer at once have moved on from this version, or soon."""
    if match.bot_due_at is None or turn_class_of(match) != "quick":
        return
    until = monotonic() + MOST_SECONDS
    while monotonic() < until:
        sleep(SECONDS_BETWEEN_LOOKS)
        stamp = stamps_of([match.id]).get(match.id)
        if stamp is None or stamp.version > match.version:
            return


# The targets of the forms of a table: what was done is shown, or why it was refused.


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
        is_part = getattr(request, "htmx", False)
        if is_part and to != match_id:
            return HttpResponseClientRedirect(reverse("table", args=[to]))
        if not is_part:
            return redirect("table", to)
        if after:
            wait_for_quick_computers(after)
        return panel(request, page_for(request, match_id))

    return view


def made_once(request: HttpRequest, make: Callable[[User], MatchSnapshot]) -> MatchSnapshot:
    """The match that this press made, or one before that was the same."""
    return get_match(once(request, lambda user: make(user).id))


# Acts of a host on a kept seat: to invite, to open it, to let a computer play.


@action
def offer_seat(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """``to`` is ``person``, ``bot``, ``friends`` or anybody; an invitation before is withdrawn."""
    host, seat = current_or_guest_user(request), number(request, "seat") or 0
    match request.POST.get("to"):
        case "person":
            name = request.POST.get("username", "").strip()
            return joining.invite(match_id=match_id, host=host, seat=seat, username=name)
        case "bot":
            bot = request.POST.get("bot", "")
            return joining.fill_seat(match_id=match_id, host=host, seat=seat, bot=bot)
    friends = request.POST.get("to") == "friends"
    return joining.open_seat(match_id=match_id, host=host, seat=seat, friends=friends)


# The forms by which one speaks at a table, and stops reading somebody.


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
        messages.success(request, gettext("No longer muted."))
    else:
        speaking.mute(match_id=match_id, user=user, seat=seat)
        messages.success(request, gettext("Muted. They are not told."))
    return page_for(request, match_id).match


def _player(request: HttpRequest) -> User:
    """A visitor without an account sits nowhere, and gets none for this."""
    if isinstance(request.user, User):
        return request.user
    raise NotAllowed("Only the players speak at a table.")


# The page of a match whose game is not installed: who played it, how it ended, and its record.


def absent_match(request: HttpRequest, match: MatchSnapshot) -> HttpResponse:
    user = user_id(request)
    seats = [
        (name_for(seat, name, match.seats, user), seat.points)
        for seat, name in zip(match.seats, match.names, strict=True)
    ]
    context = {
        "match": match,
        "game_name": words(match.rules.name),
        "sentence": words(GameNotInstalled.sentence()),
        "seats": seats,
    }
    return render(request, "games/absent_match.html", context)


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
    key = request.POST.get("key", "")[:MOST_OF_A_KEY] or None  # sent again after a lost connection
    return moves.play(match_id=match_id, move=text, key=key, **mover(request)).match


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
    return leaving.resign(match_id=match_id, caller=caller, seat=number(request, "seat"))


@action
def abort(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return joining.stop(match_id=match_id, user=current_or_guest_user(request))


@action
def block(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """Blocks who holds a seat, or without one who opened the match."""
    user, seat = current_or_guest_user(request), number(request, "seat")
    match = joining.block_player(match_id=match_id, user=user, seat=seat)
    messages.success(
        request, gettext("Blocked. The list of those you have blocked is on your account page.")
    )
    return match


@action
def give_time(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return overdue.give_time(match_id=match_id, user=current_or_guest_user(request))


@action
def reclaim(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user, seat = current_or_guest_user(request), number(request, "seat")
    return overdue.reclaim(match_id=match_id, user=user, seat=seat)


@action
def rematch(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """One who waits for the others stays at the table; the page goes on when all have agreed."""
    wanted = made_once(request, lambda user: rematches.ask(match_id=match_id, user=user))
    return found_match(request, match_id) if wanted.status == "open" else wanted


@action
def no_rematch(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    page = page_for(request, match_id)
    return rematches.refuse(match_id=page.match.id, user=current_or_guest_user(request))


@require_POST
def decline(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Declines an invitation; then the lobby is shown, as the match may be gone."""
    user = current_or_guest_user(request)
    access = find_match(match_id, Caller(user=user.id))
    if access is None or not access.match.is_invited(user.id):
        raise Http404("There is no such invitation.")
    try:
        if access.match.previous_id:
            rematches.refuse(match_id=access.match.previous_id, user=user)
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
    cards: loading.Cards = "same" if request.POST.get("cards") == "same" else "reshuffled"
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


# Forms by which people at a table settle things: a round taken back, a match that waits.


def _version(request: HttpRequest) -> int:
    version = number(request, "version")
    return BEFORE_ALL if version is None else version


@action
def take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return rolling_back.ask_to_take_back(
        match_id=match_id,
        user=current_or_guest_user(request),
        version=_version(request),
        round=number(request, "round"),
    )


@action
def answer_take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return rolling_back.answer_take_back(
        match_id=match_id,
        user=current_or_guest_user(request),
        version=_version(request),
        accept=request.POST.get("accept") == "yes",
    )


@action
def withdraw_take_back(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    user = current_or_guest_user(request)
    return rolling_back.withdraw_take_back(match_id=match_id, user=user, version=_version(request))


@action
def take_back_alone(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """A load from the reader's last choice: it opens a new match."""

    def make(user: User) -> MatchSnapshot:
        if Loads.take(request) is not None:
            raise TooManyLoads
        return rolling_back.take_back_alone(match_id=match_id, user=user)

    return made_once(request, make)


@action
def claim(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return ending.claim(match_id=match_id, user=current_or_guest_user(request))


@action
def call_off(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return ending.call_off(match_id=match_id, user=current_or_guest_user(request))


# The form by which a seat plans its moves, or withdraws its plan.


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


# The forms of the coach at a table: switched on, asked for a hint.


@action
def switch_on(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    return analyses.switch_coach_on(match_id=match_id, user=current_or_guest_user(request))


@action
def hint(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """The panel shows the hint as soon as it is there; one with scripts asks again by itself."""
    row = analyses.ask_for_hint(match_id=match_id, user=current_or_guest_user(request))
    if analyses.wait_for_hint(row, SECONDS_WAITED) is None and not getattr(request, "htmx", False):
        messages.info(request, gettext("The coach is still thinking. Look again in a moment."))
    return get_match(match_id)
