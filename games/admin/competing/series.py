"""Series: which matches the same people played one after the other."""

from django.contrib import admin

from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.lobby.models import SeriesMatch


@admin.register(SeriesMatch)
class SeriesMatchAdmin(ReadOnly, LongLists):
    """The score is counted from the matches; a line tells nothing of their cards."""

    list_display = ("match", "series", "turned", "game", "status")
    list_select_related = ("match",)
    search_fields = ("series__exact", "match__id__exact")
    search_help_text = "The id of a match, or of the first one of a series"
    ordering = ("-match_id",)
    fields = ("match", "series", "turned")
    readonly_fields = fields

    @admin.display(description="Game")
    def game(self, row: SeriesMatch) -> str:
        return row.match.game

    @admin.display(description="Status")
    def status(self, row: SeriesMatch) -> str:
        return row.match.status
