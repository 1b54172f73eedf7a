"""The own matches that are over, and feeds (RFC 4287) and calendars to follow matches by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.signing_in import signed_in
from accounts.social.selectors import NoSuchAccount, person_by_username
from cardroom.rules import catalog
from cardroom.rules.course import match_shape
from config.club import PLACE
from config.postgres.replicas import a_second_old
from config.postgres.together import once, rows_of
from games.absent import GameNotInstalled, check_installed, is_absent
from games.calendars import calendar as selectors
from games.calendars.calendar import calendar_of
from games.competitions.files import CONTENT_TYPE
from games.language import speaker, tag_of_language, words
from games.matches.models import Match, Seat
from games.matches.selectors.access import Caller, find_match
from games.matches.selectors.history import as_listed, as_watched
from games.matches.selectors.lineage import closed_scores_of_each
from games.matches.selectors.log import LogEntry, events_for
from games.people.profiles import results_of, with_matches
from games.templatetags.faces import TOKEN, with_token
from games.web.parts.headline import headline, turning_point
from games.web.parts.match_list import (
    LINE_KEPT_SECONDS,
    Kept,
    ResultLine,
    ResultSeat,
    listed,
    records_of,
    result_line,
)
from games.web.parts.table_page import TablePage, table_page
from games.web.parts.visitor import user_id

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


@a_second_old
@_kept_a_minute
@require_safe
def results_feed(request: HttpRequest, username: str) -> HttpResponse:
    """Only of a person whose page everybody may see, and only public matches."""
    try:
        person = person_by_username(None, username)
    except NoSuchAccount:
        raise Http404("There is nobody of this name here.") from None
    rows = with_matches(results_of(person, None)).order_by("-match_id")[:ENTRIES_PER_FEED]
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
    """The events of a ply in words, as a reader without a seat may know them."""
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
        author_name=PLACE.name,
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


# The page of the own matches that are over: filters, days, lines.

# Which of the own matches are wanted, and from where on: read from the address, never trusted.

LONGEST_NAME: Final = 64
RESULTS: Final[dict[str, Promise]] = {
    "won": gettext_lazy("you won"),
    "lost": gettext_lazy("you lost"),
    "drawn": gettext_lazy("a draw"),
}


@dataclass(frozen=True)
class Cursor:
    """The last match of the page before: later pages go on below it."""

    finished_at: datetime
    match: UUID

    def __str__(self) -> str:
        return f"{round(self.finished_at.timestamp() * 1_000_000):x}-{self.match.hex}"

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """``None`` for what is no cursor: that is the first page."""
        at, _dash, match = text.partition("-")
        try:
            return cls(datetime.fromtimestamp(int(at, 16) / 1_000_000, UTC), UUID(hex=match))
        except (ValueError, OverflowError, OSError):
            return None


@dataclass(frozen=True)
class HistoryFilter:
    """``opponent`` is a part of a name; empty values are no filter."""

    game: str = ""
    opponent: str = ""
    result: str = ""
    before: Cursor | None = None

    @classmethod
    def of(cls, sent: QueryDict) -> "HistoryFilter":
        game, result = sent.get("game", ""), sent.get("result", "")
        opponent = sent.get("opponent", "").replace("\0", "").strip()[:LONGEST_NAME]
        return cls(
            game=game if game in {each.slug for each in catalog.GAMES} else "",
            opponent=opponent,
            result=result if result in RESULTS else "",
            before=Cursor.read(sent.get("before", "")),
        )

    @property
    def is_any(self) -> bool:
        return bool(self.game or self.opponent or self.result)

    @property
    def query(self) -> str:
        """The query of an address that shows this page."""
        values = {
            "game": self.game,
            "opponent": self.opponent,
            "result": self.result,
            "before": str(self.before or ""),
        }
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def first(self) -> "HistoryFilter":
        return replace(self, before=None)

    def older(self, last: Match) -> "HistoryFilter":
        return replace(self, before=Cursor(last.finished_at or last.updated_at, last.id))

    def applied(self, user: UUID) -> QuerySet[Match]:
        """The user's finished matches, the last one first."""
        own = Seat.objects.filter(match=OuterRef("pk"), user=user)
        matches = Match.objects.filter(Exists(own), status=Match.Status.FINISHED)
        if self.game:
            matches = matches.filter(game=self.game)
        if self.opponent:
            others = Seat.objects.filter(match=OuterRef("pk"), name__icontains=self.opponent)
            matches = matches.filter(Exists(others.exclude(user=user)))
        if self.result:
            matches = matches.filter(self._result(user))
        if self.before:
            at, match = self.before.finished_at, self.before.match
            matches = matches.filter(Q(finished_at__lt=at) | Q(finished_at=at, id__lt=match))
        return matches.order_by("-finished_at", "-id")

    def _result(self, user: UUID) -> Q:
        """As a line tells it (`games.web.parts.match_list`): by the seat that the user plays."""
        seats = Seat.objects.filter(match=OuterRef("pk"))
        own = seats.filter(user=user, kind=Seat.Kind.USER)
        decided = Exists(seats.filter(place__gt=1))
        if self.result == "drawn":
            return Q(~decided) & Q(Exists(own))
        placed = own.filter(place=1) if self.result == "won" else own.filter(place__gt=1)
        return Q(decided) & Q(Exists(placed))


# The own matches of a page: by day, each with its opponents, its result and its turning point.

MATCHES_PER_PAGE: Final = 20
OPPONENTS_SUGGESTED: Final = 12
MATCHES_LOOKED_THROUGH: Final = 100  # matches whose opponents are suggested


@dataclass(frozen=True)
class HistoryLine:
    """``turning``: when the match turned, in words; ``score``: the own points first."""

    result: ResultLine
    turning: str

    @property
    def match(self) -> Match:
        return self.result.listing.match

    @property
    def others(self) -> list[ResultSeat]:
        """The opponents; of a match at one device alone everybody who played."""
        others = [seat for seat in self.result.seats if not seat.is_own]
        return others or self.result.seats

    @property
    def names(self) -> str:
        return ", ".join(seat.name for seat in self.others)

    @property
    def is_installed(self) -> bool:
        return not is_absent(self.match.rules)

    @property
    def score(self) -> str:
        """*154 : 120*; empty where places decide or many play."""
        match = self.match
        if not self.is_installed:
            return ""
        sides = match.rules.sides_of(match.rules.decode_options(bytes(match.options)))
        if match.rules.points_are_places or len(sides) != 2:
            return ""
        by_seat = {seat.index: seat for seat in self.result.seats}
        ordered = sorted(sides, key=lambda side: not any(by_seat[seat].is_own for seat in side))
        return " : ".join(str(by_seat[side[0]].points) for side in ordered)


@dataclass(frozen=True)
class HistoryDay:
    day: date
    lines: SafeString

    @property
    def name(self) -> str:
        """*Today*, *Yesterday*, *23 November 2026*."""
        ago = (timezone.localdate() - self.day).days
        if ago in (0, 1):
            return _("Yesterday") if ago else _("Today")
        return date_format(self.day, "DATE_FORMAT")


@dataclass(frozen=True)
class HistoryPage:
    days: list[HistoryDay]
    older: str  # the query of the page below, empty on the last one


LINES: Final[Kept[str]] = Kept(most=4_000)


def history_page(user: UUID, chosen: HistoryFilter, token: str = "") -> HistoryPage:
    """Lines are the reader's own, and kept; ``token`` is that of the forms in them."""
    wanted = chosen.applied(user).only("finished_at", "updated_at")
    matches = list(wanted[: MATCHES_PER_PAGE + 1])
    shown = matches[:MATCHES_PER_PAGE]
    zone, language = timezone.localtime().utcoffset(), tag_of_language()
    keys = {match.id: (language, user, zone, match.id, match.updated_at) for match in shown}
    lines = LINES.of(keys, lambda ids: _lines(ids, user), LINE_KEPT_SECONDS)
    days = groupby(
        (match for match in shown if match.id in lines),
        key=lambda match: timezone.localdate(match.finished_at or match.updated_at),
    )
    older = chosen.older(shown[-1]).query if len(matches) > MATCHES_PER_PAGE else ""
    joined = [(day, "".join(lines[match.id] for match in group)) for day, group in days]
    return HistoryPage(
        [HistoryDay(day, with_token(text, token)) for day, text in joined],
        older,
    )


def _lines(ids: Sequence[UUID], user: UUID) -> dict[UUID, str]:
    matches = listed(ids)
    scores = closed_scores_of_each([match for match in matches if not is_absent(match.rules)])
    lines = [_line(match, user, scores.get(match.id, [])) for match in matches]
    template = "games/parts/history_line.html"
    return {
        line.match.id: render_to_string(
            template, {"line": line, "match": line.match, "csrf_token": TOKEN}
        )
        for line in lines
    }


def _line(match: Match, user: UUID, scores: Sequence[Sequence[int]]) -> HistoryLine:
    result = result_line(match, user)
    return HistoryLine(result, _turning(match, result, scores) if scores else "")


def _turning(match: Match, result: ResultLine, scores: Sequence[Sequence[int]]) -> str:
    options = match.rules.decode_options(bytes(match.options))
    shape = match_shape(match.rules, options, scores)
    if shape.leader is None:
        return ""
    names = {seat.index: seat.name for seat in result.seats}
    side = match.rules.sides_of(options)[shape.leader]
    return turning_point(shape, match.rules, " & ".join(names[seat] for seat in side))


def frequent_opponents(user: UUID) -> list[str]:
    """The names that the user has met most often of late, to be chosen from."""
    return [name for name, _ in rows_of(_frequent(user))]


@once
def _frequent(user: UUID) -> QuerySet[Seat, Any]:
    recent = HistoryFilter().applied(user).values("id")[:MATCHES_LOOKED_THROUGH]
    others = Seat.objects.filter(match__in=recent).exclude(user=user).exclude(name="")
    counted = others.values("name").annotate(times=Count("pk")).order_by("-times", "name")
    return counted[:OPPONENTS_SUGGESTED]


@a_second_old
@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    chosen = HistoryFilter.of(request.GET)
    context = {
        "chosen": chosen,
        "games": catalog.GAMES,
        "kinds": RESULTS.items(),
        "records": records_of(user).read(),
        "opponents": frequent_opponents(user) if user else [],
        "history": history_page(user, chosen, get_token(request)) if user else None,
    }
    return render(request, "games/history.html", context)
