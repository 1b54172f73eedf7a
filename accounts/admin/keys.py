"""Keys can be read and revoked here, but not made: nobody would see the secret."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import TabularInline

from accounts.models import Key
from accounts.roles import outranks
from accounts.staff_pages import StaffPages, Subject


class KeyInline(TabularInline):  # type: ignore[misc]
    model = Key
    extra = 0
    fields = readonly_fields = ("name", "scopes", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Key)
class KeyAdmin(StaffPages):
    entry_names: ClassVar = {"delete": "revoke_key"}
    list_display = ("name", "user", "created_at", "last_used_at", "expires_at")
    search_fields = ("name", "user__username", "user__display_name")
    list_filter = ("created_at", "expires_at")
    list_select_related = ("user",)
    fields = readonly_fields = (
        "name",
        "user",
        "scopes",
        "created_at",
        "expires_at",
        "last_used_at",
    )

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Key | None = None) -> bool:
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or outranks(request.user, obj.user))

    def subject_of(self, key: Key) -> Subject:
        return "person", key.user_id, key.user.username

    def details_of_deletion(self, key: Key) -> dict[str, Any]:
        return {"key": str(key), "scopes": list(key.scopes)}
