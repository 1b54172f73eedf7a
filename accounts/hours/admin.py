"""Holidays in the admin: operators see them and may end one."""

from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.hours import services
from accounts.hours.models import Holiday
from accounts.hours.services import HolidayIsOver
from accounts.staff_pages import LongLists, ReadOnly, Subject


@admin.register(Holiday)
class HolidayAdmin(ReadOnly, LongLists):
    list_display = ("account", "first_day", "last_day", "announced_at", "ended_at")
    list_filter = (("starts_at", admin.DateFieldListFilter),)
    search_fields = ("=account__username",)
    search_help_text = "A username"
    fields = (*list_display, "starts_at", "ends_at")
    list_select_related = ("account",)
    ordering = ("-id",)
    actions = ("end",)
    entry_names: ClassVar = {"change": "end_holiday"}

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("hours.change_holiday")

    def subject_of(self, holiday: Holiday) -> Subject:
        return "person", holiday.account.pk, holiday.account.username

    @admin.action(description="End now, for turns that begin from now on", permissions=["end"])
    def end(self, request: HttpRequest, holidays: QuerySet[Holiday]) -> None:
        """Turns that have begun keep their deadlines: nobody is given less time."""
        ended = [row for row in holidays if self._has_ended(row)]
        for row in ended:
            days = {"first_day": str(row.first_day), "last_day": str(row.last_day)}
            self.write_entry(request, "change", row, days)
        self.message_user(request, f"{len(ended)} holidays were ended.", messages.SUCCESS)

    def _has_ended(self, row: Holiday) -> bool:
        try:
            services.end_holiday(account=row.account_id, holiday_id=row.pk)
        except HolidayIsOver:
            return False
        return True
