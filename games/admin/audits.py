"""Replay audits and clean-ups, which run at night."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.staff_pages import StaffPages
from config.pages.admin_pages import ReadOnly
from games.operations.models import CleanUp, ReplayAudit


@admin.register(ReplayAudit)
class ReplayAuditAdmin(ReadOnly, StaffPages):
    list_display = ("until", "checked", "total", "faulty", "finished_at")
    list_per_page = 50
    show_full_result_count = False
    fields = ("since", "until", "checked", "total", "faulty", "faulty_matches", "finished_at")
    readonly_fields = fields

    @admin.display(description="Matches that do not follow")
    def faulty_matches(self, audit: ReplayAudit) -> SafeString:
        rows = (
            (
                reverse("admin:games_match_change", args=[match]),
                match,
                f"{fault} (known since {known[0]})" if known else fault,
            )
            for match, fault, *known in audit.faults
        )
        return format_html_join("", '<p><a href="{}">{}</a>: {}</p>', rows)


@admin.register(CleanUp)
class CleanUpAdmin(ReadOnly, StaffPages):
    list_display = ("at", "__str__")
    list_per_page = 50
    show_full_result_count = False
