"""Analyses of matches: how far they are; what they say of hands stays on the players' pages."""

from django.contrib import admin

from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.coaching.models import Analysis


@admin.register(Analysis)
class AnalysisAdmin(ReadOnly, LongLists):
    """A failed analysis begins again when somebody asks for it."""

    list_display = ("match_id", "requester", "status", "reached", "decisions", "created_at")
    list_filter = ("status",)
    list_select_related = ("requester",)
    search_fields = ("requester__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "match_id", "version", "requester", "status", "reached", "decisions"),
        *("seconds", "given_at", "created_at", "finished_at"),
    )
    readonly_fields = fields
