"""Roles, second factors and failed sign-ins. E-mail addresses belong to the person's own page.

The site leaves out the pages that libraries bring: theirs show secrets and check too little.
"""

from typing import Any, ClassVar

from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from accounts.models import User
from accounts.roles import ROLES, outranks
from accounts.staff_pages import StaffPages, Subject


class ReadOnly(StaffPages):
    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Group)
class GroupAdmin(StaffPages):
    """Only superusers change groups, and nobody changes a role: `accounts.roles` defines those.

    Anybody else who could change a group could add to their own rights.
    """

    search_fields = ("name",)
    ordering = ("name",)
    filter_horizontal = ("permissions",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return bool(request.user.is_superuser) and (obj is None or obj.name not in ROLES)

    has_delete_permission = has_change_permission


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly):
    """To be deleted for a person who has lost the device. The secret is not shown."""

    entry_names: ClassVar = {"delete": "remove_second_factor"}
    list_display = fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type", "created_at", "last_used_at")
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or outranks(request.user, obj.user))

    def subject_of(self, device: Authenticator) -> Subject:
        return "person", device.user_id, device.user.username

    def details_of_deletion(self, device: Authenticator) -> dict[str, Any]:
        return {"type": str(device.type)}


@admin.register(AccessAttempt)
class AccessAttemptAdmin(ReadOnly):
    """Accounts that are locked out or soon will be. Deleting an attempt unlocks one."""

    entry_names: ClassVar = {"delete": "unlock"}
    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    fields = (*list_display, "user_agent", "path_info")
    list_filter = ("attempt_time",)
    search_fields = ("username", "ip_address")

    def subject_of(self, attempt: AccessAttempt) -> Subject:
        """The person, or the name that was typed if it is nobody's."""
        person = User.objects.filter(username__iexact=attempt.username or "").first()
        if person is None:
            return "sign_in", (attempt.username or "")[:64], attempt.username or ""
        return "person", person.pk, person.username

    def details_of_deletion(self, attempt: AccessAttempt) -> dict[str, Any]:
        return {"failures": attempt.failures_since_start}
