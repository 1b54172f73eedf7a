"""Accounts in the admin. No digest and no password hash is shown anywhere.

`accounts.roles` says who may grant what: nobody gives or takes away rights that they do not have.
"""

from collections.abc import Iterable
from typing import Any, Final, cast

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts.admin.keys import KeyInline
from accounts.audit import log
from accounts.models import User
from accounts.roles import grantable_groups, outranks
from accounts.services import keys
from accounts.staff_pages import StaffPages, Subject
from accounts.standing import standing_of

RIGHTS: Final = frozenset({"is_staff", "is_superuser", "groups"})


@admin.register(User)
class PersonAdmin(StaffPages, UserAdmin[User]):  # type: ignore[misc]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    inlines = (KeyInline,)
    list_display = ("username", "display_name", "is_guest", "standing", "is_staff", "key_count")
    list_filter = ("is_guest", "is_active", "is_staff", "date_joined")
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined",)
    readonly_fields = ("id", "is_guest", "standing", "last_login", "date_joined")
    filter_horizontal = ()  # two lists side by side are wider than the page, for three roles
    actions = ("revoke_keys",)
    fieldsets = (
        (None, {"fields": ("id", "username", "display_name", "email", "language", "is_guest")}),
        ("Rights", {"fields": ("standing", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "password1", "password2")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        people: QuerySet[User] = super().get_queryset(request)
        return people.annotate(key_count=Count("keys")).prefetch_related("suspensions")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Guests get no rights, nobody changes their own, only superusers make superusers."""
        fixed = super().get_readonly_fields(request, obj)
        if obj and (obj.is_guest or obj.is_house):
            return (*fixed, "is_staff", "is_superuser", "groups")
        if request.user.is_superuser:
            return fixed
        own = ("is_staff", "groups") if obj == request.user else ()
        return (*fixed, "is_superuser", *own)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **given: Any) -> Any:
        if db_field.name == "groups":
            given["queryset"] = grantable_groups(request.user)
        return super().formfield_for_manytomany(db_field, request, **given)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or outranks(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        if obj is None:
            return allowed
        return allowed and not obj.is_house and outranks(request.user, obj)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.delete_key")

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:  # noqa: A002
        """A guest has none until they sign up, the house never: the database would refuse one."""
        person = self.get_object(request, unquote(id))
        if person and (person.is_guest or person.is_house):
            raise PermissionDenied
        with transaction.atomic():
            answer = super().user_change_password(request, id, form_url)
        if answer.status_code == 302:
            self.message_user(
                request,
                "Sessions have ended. Keys and programs go on: “Revoke all keys” ends them.",
            )
        return answer

    def subject_of(self, user: User) -> Subject:
        return "person", user.pk, user.username

    def entry_name(self, what: str, changed: Iterable[str]) -> str:
        """Changes of rights and passwords have names of their own in the audit log."""
        if what == "change" and "password" in changed:
            return "set_password"
        if what == "change" and not RIGHTS.isdisjoint(changed):
            return "change_rights"
        return super().entry_name(what, changed)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:
        """An operator may choose a name that looks like another's; it is then not reserved."""
        if change and "display_name" in form.changed_data and not obj.is_guest:
            obj.keep_name()
        super().save_model(request, obj, form, change)

    @admin.display(description="keys", ordering="key_count")
    def key_count(self, user: User) -> int:
        count: int = user.key_count  # type: ignore[attr-defined]
        return count

    @admin.display(description="standing")
    def standing(self, user: User) -> str:
        """Read-only: a person is suspended on their own page, with a reason and an end."""
        return standing_of(user)

    @admin.action(description="Revoke all keys", permissions=["revoke"])
    def revoke_keys(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Revokes only keys of accounts that the operator may change."""
        below = [user for user in people if outranks(request.user, user)]
        revoked = sum(self._revoke(request, user) for user in below)
        self.message_user(request, f"{revoked} keys revoked.")

    def _revoke(self, request: HttpRequest, user: User) -> int:
        revoked = keys.revoke_all(user=user)
        if revoked:
            by = cast("User", request.user)
            log.write(by, "revoke_keys", *self.subject_of(user), keys=revoked)
        return revoked
