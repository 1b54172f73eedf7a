"""Challenges, seeks and invitations: their forms and their pages."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from accounts.signing_in import signed_in
from accounts.visitors import check_plays_here
from cardroom.rules import catalog
from cardroom.rules.game import AnyGame
from config.refusals import NotFound, Refusal
from config.telemetry import requests
from config.words import sentence_of
from games.language import words
from games.lobby import challenges, seeking, selectors
from games.lobby.challenges import ChallengeTerms, NewChallenge, Reason, challenge_of
from games.lobby.models import Seek
from games.lobby.selectors import AlreadyPaired, ChallengeIsOver
from games.matches.resting import resting_at
from games.matches.selectors.access import get_match
from games.matches.time_bank import find_pace
from games.people.profiles import profile_of
from games.web.landing import game_or_404
from games.web.lobby import PACES_OFFERED, wish_of
from games.web.parts.options_form import decks_for, pace_in_words, preset_name, rules_in_words
from games.web.parts.visitor import match_or_404, once, user_id
from games.web.screen import qr_code

RATED: Final = [("", _("Where that is possible")), ("yes", _("Rated")), ("no", _("Not rated"))]
SEATS: Final = [("", _("By lot")), ("0", _("I sit first")), ("1", _("The other one sits first"))]
REASONS: Final = [
    ("generic", _("No reason")),
    ("game", _("I do not play this")),
    ("time", _("This pace does not suit me")),
    ("busy", _("I have no time now")),
]
FORM_FIELDS: Final = ("rules", "pace", "rated", "seat", "mirrored")
CHALLENGE_SEATS: Final = 2


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_challenge(request: HttpRequest, username: str) -> HttpResponse:
    """The form, and what it sends. A person who hides is nobody here."""
    try:
        person = profile_of(signed_in(request).pk, username).person
    except NotFound:
        raise Http404("There is nobody of this name here.") from None
    fault = ""
    if request.method == "POST":
        terms = _terms(request.POST, person.username)
        try:
            made = once(request, lambda user: challenges.send_challenge(account=user, terms=terms))
            return redirect("challenge", made)
        except Refusal as refused:
            requests.refused(refused)
            fault = sentence_of(refused)
    return render(request, "games/new_challenge.html", _form(request.POST, person, fault))


def _terms(sent: QueryDict, username: str) -> NewChallenge:
    """The terms that the form asks for; anything odd in it is as usual."""
    slug, _, preset = sent.get("rules", "").partition(":")
    game = next((one for one in catalog.GAMES if one.slug == slug), catalog.GAMES[0])
    offered = {pace.slug for pace in PACES_OFFERED}
    wanted = sent.get("pace", "")
    pace = find_pace(wanted) if wanted in offered else None
    rated, seat = sent.get("rated", ""), sent.get("seat", "")
    return NewChallenge(
        game=game.slug,
        preset=preset if preset in game.presets else game.quick_preset,
        username=username,
        pace=pace.slug if pace and pace.clock is None else None,  # type: ignore[arg-type]
        clock=pace.clock if pace else None,
        rated={"yes": True, "no": False}.get(rated),
        seat=int(seat) if seat in ("0", "1") else None,
        mirrored="mirrored" in sent,
    )


def _form(sent: QueryDict, person: User, fault: str) -> dict[str, Any]:
    return {
        "person": person,
        "fault": fault,
        "rules": [(game, _presets(game)) for game in catalog.GAMES if _presets(game)],
        "paces": [("", _("No limit")), *((pace.slug, words(pace.name)) for pace in PACES_OFFERED)],
        "rated": RATED,
        "seats": SEATS,
        "chosen": {name: sent.get(name, "") for name in FORM_FIELDS},
    }


def _presets(game: AnyGame) -> list[tuple[str, str]]:
    """Presets for two, as the form names them."""
    two = [name for name, options in game.presets.items() if game.seats(options) == CHALLENGE_SEATS]
    return [(f"{game.slug}:{name}", preset_name(game, name)) for name in two]


@never_cache
@require_safe
@login_required
def challenge(request: HttpRequest, challenge_id: UUID) -> HttpResponse:
    """Its terms and what to do about it; once it is accepted, the match."""
    user = signed_in(request)
    shown = challenge_of(user.pk, challenge_id)
    if shown.status == "accepted":
        match = redirect("table", shown.id)
        return HttpResponseClientRedirect(match.url) if request.headers.get("HX-Request") else match
    return render(request, "games/challenge.html", _context(shown, user))


def _context(shown: ChallengeTerms, user: User) -> dict[str, Any]:
    game = catalog.find(shown.game)
    is_challenger = shown.challenger.username == user.username
    may_accept = shown.status == "waiting" and not is_challenger
    return {
        "challenge": shown,
        "game": game,
        "other": shown.challenged if is_challenger else shown.challenger,
        "is_challenger": is_challenger,
        "rules": rules_in_words(game, game.choose_options(shown.options)),
        "pace": pace_in_words(shown.turn_seconds, shown.clock),
        "own_seat": 1 + (shown.seat if is_challenger else shown.challenged_seat),
        "rests": resting_at(get_match(shown.id), user.pk) if may_accept else [],
        "reasons": REASONS,
        "reason": dict(REASONS).get(shown.reason or ""),
        "decks": decks_for(user.pk, game),
    }


@require_POST
@login_required
def answer_challenge(request: HttpRequest, challenge_id: UUID) -> HttpResponse:
    """Accepts, declines or withdraws; a late answer shows what became of it."""
    user, what = signed_in(request), request.POST.get("answer", "")
    try:
        check_plays_here(request)
        if what == "accept":
            deck = request.POST.get("side_deck") or None
            challenges.accept(account=user, challenge_id=challenge_id, deck=deck)
        elif what == "decline":
            challenges.decline(account=user, challenge_id=challenge_id, reason=_reason(request))
        elif what == "withdraw":
            challenges.withdraw(account=user, challenge_id=challenge_id)
    except ChallengeIsOver as late:
        requests.refused(late)
    except NotFound:
        raise
    except Refusal as refused:
        requests.refused(refused)
        messages.error(request, sentence_of(refused))
    return redirect("challenge", challenge_id)


def _reason(request: HttpRequest) -> Reason:
    sent: Any = request.POST.get("reason", "")
    return sent if sent in dict(REASONS) else "generic"


# Waiting for somebody to play with: the form, the page on which one waits, and giving up.


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Waits for anybody; a visitor becomes a guest."""
    check_plays_here(request)
    game = game_or_404(request.POST.get("game", ""))
    wish = wish_of(game, request.POST)

    def make(user: User) -> UUID:
        return seeking.seek(account=user, wish=wish).id

    user = request.user
    return redirect("seek", make(user) if isinstance(user, User) else once(request, make))


@never_cache
@require_GET
def seek_page(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """A person who waits looks at it, asks for it again, and is led to the match."""
    user = user_id(request)
    own_seek = selectors.seek_of(user, seek_id)
    if own_seek.match_id is not None:
        match = redirect("table", own_seek.match_id)
        return HttpResponseClientRedirect(match.url) if request.headers.get("HX-Request") else match
    if not own_seek.is_known:
        return redirect("lobby")  # a newer release has a page for it
    seeking.sign_of_life([own_seek.account_id])
    return render(request, "games/seek.html", _seek_context(own_seek))


def _seek_context(own_seek: Seek) -> dict[str, object]:
    game = own_seek.rules
    return {
        "seek": own_seek,
        "game": game,
        "pace": words(own_seek.named_pace.name),
        "preset": preset_name(game, own_seek.preset) if own_seek.preset else "",
        "queue": selectors.queue_of(own_seek),
        "since": int(own_seek.created_at.timestamp()),
        "clock": _clock(int((timezone.now() - own_seek.created_at).total_seconds())),
    }


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


@require_POST
def stop_seek(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    own_seek = selectors.seek_of(user_id(request), seek_id)
    try:
        seeking.withdraw(account=own_seek.account, seek_id=seek_id)
    except AlreadyPaired:
        return redirect("seek", seek_id)
    return redirect("lobby")


# The address of a table as a QR code, for a phone beside the screen; no other host is asked.


@require_GET
def invitation_code(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match_or_404(request, match_id)
    return qr_code(request.build_absolute_uri(reverse("table", args=[match_id])))
