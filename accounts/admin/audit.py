"""The audit log in the admin: it can be searched and read."""

from django.contrib import admin
from unfold.decorators import display
from unfold.paginator import InfinitePaginator

from accounts.audit.models import Entry
from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly


@admin.register(Entry)
class EntryAdmin(ReadOnly, StaffPages):
    list_display = ("at", "actor", "shown_action", "subject", "reason")
    list_filter = ("action", ("at", admin.DateFieldListFilter))
    search_fields = ("=actor", "=subject_id")
    search_help_text = "A username of the staff, or the whole id of a match or person"
    asked_by = ("subject_type", "subject_id", "actor_id")
    ordering = ("-id",)
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
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
