"""Pages of people: profiles, friends, names while one types, and the own data and its end."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.refusals import NotConfirmed, WrongPassword
from accounts.signing_in import knows_password, signed_in
from accounts.social.selectors import (
    FriendLine,
    NoSuchAccount,
    friendships_of,
    lines_of,
    privacy_of,
    state_of_list,
)
from accounts.visitors import keep_choice, next_page
from accounts.web import AS_TYPED
from cardroom.rules import catalog
from cardroom.rules.text import Words
from config.api.throttles import WrongPasswords
from config.postgres.replicas import a_second_old
from config.refusals import Refusal, TooManyRequests
from config.words import sentence_of
from games.absent import HIDDEN, rules_of
from games.bot_accounts.services import program_of
from games.exports import exporting
from games.language import COOKIE, chosen, look_of, words
from games.lobby.finding import acquaintances
from games.lobby.rematches import PersonSeries
from games.operations import people
from games.operations.own_data import data_of
from games.people import profiles
from games.ratings.scale import COMPUTERS, MORE, OPPONENTS, PACES, SIDES
from games.web.parts import match_list
from games.web.parts.visitor import user_id

# Pages of a list in the browser, by keyset: the address names the last row that was shown.

Row = TypeVar("Row", bound=Model)


def before(request: HttpRequest) -> UUID | None:
    """The id of the last row of the page before; None for the first page and for no id."""
    try:
        return UUID(request.GET.get("before", ""))
    except ValueError:
        return None


def page_of(
    rows: QuerySet[Row], last: UUID | None, size: int, *, by: str = "id"
) -> tuple[Sequence[Row], UUID | None]:
    """The rows of a page, newest first, and what the next one begins after; ``by`` is an id."""
    if last is not None:
        rows = rows.filter(**{f"{by}__lt": last})
    fetched = list(rows.order_by(f"-{by}")[: size + 1])
    shown = fetched[:size]
    return shown, getattr(shown[-1], by) if len(fetched) > size else None


# The reader's friends: who is there, whose requests wait, whom one may invite or watch.

FRIENDS_PER_PAGE = 50


class Shown(NamedTuple):
    line: FriendLine
    watch: UUID | None


@require_safe
@never_cache
@login_required
def friends(request: HttpRequest) -> HttpResponse:
    me = signed_in(request)
    state = state_of_list(me.pk)
    rows, following = page_of(friendships_of(me.pk), before(request), FRIENDS_PER_PAGE)
    lines = lines_of(me.pk, rows)
    context = {
        "friends": _with_matches([line for line in lines if line.state == "friend"]),
        "asking": [line for line in lines if line.state == "asks_you"],
        "sent": [line for line in lines if line.state == "you_asked"],
        "following": following,
        "privacy": privacy_of(me.pk),
        "state": state,
    }
    return render(request, "games/people/friends.html", context)


def _with_matches(lines: Sequence[FriendLine]) -> list[Shown]:
    """People who are there first."""
    running = profiles.watchable([line.person.pk for line in lines if line.online])
    shown = [Shown(line, running.get(line.person.pk)) for line in lines]
    return sorted(shown, key=lambda one: not one.line.online)


# A rating over time as the coordinates of an SVG that the page draws.

WIDTH: Final = 600
HEIGHT: Final = 150
MOST_POINTS: Final = 240
NARROWEST: Final = 50.0  # a smaller change is not drawn larger than it is


@dataclass(frozen=True)
class DrawnCurve:
    """``points`` are those of a polyline; ``high`` and ``low`` are the ends of the scale."""

    game: str
    points: str
    high: int
    low: int
    rating: int
    deviation: int | None
    first: datetime
    last: datetime
    title: str
    points_of_table: list[profiles.RatingPoint]
    provisional: bool
    width: int = WIDTH
    height: int = HEIGHT


def _title(curve: profiles.RatingCurve) -> str:
    """The rated kinds of a game: *Normal · Against computers*; what is usual is not named."""
    names: list[Words] = [PACES[curve.pace]] if curve.pace else []
    if curve.sides == MORE:
        names.append(SIDES[MORE])
    if curve.opponents == COMPUTERS:
        names.append(OPPONENTS[COMPUTERS])
    return " · ".join(map(words, names))


def drawn(curve: profiles.RatingCurve) -> DrawnCurve:
    step = -(-len(curve.points) // MOST_POINTS)
    kept = [*curve.points[:-1:step], curve.points[-1]]
    begun, ended = kept[0].at, kept[-1].at
    ratings = [point.rating for point in kept]
    room = max(NARROWEST, max(ratings) - min(ratings))
    middle = (max(ratings) + min(ratings)) / 2
    low = middle - room / 2
    seconds = (ended - begun).total_seconds() or 1.0
    points = [
        (
            WIDTH * (point.at - begun).total_seconds() / seconds if ended > begun else WIDTH,
            HEIGHT * (1 - (point.rating - low) / room),
        )
        for point in kept
    ]
    if len(points) == 1:
        points = [(0.0, points[0][1]), *points]
    return DrawnCurve(
        game=curve.game,
        points=" ".join(f"{x:.0f},{y:.0f}" for x, y in points),
        high=round(low + room),
        low=round(low),
        rating=round(kept[-1].rating),
        deviation=None if curve.deviation is None else round(curve.deviation),
        first=begun,
        last=ended,
        title=_title(curve),
        points_of_table=list(reversed(kept)),
        provisional=curve.provisional,
    )


MATCHES_ON_PROFILE = 20


@a_second_old
@require_safe
@never_cache
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A name that nobody has and a person who hides from the reader are one answer."""
    reader = user_id(request)
    try:
        shown = profiles.profile_of(reader, username)
    except NoSuchAccount:
        raise Http404("There is nobody of this name here.") from None
    rows, following = page_of(
        profiles.results_of(shown.person, reader).only("match_id"),
        before(request),
        MATCHES_ON_PROFILE,
        by="match_id",
    )
    is_own = shown.person.pk == reader
    context = {
        "profile": shown,
        "person": shown.person,
        "is_own": is_own,
        "results": match_list.lines_of([row.match_id for row in rows], reader),
        "following": following,
        "is_first_page": before(request) is None,
        "games": [_game_line(each) for each in shown.games],
        "curves": [(_name(curve.game), drawn(curve)) for curve in shown.curves],
        "against": [(_name(one.game), one.score) for one in shown.against_reader],
        "series": [(_name(one.game), _series(one)) for one in shown.series],
        "line": shown.line,
        "is_blocked": shown.is_blocked,
        "program": program_of(shown.person.pk) if shown.person.is_bot else None,
        "invite": _invitation(shown),
        "titles": [words(title.words) for title in shown.titles],
    }
    return render(request, "games/people/profile.html", context)


def _game_line(results: profiles.GameResults) -> dict[str, object]:
    return {
        "name": _name(results.game),
        "people": results.people,
        "computers": results.computers,
        "best": _computer_name(results),
        "slug": results.best_beaten,
    }


def _computer_name(results: profiles.GameResults) -> str | None:
    if results.best_beaten is None:
        return None
    return words(catalog.find(results.game).bot(results.best_beaten).name)


def _series(one: PersonSeries) -> PersonSeries:
    return one._replace(opponent=gettext(HIDDEN)) if one.opponent == HIDDEN else one


def _name(slug: str) -> str:
    return words(rules_of(slug, 1).name)


def _invitation(shown: profiles.Profile) -> str:
    """The form of a new match, with the person on the second chair."""
    return f"seat-1-who=user&seat-1-name={shown.person.username}"


# Names for a field in which somebody writes whom to invite.

LONGEST_NAME_TYPED: Final = 40


@never_cache
@require_GET
def people_known(request: HttpRequest) -> HttpResponse:
    """The options of a list; nobody is known to a visitor."""
    user, beginning = user_id(request), request.GET.get("begins", "").strip()[:LONGEST_NAME_TYPED]
    known = acquaintances(user, beginning) if user is not None else []
    return render(request, "games/parts/people_known.html", {"known": known})


# A person's own data to take along, the end of the own account, the look of the cards.


class DeletionForm(forms.Form):
    username = forms.CharField(
        label=gettext_lazy("Your username"), max_length=254, widget=forms.TextInput(AS_TYPED)
    )
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        max_length=1024,
        widget=forms.PasswordInput,
        required=False,
    )
    password.widget.attrs["autocomplete"] = "current-password"


@require_GET
@never_cache
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    exports = exporting.exports_of(signed_in(request).pk)
    return render(request, "games/own_data.html", {"exports": exports})


@require_GET
@never_cache
@login_required
def account_file(request: HttpRequest) -> HttpResponse:
    """All but the records of the matches, which workers write."""
    body = json.dumps(
        data_of(signed_in(request)), cls=DjangoJSONEncoder, indent=1, ensure_ascii=False
    )
    headers = {"Content-Disposition": 'attachment; filename="cardroom-account.json"'}
    return HttpResponse(body, content_type="application/json", headers=headers)


@require_POST
@login_required
def write_records(request: HttpRequest) -> HttpResponse:
    try:
        exporting.start_export(owner=signed_in(request))
    except Refusal as refused:
        messages.error(request, sentence_of(refused))
    return redirect("own_data")


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    form = DeletionForm(request.POST or None)
    if request.method != "POST":
        return render(request, "games/delete_account.html", {"form": form})
    status = 422
    if form.is_valid():
        try:
            _delete(request, **form.cleaned_data)
        except Refusal as refused:
            field = {NotConfirmed: "username", WrongPassword: "password"}.get(type(refused))
            form.add_error(field, sentence_of(refused))
            status = refused.status if field is None else 422
        else:
            logout(request)
            messages.success(request, gettext("Your account is deleted."))
            return redirect("landing")
    return render(request, "games/delete_account.html", {"form": form}, status=status)


def _delete(request: HttpRequest, *, username: str, password: str) -> None:
    user = signed_in(request)
    if WrongPasswords.seconds_left(request) is not None:
        raise TooManyRequests
    people.delete(
        user=user, typed=username, knows_password=lambda: knows_password(request, user, password)
    )


# The switch of how cards look.


@require_POST
def set_look(request: HttpRequest) -> HttpResponse:
    """The switch in the page: ``colours``, ``back`` or both; back to ``next``."""
    look = chosen(request.POST.dict(), look_of(request))
    response = redirect(next_page(request))
    keep_choice(response, COOKIE, f"{look.colours}.{look.back}")
    return response
