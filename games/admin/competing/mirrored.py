"""Mirrored sets: how far they are, and once all of one is over which matches were dealt alike."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.paginator import InfinitePaginator

from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.admin.secrecy import UNTIL_OVER
from games.mirrored.models import MirroredSet
from games.mirrored.results import SetResult, result_of
from games.mirrored.selectors import legs_of


@admin.register(MirroredSet)
class MirroredSetAdmin(ReadOnly, StaffPages):
    """No pair is read before all matches are over: an operator may play, too."""

    list_display = ("id", "form", "begun", "created_at", "over_at")
    list_filter = ("form",)
    ordering = ("-id",)
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    fields = ("form", "visibility", "created_at", "over_at", "matches", "pairs", "won")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted: QuerySet[Any] = rows.annotate(
            have_begun=Count("legs__match"), in_all=Count("legs")
        )
        return counted

    @admin.display(description="Matches")
    def begun(self, row: Any) -> str:
        return f"{row.have_begun} of {row.in_all}"

    @admin.display(description="Matches in their order")
    def matches(self, row: MirroredSet) -> SafeString:
        begun = [leg.match_id for leg in legs_of([row.id]) if leg.match_id is not None]
        links = [(reverse("admin:games_match_change", args=[one]), one) for one in begun]
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    @admin.display(description="Dealt alike: margins of the first side, skill, luck")
    def pairs(self, row: MirroredSet) -> str:
        result = _result(row)
        if result is None:
            return UNTIL_OVER
        lines = [
            f"{pair.one.match_id} {pair.one.margin:+}, {pair.swapped.match_id} "
            f"{pair.swapped.margin:+}: {pair.skill:+}, {abs(pair.luck)}"
            for pair in result.pairs
        ]
        return "; ".join(lines) or "-"

    @admin.display(description="Pairs won by each side")
    def won(self, row: MirroredSet) -> str:
        result = _result(row)
        return UNTIL_OVER if result is None else "{} : {}".format(*result.won)


def _result(row: MirroredSet) -> SetResult | None:
    return None if row.over_at is None else result_of(legs_of([row.id]))
