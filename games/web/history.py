"""The page of the own matches that are over: filters, days, lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from cardroom.rules import catalog
from cardroom.rules.course import match_shape
from games.absent import is_absent
from games.matches.models import Match, Seat
from games.matches.selectors.lineage import closed_scores_of_each
from games.web.parts.headline import turning_point
from games.web.parts.match_list import ResultLine, ResultSeat, records_of, result_line
from games.web.parts.visitor import user_id

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
    lines: list[HistoryLine]

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


def history_page(user: UUID, chosen: HistoryFilter) -> HistoryPage:
    wanted = chosen.applied(user).defer("state", "loaded", "seed", "outcome")
    matches = list(
        wanted.select_related("creator").prefetch_related("seats")[: MATCHES_PER_PAGE + 1]
    )
    shown = matches[:MATCHES_PER_PAGE]
    scores = closed_scores_of_each([match for match in shown if not is_absent(match.rules)])
    lines = [_line(match, user, scores.get(match.id, [])) for match in shown]
    days = groupby(
        lines, key=lambda line: timezone.localdate(line.match.finished_at or line.match.updated_at)
    )
    older = chosen.older(shown[-1]).query if len(matches) > MATCHES_PER_PAGE else ""
    return HistoryPage([HistoryDay(day, list(group)) for day, group in days], older)


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
    return turning_point(shape, match.game, " & ".join(names[seat] for seat in side))


def frequent_opponents(user: UUID) -> list[str]:
    """The names that the user has met most often of late, to be chosen from."""
    recent = HistoryFilter().applied(user).values("id")[:MATCHES_LOOKED_THROUGH]
    others = Seat.objects.filter(match__in=recent).exclude(user=user).exclude(name="")
    counted = others.values("name").annotate(times=Count("pk")).order_by("-times", "name")
    return [row["name"] for row in counted[:OPPONENTS_SUGGESTED]]


@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    user = user_id(request)
    chosen = HistoryFilter.of(request.GET)
    context = {
        "chosen": chosen,
        "games": catalog.GAMES,
        "kinds": RESULTS.items(),
        "records": records_of(user),
        "opponents": frequent_opponents(user) if user else [],
        "history": history_page(user, chosen) if user else None,
    }
    return render(request, "games/history.html", context)
