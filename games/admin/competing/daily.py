"""Deals of the day: what is sealed, how many have tried it, when it was revealed."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.daily.models import DailyDeal


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnly, StaffPages):
    """No seed is read here: an operator may play, too. The page of the day shows it when it may."""

    list_display = ("day", "game", "commitment", "tries", "published_at", "revealed_at")
    list_filter = ("game",)
    date_hierarchy = "day"
    list_per_page = 50
    fields = ("day", "game", "bots", "commitment", "tries", "published_at", "revealed_at", "best")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted = rows.annotate(tried=Count("entries"))
        shown: QuerySet[Any] = counted.select_related("deal").defer("deal__seed", "options")
        return shown

    @admin.display(description="Commitment")
    def commitment(self, row: DailyDeal) -> str:
        return row.deal.commitment

    @admin.display(description="Tries", ordering="tried")
    def tries(self, row: Any) -> int:
        return int(row.tried)

    @admin.display(description="Revealed at")
    def revealed_at(self, row: DailyDeal) -> Any:
        return row.deal.revealed_at
