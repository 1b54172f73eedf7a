"""Roles, second factors and failed sign-ins. E-mail addresses belong to the person's own page.

The pages that libraries bring are replaced: theirs show secrets and check too little.
"""

from typing import Any

# These register their pages when they are imported: before ours do.
import allauth.account.admin
import allauth.mfa.admin  # noqa: F401
import axes.admin  # noqa: F401
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from accounts.roles import ROLES, outranks

for model in (AccessAttempt, AccessFailureLog, AccessLog, Authenticator, EmailAddress, Group):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


class ReadOnly(ModelAdmin):  # type: ignore[misc]
    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Group)
class GroupAdmin(ModelAdmin):  # type: ignore[misc]
    """Groups are superusers' to make. The roles are ours: `accounts.roles` keeps them as they are.

    Anybody else who changed a group could add to what the group gives to himself.
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
    """Deleted for somebody who has lost the device. The secret is not shown."""

    list_display = fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type", "created_at", "last_used_at")
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or outranks(request.user, obj.user))


@admin.register(AccessAttempt)
class AccessAttemptAdmin(ReadOnly):
    """Accounts that are locked out, or soon will be. Deleting an attempt unlocks."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    fields = (*list_display, "user_agent", "path_info")
    list_filter = ("attempt_time",)
    search_fields = ("username", "ip_address")
