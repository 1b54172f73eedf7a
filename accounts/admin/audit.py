"""The audit log for operators: to find and to read."""

from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.paginator import InfinitePaginator

from accounts.audit.models import Entry
from config.admin_pages import ReadOnly


def entries_about(subject_type: str, subject_id: object) -> str:
    """The address of the entries about one subject."""
    asked = urlencode({"subject_type": subject_type, "subject_id": str(subject_id)})
    return f"{reverse('admin:audit_entry_changelist')}?{asked}"


@admin.register(Entry)
class EntryAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    list_display = ("at", "actor", "shown_action", "subject", "reason")
    list_filter = ("action", ("at", admin.DateFieldListFilter))
    search_fields = ("=actor", "=subject_id")
    search_help_text = "A username of the staff, or the whole id of a match or person"
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

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        own = lookup in ("subject_type", "subject_id", "actor_id")
        return own or bool(super().lookup_allowed(lookup, value, request))
