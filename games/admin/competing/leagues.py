"""Leagues: their weeks, and where each player stood in one."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from accounts.staff_pages import LongLists, StaffPages
from config.pages.admin_pages import ReadOnly
from games.leagues.models import Line, Membership, Week


@admin.register(Week)
class WeekAdmin(ReadOnly, StaffPages):
    list_display = ("monday", "game", "players", "opened_at", "closed_at")
    list_filter = ("game",)
    date_hierarchy = "monday"
    list_per_page = 50
    fields = ("game", "monday", "players", "opened_at", "closed_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        counted: QuerySet[Any] = rows.annotate(count=Count("lines"))
        return counted

    @admin.display(description="Players", ordering="count")
    def players(self, row: Any) -> int:
        return int(row.count)


@admin.register(Line)
class LineAdmin(ReadOnly, LongLists):
    """The result stands once the week is closed; ``manage.py recount`` proves it."""

    list_display = ("week", "tier", "division", "place", "account", "points", "matches", "move")
    list_select_related = ("week", "account")
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    ordering = ("-week_id", "tier", "division", "slot")
    fields = (*list_display, "slot", "since", "rating", "earlier")
    readonly_fields = fields


@admin.register(Membership)
class MembershipAdmin(ReadOnly, LongLists):
    list_display = ("game", "account", "joined_at")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = list_display
    readonly_fields = fields
