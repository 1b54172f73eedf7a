"""Files of records: exports of accounts and archives of days, how far written, when deleted."""

from django.contrib import admin

from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly
from games.exports.models import RecordFile


@admin.register(RecordFile)
class RecordFileAdmin(ReadOnly, LongLists):
    """The records themselves are for their owner; an archive is for everybody."""

    list_display = ("__str__", "owner", "game", "records", "size", "state", "expires_at")
    list_filter = ("game", "finished_at")
    list_select_related = ("owner",)
    search_fields = ("owner__username__istartswith",)
    search_help_text = "The beginning of a username"
    fields = (
        *("id", "owner", "day", "game", "since", "records", "size", "sha256"),
        *("created_at", "worked_at", "finished_at", "expires_at"),
    )
    readonly_fields = fields

    @admin.display(description="State")
    def state(self, file: RecordFile) -> str:
        return "finished" if file.is_finished else f"written until {file.worked_at:%Y-%m-%d %H:%M}"
