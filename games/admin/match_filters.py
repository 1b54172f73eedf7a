"""Filters of the list of matches. None of them counts or scans more rows than it needs."""

from datetime import timedelta
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from cardroom.rules import catalog
from games.matches.models import Match
from games.operations.watching import finding

AGES = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "7d": timedelta(days=7)}
AGES |= {"30d": timedelta(days=30)}
NAMES = {"1h": "The last hour", "1d": "24 hours", "7d": "7 days", "30d": "30 days"}


class ProblemFilter(SimpleListFilter):
    title = "problem"
    parameter_name = "problem"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return list(finding.PROBLEMS.items())

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return finding.with_problem(matches, self.value() or "")


class GameFilter(SimpleListFilter):
    title = "game"
    parameter_name = "game"

    def lookups(self, request: HttpRequest, _: Any) -> list[tuple[str, str]]:
        """What is installed, and what was asked for by its address."""
        missing = [slug for slug in request.GET.getlist("game") if slug not in catalog.slugs()]
        absent = [(slug, f"{slug} (not installed)") for slug in missing]
        return [(game.slug, game.name) for game in catalog.GAMES] + absent

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(game=self.value()) if self.value() else matches


class AgeFilter(SimpleListFilter):
    title = "created"
    parameter_name = "created"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return list(NAMES.items())

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        age = AGES.get(self.value() or "")
        return matches if age is None else finding.since(matches, timezone.now() - age)


class LoadedFilter(SimpleListFilter):
    title = "loaded"
    parameter_name = "from_save"

    def lookups(self, *_: Any) -> list[tuple[str, str]]:
        return [("yes", "From a save")]

    def queryset(self, _: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(parent__isnull=False) if self.value() == "yes" else matches
