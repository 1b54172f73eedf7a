"""Accounts in the admin: people, keys, roles, programs, the audit log, holidays, notifications."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, cast

from allauth.idp.oidc.models import Client
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts import services, staff_pages
from accounts.audit import log
from accounts.audit.models import Entry
from accounts.hours import services as hours
from accounts.hours.models import Holiday
from accounts.joining import invitation_by, page_of
from accounts.models import Key, SignUpLink, User
from accounts.names import standing_of
from accounts.notifications.endpoints import again
from accounts.notifications.models import Cause, Delivery, Endpoint


def _operator(request: HttpRequest) -> User:
    return cast("User", request.user)


# The audit log in the admin: it can be searched and read.


@admin.register(Entry)
class EntryAdmin(staff_pages.ReadOnly, staff_pages.LongLists):
    list_display = ("at", "actor", "shown_action", "subject", "reason")
    list_filter = ("action", ("at", admin.DateFieldListFilter))
    search_fields = ("=actor", "=subject_id")
    search_help_text = "A username of the staff, or the whole id of a match or person"
    asked_by = ("subject_type", "subject_id", "actor_id")
    ordering = ("-id",)
    fields = (
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


# Keys can be read and revoked here, but not made: nobody would see the secret.


class KeyInline(TabularInline):  # type: ignore[misc]
    model = Key
    extra = 0
    fields = readonly_fields = ("name", "scopes", "created_at", "expires_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Key)
class KeyAdmin(staff_pages.StaffPages):
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
        return allowed and (obj is None or _operator(request).outranks(obj.user))

    def subject_of(self, key: Key) -> staff_pages.Subject:
        return "person", key.user_id, key.user.username

    def details_of_deletion(self, key: Key) -> dict[str, Any]:
        return {"key": str(key), "scopes": list(key.scopes)}


@admin.register(SignUpLink)
class SignUpLinkAdmin(staff_pages.StaffPages):
    """Links are revoked and not deleted: one sees later who could sign up by them."""

    list_display = ("note", "used", "most", "ends_at", "is_revoked", "made_at")
    list_filter = ("is_revoked",)
    fields = ("note", "most", "ends_at", "is_revoked", "used", "address")
    readonly_fields = ("used", "address")

    @display(description="Address to send")  # type: ignore[untyped-decorator]
    def address(self, link: SignUpLink) -> str:
        return page_of(invitation_by(link))

    def get_fields(self, request: HttpRequest, obj: SignUpLink | None = None) -> Any:
        """Readers do not learn the address; a new one has none."""
        if obj is not None and self.has_change_permission(request, obj):
            return self.fields
        return self.fields[:3] if obj is None else self.fields[:-1]

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


# Accounts in the admin. No digest and no password hash is shown anywhere.
#
# `accounts.staff_pages` says who may grant what: nobody gives or takes away rights that they do
# not have.

RIGHTS: Final = frozenset({"is_staff", "is_superuser", "groups"})


@admin.register(User)
class PersonAdmin(staff_pages.LongLists, UserAdmin[User]):  # type: ignore[misc]
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
            given["queryset"] = staff_pages.grantable_groups(request.user)
        return super().formfield_for_manytomany(db_field, request, **given)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or _operator(request).outranks(obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        if obj is None:
            return allowed
        return allowed and not obj.is_house and _operator(request).outranks(obj)

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

    def subject_of(self, user: User) -> staff_pages.Subject:
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
        below = [user for user in people if _operator(request).outranks(user)]
        revoked = sum(self._revoke(request, user) for user in below)
        self.message_user(request, f"Keys revoked: {revoked}.")

    def _revoke(self, request: HttpRequest, user: User) -> int:
        revoked = services.revoke_keys(user=user)
        if revoked:
            log.write(_operator(request), "revoke_keys", *self.subject_of(user), keys=revoked)
        return revoked


# Roles, second factors and failed sign-ins. E-mail addresses belong to the person's own page.
#
# The site leaves out the pages that libraries bring: theirs show secrets and check too little.


class KeptPages(staff_pages.StaffPages):
    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


@admin.register(Group)
class GroupAdmin(staff_pages.StaffPages):
    """Only superusers change groups; nobody changes a role: `accounts.staff_pages` has those.

    Anybody else who could change a group could add to their own rights.
    """

    search_fields = ("name",)
    ordering = ("name",)
    filter_horizontal = ("permissions",)

    def get_object(self, request: HttpRequest, *args: Any) -> Any:
        """A permission names its type of content: else one query for each of two hundred."""
        group = super().get_object(request, *args)
        if group is not None:
            named = Permission.objects.select_related("content_type")
            prefetch_related_objects([group], Prefetch("permissions", named))
        return group

    def formfield_for_manytomany(self, field: Any, request: HttpRequest, **more: Any) -> Any:
        if field.name == "permissions":
            more["queryset"] = Permission.objects.select_related("content_type")
        return super().formfield_for_manytomany(field, request, **more)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return bool(request.user.is_superuser) and (
            obj is None or obj.name not in staff_pages.ROLES
        )

    has_delete_permission = has_change_permission


@admin.register(Authenticator)
class AuthenticatorAdmin(KeptPages):
    """To be deleted for a person who has lost the device. The secret is not shown."""

    entry_names: ClassVar = {"delete": "remove_second_factor"}
    list_display = fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type", "created_at", "last_used_at")
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or _operator(request).outranks(obj.user))

    def subject_of(self, device: Authenticator) -> staff_pages.Subject:
        return "person", device.user_id, device.user.username

    def details_of_deletion(self, device: Authenticator) -> dict[str, Any]:
        return {"type": str(device.type)}


@admin.register(AccessAttempt)
class AccessAttemptAdmin(KeptPages):
    """Accounts that are locked out or soon will be. Deleting an attempt unlocks one."""

    entry_names: ClassVar = {"delete": "unlock"}
    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    fields = (*list_display, "user_agent", "path_info")
    list_filter = ("attempt_time",)
    search_fields = ("username", "ip_address")

    def subject_of(self, attempt: AccessAttempt) -> staff_pages.Subject:
        """The person, or the name that was typed if it is nobody's."""
        person = User.objects.filter(username__iexact=attempt.username or "").first()
        if person is None:
            return "sign_in", (attempt.username or "")[:64], attempt.username or ""
        return "person", person.pk, person.username

    def details_of_deletion(self, attempt: AccessAttempt) -> dict[str, Any]:
        return {"failures": attempt.failures_since_start}


# Programs of third parties: read, and deleted when one does harm. Its secret is not shown.


@admin.register(Client)
class ProgramAdmin(KeptPages):
    """Deleting one ends everybody's connection with it at once."""

    entry_names: ClassVar = {"delete": "delete_program"}
    list_display = ("name", "owner", "type", "created_at")
    fields = readonly_fields = ("name", "owner", "type", "redirect_uris", "created_at")
    list_filter = ("type", "created_at")
    search_fields = ("name", "owner__username", "owner__display_name")
    list_select_related = ("owner",)

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def subject_of(self, client: Client) -> staff_pages.Subject:
        return "program", client.pk, client.name

    def details_of_deletion(self, client: Client) -> dict[str, Any]:
        return {"program": client.name, "owner": str(client.owner_id)}


# The queue in the admin: what is due, what failed, and once more by hand. No payload is shown.
#
# A message to a person is theirs: operators see of which kind it is, for whom, and what became of
# it.


class _Listed(staff_pages.ReadOnly, staff_pages.LongLists):
    search_help_text = "A username"


@admin.register(Delivery)
class DeliveryAdmin(_Listed):
    list_display = (
        "created_at",
        "kind",
        "account",
        "channel",
        "state",
        "attempts",
        "status",
        "why",
    )
    list_filter = ("state", "channel", ("next_at", admin.DateFieldListFilter))
    search_fields = ("=cause__account__username",)
    fields = (*list_display, "next_at", "done_at", "endpoint", "tried")
    list_select_related = ("cause__account",)
    ordering = ("-id",)
    actions = ("retry",)
    entry_names: ClassVar = {"change": "retry_delivery"}

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("notifications.change_delivery")

    def subject_of(self, delivery: Delivery) -> staff_pages.Subject:
        person = delivery.cause.account
        return "person", person.pk, person.username

    @admin.display(description="kind", ordering="cause__kind")
    def kind(self, delivery: Delivery) -> str:
        return delivery.cause.kind

    @admin.display(description="person", ordering="cause__account")
    def account(self, delivery: Delivery) -> str:
        return delivery.cause.account.username

    @admin.display(description="answer")
    def answer(self, delivery: Delivery) -> str:
        return " ".join(filter(None, [str(delivery.status or ""), delivery.why]))

    @admin.display(description="tries")
    def tried(self, delivery: Delivery) -> str:
        tries = delivery.tries.all()[:20]
        return "; ".join(
            f"{one.at:%Y-%m-%d %H:%M:%S} {one}, {one.milliseconds} ms" for one in tries
        )

    @admin.action(description="Try again now", permissions=["retry"])
    def retry(self, request: HttpRequest, deliveries: QuerySet[Delivery]) -> None:
        """A sent delivery is not sent again here: its receiver has it."""
        rows = list(deliveries.exclude(state="sent").filter(endpoint__disabled__in=["", None]))
        rows += list(deliveries.exclude(state="sent").filter(endpoint=None))
        for row in rows:
            again(row)
            self.write_entry(request, "change", row, {"delivery": str(row.pk)})
        self.message_user(request, f"Deliveries that are due now: {len(rows)}.")


@admin.register(Cause)
class CauseAdmin(_Listed):
    list_display = ("created_at", "kind", "account", "due_at", "routed_at")
    list_filter = ("kind", ("created_at", admin.DateFieldListFilter))
    search_fields = ("=account__username",)
    fields = list_display
    list_select_related = ("account",)
    ordering = ("-id",)


@admin.register(Endpoint)
class EndpointAdmin(_Listed):
    """The host of a webhook, not its path: that may be a secret of its owner."""

    list_display = ("created_at", "account", "host", "failures", "disabled")
    list_filter = ("disabled",)
    search_fields = ("=account__username",)
    fields = list_display
    list_select_related = ("account",)
    ordering = ("-id",)

    @admin.display(description="host")
    def host(self, endpoint: Endpoint) -> str:
        return endpoint.url.split("/")[2] if endpoint.url.count("/") > 1 else ""


# Holidays in the admin: operators see them and may end one.


@admin.register(Holiday)
class HolidayAdmin(staff_pages.ReadOnly, staff_pages.LongLists):
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

    def subject_of(self, holiday: Holiday) -> staff_pages.Subject:
        return "person", holiday.account.pk, holiday.account.username

    @admin.action(description="End now, for turns that begin from now on", permissions=["end"])
    def end(self, request: HttpRequest, holidays: QuerySet[Holiday]) -> None:
        """Turns that have begun keep their deadlines: nobody is given less time."""
        ended = [row for row in holidays if self._has_ended(row)]
        for row in ended:
            days = {"first_day": str(row.first_day), "last_day": str(row.last_day)}
            self.write_entry(request, "change", row, days)
        self.message_user(request, f"Holidays ended: {len(ended)}.", messages.SUCCESS)

    def _has_ended(self, row: Holiday) -> bool:
        try:
            hours.end_holiday(account=row.account_id, holiday_id=row.pk)
        except hours.HolidayIsOver:
            return False
        return True
