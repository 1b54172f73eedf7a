"""Feeds (RFC 4287) of matches and results, and calendars of the own deadlines."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.signing_in import signed_in
from accounts.social.selectors import NoSuchAccount, person_by_username
from games.absent import GameNotInstalled, check_installed
from games.calendars import calendar as selectors
from games.calendars.calendar import calendar_of
from games.competitions.files import CONTENT_TYPE
from games.language import speaker, words
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import as_listed, as_watched
from games.matches.selectors.log import LogEntry, events_for
from games.people.profiles import results_of
from games.web.parts.headline import headline
from games.web.parts.match_list import result_line
from games.web.parts.table_page import TablePage, table_page

ENTRIES_PER_FEED: Final = 20
_kept_a_minute = cache_control(public=True, max_age=60)


class Line(NamedTuple):
    """An entry: its address is also its id, unless ``part`` tells several at one address apart."""

    title: str
    path: str
    at: datetime
    part: str = ""
    text: str = ""


@_kept_a_minute
@require_safe
def match_feed(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The match as a spectator reads it, ply by ply, as late as the host lets spectators see it."""
    page = _public_page(match_id)
    game = words(page.match.rules.name)
    path = reverse("table", args=[match_id])
    lines = [_ply(page, entry, path) for entry in reversed(page.recent_entries)]
    return _answer(request, f"{game}: {headline(page)}", path, filter(None, lines))


@_kept_a_minute
@require_safe
def results_feed(request: HttpRequest, username: str) -> HttpResponse:
    """Only of a person whose page everybody may see, and only public matches."""
    try:
        person = person_by_username(None, username)
    except NoSuchAccount:
        raise Http404("There is nobody of this name here.") from None
    rows = results_of(person, None).order_by("-match_id")[:ENTRIES_PER_FEED]
    lines = []
    for match in as_listed([row.match for row in rows], None, gettext):
        line = result_line(match, None)
        names = ", ".join(line.winner_names)
        sentence = gettext("{game}: drawn") if line.is_draw else gettext("{game}: won by {names}")
        title = sentence.format(game=line.listing.game, names=names)
        at = match.finished_at or match.updated_at
        path = reverse("table", args=[match.id])
        lines.append(Line(title, path, at, text=" – ".join(line.listing.names)))
    title = gettext("Results of {name}").format(name=person.display_name)
    return _answer(request, title, reverse("profile", args=[person.username]), lines)


def _public_page(match_id: UUID) -> TablePage:
    access = find_match(match_id, Caller(user=None))
    if access is None or access.match.visibility != "public" or access.match.status == "open":
        raise Http404("There is no such public match.")
    try:
        check_installed(access.match.rules)
    except GameNotInstalled:
        raise Http404("The game of this match is not installed.") from None
    return table_page(as_watched(access.match, None, gettext), None, plies_read=ENTRIES_PER_FEED)


def _ply(page: TablePage, entry: LogEntry, path: str) -> Line | None:
    """The events of a ply as they are told to those who hold no seat."""
    say, match = speaker(), page.match
    events = events_for(match, entry, None)
    sentences = [say(match.rules.sentence(event, match.names, None)) for event in events]
    sentences = list(filter(None, sentences))
    if not sentences:
        return None
    part = f"#ply-{entry.version}"
    return Line(sentences[0], path, entry.at, part, " ".join(sentences))


def _answer(request: HttpRequest, title: str, path: str, lines: Iterable[Line]) -> HttpResponse:
    def whole(address: str) -> str:
        return request.build_absolute_uri(address)

    feed = Atom1Feed(
        title=title,
        link=whole(path),
        description=title,
        language=get_language() or "en",
        feed_url=whole(request.path),
        author_name="Cardroom",
    )
    for line in lines:
        feed.add_item(
            title=line.title,
            link=whole(line.path),
            description=line.text,
            unique_id=whole(line.path + line.part),
            updateddate=line.at,
            pubdate=line.at,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


# The page of the own calendar's address, and the calendar itself.


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def calendar_page(request: HttpRequest) -> HttpResponse:
    """A new address is shown in the answer to the form itself: its secret is not stored."""
    me = signed_in(request)
    shown: dict[str, Any] = {}
    if request.method == "POST":
        path = reverse("calendar", args=[selectors.make_address(me.pk)])
        shown["new_address"] = request.build_absolute_uri(path)
    context = {"address": selectors.address_of(me), **shown}
    status = 201 if shown else 200
    return render(request, "games/feeds/calendar.html", context, status=status)


@require_POST
@login_required
def end_calendar(request: HttpRequest) -> HttpResponse:
    selectors.end_address(signed_in(request).pk)
    return redirect("calendar_page")


@require_safe
@never_cache
def calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """For everybody who has the address. A withdrawn address looks like one that never existed."""
    user = selectors.owner_of(secret)
    if user is None:
        raise Http404("There is no such calendar.")

    def address(name: str, pk: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[pk]))

    return HttpResponse(calendar_of(user, address), content_type=CONTENT_TYPE)
