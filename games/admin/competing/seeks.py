"""Seeks: people who want to play anybody, who were paired, and whose seek ended."""

from django.contrib import admin

from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.lobby.models import Seek


@admin.register(Seek)
class SeekAdmin(ReadOnly, LongLists):
    """A seek tells nothing of the cards of its match."""

    list_display = ("account", "game", "pace", "rated", "seats", "state", "created_at", "seen_at")
    list_filter = ("game", "pace", "rated", "ending")
    list_select_related = ("account",)
    search_fields = ("account__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "account", "game", "preset", "pace", "rated", "seats", "computers_after"),
        *("created_at", "seen_at", "match", "paired_at", "ended_at", "ending"),
    )
    readonly_fields = fields

    @admin.display(description="State")
    def state(self, seek: Seek) -> str:
        return seek.status
