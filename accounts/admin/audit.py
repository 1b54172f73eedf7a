"""The audit log in the admin: it can be searched and read."""

from django.contrib import admin
from unfold.decorators import display

from accounts.audit.models import Entry
from accounts.staff_pages import LongLists
from config.pages.admin_pages import ReadOnly


@admin.register(Entry)
class EntryAdmin(ReadOnly, LongLists):
    list_display = ("at", "actor", "shown_action", "subject", "reason")
    list_filter = ("action", ("at", admin.DateFieldListFilter))
    search_fields = ("=actor", "=subject_id")
    search_help_text = "A username of the staff, or the whole id of a match or person"
    asked_by = ("subject_type", "subject_id", "actor_id")
    ordering = ("-id",)
    fields = readonly_fields = (
        "at",
        "actor",
        "action",
        "subject_type",
        "subject_id",
        "subject",
        "reason",
        "details",
    )

    @display(description="Did", label=True)  # type: ignore[untyped-decorator]
    def shown_action(self, entry: Entry) -> str:
        return entry.action.replace("_", " ")
