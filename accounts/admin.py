"""People and their keys for operators. No digest and no password hash is shown anywhere."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts.models import Key, User
from accounts.services import keys


class KeyInline(TabularInline):  # type: ignore[misc]
    """A key can be revoked here (deleted), never made: nobody would see its secret."""

    model = Key
    extra = 0
    fields = readonly_fields = ("name", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(User)
class PersonAdmin(UserAdmin[User], ModelAdmin):  # type: ignore[misc]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    inlines = (KeyInline,)
    list_display = ("username", "display_name", "is_guest", "is_active", "is_staff", "key_count")
    list_filter = ("is_guest", "is_active", "is_staff", "date_joined")
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined",)
    readonly_fields = ("id", "is_guest", "last_login", "date_joined")
    filter_horizontal = ("groups", "user_permissions")
    actions = ("revoke_keys",)
    fieldsets = (
        (None, {"fields": ("id", "username", "display_name", "email", "language", "is_guest")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "password1", "password2")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        people: QuerySet[User] = super().get_queryset(request)
        return people.annotate(key_count=Count("keys"))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return (*fixed, "is_staff", "is_superuser") if obj and obj.is_guest else fixed

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:  # noqa: A002
        """A guest has no password until they sign up; the database would refuse one."""
        person = self.get_object(request, unquote(id))
        if person and person.is_guest:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    @admin.display(description="keys", ordering="key_count")
    def key_count(self, user: User) -> int:
        count: int = user.key_count  # type: ignore[attr-defined]
        return count

    @admin.action(description="Revoke all keys")
    def revoke_keys(self, request: HttpRequest, people: QuerySet[User]) -> None:
        revoked = sum(keys.revoke_all(user=user) for user in people)
        self.message_user(request, f"{revoked} keys revoked.")


@admin.register(Key)
class KeyAdmin(ModelAdmin):  # type: ignore[misc]
    """Keys can be looked at and revoked."""

    list_display = ("name", "user", "created_at", "last_used_at", "expires_at")
    search_fields = ("name", "user__username", "user__display_name")
    list_filter = ("created_at", "expires_at")
    list_select_related = ("user",)
    fields = readonly_fields = ("name", "user", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False
