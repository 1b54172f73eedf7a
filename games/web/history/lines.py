"""The own matches of a page: by day, each with its opponents, its result and its turning point."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final
from uuid import UUID

from django.db.models import Count
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from cardroom.rules.match_shape import match_shape
from games.absent import is_absent
from games.matches.models import Match, Seat
from games.matches.selectors.rounds import closed_scores_of_each
from games.web.front.results import ResultLine, ResultSeat, result_line
from games.web.history.filters import HistoryFilter
from games.web.parts.match_shape import turning_point

SHOWN: Final = 20
SUGGESTED: Final = 12
LOOKED_AT: Final = 100  # matches whose opponents are suggested


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
    matches = list(wanted.select_related("creator").prefetch_related("seats")[: SHOWN + 1])
    shown = matches[:SHOWN]
    scores = closed_scores_of_each([match for match in shown if not is_absent(match.rules)])
    lines = [_line(match, user, scores.get(match.id, [])) for match in shown]
    days = groupby(lines, key=lambda line: _day(line.match))
    older = chosen.older(shown[-1]).query if len(matches) > SHOWN else ""
    return HistoryPage([HistoryDay(day, list(group)) for day, group in days], older)


def _day(match: Match) -> date:
    return timezone.localdate(match.finished_at or match.updated_at)


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
    recent = HistoryFilter().applied(user).values("id")[:LOOKED_AT]
    others = Seat.objects.filter(match__in=recent).exclude(user=user).exclude(name="")
    counted = others.values("name").annotate(times=Count("pk")).order_by("-times", "name")
    return [row["name"] for row in counted[:SUGGESTED]]
