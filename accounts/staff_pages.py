"""Pages of the admin for staff: who may see them, and the log of what was done there.

The site takes pages of this class only (`accounts.admin_site`), so nothing is open by accident: a
list can be searched by the columns of its filters and by no other, and whatever a form or an action
of the admin writes is recorded in the audit log.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, cast
from urllib.parse import urlencode

from django.apps import AppConfig
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from accounts.audit import log
from accounts.models import User
from config.offers import offered
from config.postgres import replicas

COMPARISONS: Final = re.compile("(__(exact|in|isnull|gt|gte|lt|lte|range|year|month|day))?")

Subject = tuple[str, object, str]


def entries_about(subject_type: str, subject_id: object) -> str:
    """The address of the entries about one subject."""
    query = urlencode({"subject_type": subject_type, "subject_id": str(subject_id)})
    return f"{reverse('admin:audit_entry_changelist')}?{query}"


class StaffPages(ModelAdmin):  # type: ignore[misc]
    """``asked_by``: the columns by which links select rows, besides the filters of the list.

    ``entry_names``: the names of an addition, a change and a deletion in the audit log.
    """

    asked_by: ClassVar[Sequence[str]] = ()
    entry_names: ClassVar[dict[str, str]] = {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The page of a row has the related rows of the list, too."""
        rows: QuerySet[Any] = super().get_queryset(request)
        related = self.list_select_related
        return rows.select_related(*related) if isinstance(related, tuple) else rows

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only columns of the filters: any other one could be guessed letter by letter."""
        return any(
            lookup.startswith(name) and COMPARISONS.fullmatch(lookup, len(name))
            for name in (*_names_of(self.get_list_filter(request)), *self.asked_by)
        )

    def to_field_allowed(self, _request: HttpRequest, to_field: str) -> bool:
        """Rows refer to each other by their primary keys alone."""
        return bool(to_field == self.opts.pk.name)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """The audit log is the only history."""
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_or_change_permission(request, row):
            raise Http404
        subject_type, subject_id, _ = self.subject_of(row)
        return redirect(entries_about(subject_type, subject_id))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """An action and its entries are written together; a list may be of a second ago."""
        if request.method != "POST":
            return replicas.read(partial(self._listed, request, extra_context), own=True)
        with transaction.atomic():
            return cast("HttpResponse", super().changelist_view(request, extra_context))

    def _listed(self, request: HttpRequest, extra_context: Any) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        if replicas.replicas() and isinstance(response, SimpleTemplateResponse):
            response.render()  # here, as it reads the rows
        return cast("HttpResponse", response)

    def subject_of(self, row: Any) -> Subject:
        """The subject of an entry: its type, its id and its name."""
        return self.opts.model_name, row.pk, str(row)

    def entry_name(self, what: str, changed: Iterable[str]) -> str:
        return self.entry_names.get(what, f"{what}_{self.opts.model_name}")

    def write_entry(
        self, request: HttpRequest, what: str, row: Any, details: dict[str, Any]
    ) -> None:
        name = self.entry_name(what, details.get("changed", ()))
        log.write(cast("User", request.user), name, *self.subject_of(row), **details)

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: Any = None
    ) -> Any:
        """The changes, for the entry; rows that a formset deletes have entries of their own."""
        for formset in formsets or ():
            for removed in formset.deleted_objects:
                self.admin_site.get_model_admin(type(removed)).log_deletions(request, [removed])
        return {} if add else {"changed": changes_of(form)}

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        self.write_entry(request, "add", obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        if message != {"changed": {}}:  # another operator may have sent the same before
            self.write_entry(request, "change", obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> None:
        rows = list(queryset)
        for keep in offered("keeps_deleted"):
            keep(request.user, rows)
        for row in rows:
            self.write_entry(request, "delete", row, self.details_of_deletion(row))

    def details_of_deletion(self, row: Any) -> dict[str, Any]:
        return {}


class LongLists(StaffPages):
    """A list of rows that nobody counts: of a million it shows fifty as quickly as of a hundred."""

    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50


def _names_of(filters: Iterable[Any]) -> Iterable[str]:
    for one in filters:
        if isinstance(one, type) and issubclass(one, SimpleListFilter):
            yield str(one.parameter_name)
        else:
            yield one if isinstance(one, str) else one[0]


def changes_of(form: Any) -> dict[str, list[Any]]:
    """Each changed field with its value before and after; of passwords only the field."""
    return {
        name: []
        if "password" in name
        else [_plain(form[name].initial), _plain(form.cleaned_data[name])]
        for name in form.changed_data
    }


def _plain(value: Any) -> Any:
    if isinstance(value, QuerySet | list | tuple):
        return sorted(map(str, value))
    return value if value is None or isinstance(value, bool | int) else str(value)


# The rights of staff: three roles, which every migration restores, and who may change whom.
#
# A role is a group. Superusers may do everything; nobody else grants more than they have
# themselves, or changes an account that has as many rights as their own.

SUBJECTS: Final = (
    "accounts",
    "audit",
    "coaching",
    "competitions",
    "config",
    "daily",
    "decks",
    "exercises",
    "exports",
    "games",
    "hours",
    "leagues",
    "lobby",
    "mirrored",
    "bot_accounts",
    "notifications",
    "operations",
    "ratings",
)
_REFEREE: Final = frozenset(
    {
        "accounts.add_registrationblock",
        "accounts.change_registrationblock",
        "accounts.add_signuplink",
        "accounts.change_signuplink",
        "accounts.delete_key",
        "accounts.delete_registrationblock",
        "competitions.run_tournament",
        "config.add_announcement",
        "config.change_announcement",
        "config.delete_announcement",
        "config.change_trouble",
        "decks.change_deck",
        "decks.delete_deck",
        "decks.delete_measurement",
        "exercises.withdraw_exercise",
        "games.abort_match",
        "games.adjudicate_match",
        "games.audit_match",
        "games.change_match",
        "games.change_simulation",
        "games.close_match",
        "games.repair_match",
        "games.roll_back_match",
        "games.watch_private_match",
        "hours.change_holiday",
        "notifications.change_delivery",
        "operations.change_playerreport",
        "operations.message_person",
        "operations.note_person",
        "operations.suspend_person",
    }
)
_ADMINISTRATOR: Final = _REFEREE | {
    "accounts.add_user",
    "accounts.change_user",
    "allauth_idp_oidc.delete_client",
    "allauth_idp_oidc.view_client",
    "auth.view_group",
    "config.change_settingchange",
    "axes.delete_accessattempt",
    "axes.view_accessattempt",
    "games.see_hidden_cards",
    "operations.erase_person",
    "operations.export_person",
    "mfa.delete_authenticator",
    "mfa.view_authenticator",
}
# The rights of each role, besides reading every page of our own.
ROLES: Final = {"viewer": frozenset(), "referee": _REFEREE, "administrator": _ADMINISTRATOR}


def keep_roles(sender: AppConfig, **_: Any) -> None:
    """After each migration: gives each role its permissions, as far as they exist yet."""
    if sender.label not in (*SUBJECTS, "allauth_idp_oidc", "axes", "mfa"):
        return
    known = Permission.objects.select_related("content_type")
    by_name = {f"{one.content_type.app_label}.{one.codename}": one for one in known}
    views = {name for name in by_name if name.startswith(tuple(f"{app}.view_" for app in SUBJECTS))}
    for role, more in ROLES.items():
        group = Group.objects.get_or_create(name=role)[0]
        group.permissions.set([by_name[name] for name in (views | more) & by_name.keys()])


def grantable_groups(actor: Any) -> QuerySet[Group]:
    """The groups that give nothing beyond what ``actor`` has."""
    groups = Group.objects.all()
    if actor.is_superuser:
        return groups
    beyond = Permission.objects.exclude(pk__in=actor.permissions())
    return groups.exclude(permissions__in=beyond)


# Base classes of admin pages: rows that only services write, and pages instead of forms.


class ReadOnly:
    """Nothing is added, changed or deleted by a form of the admin: every field is only shown."""

    def has_add_permission(self, *_: Any) -> bool:
        return False

    def has_change_permission(self, *_: Any) -> bool:
        return False

    def has_delete_permission(self, *_: Any) -> bool:
        return False


class OwnPage:
    """A row is shown by ``own_page`` in place of a form.

    No ABC: ``ModelAdmin`` has a metaclass of its own.
    """

    takes_posts = False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        _form_url: str = "",
        _extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        refused = request.method == "POST" and not self.takes_posts
        if refused or not self.has_view_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        row = self.row_of_page(request, object_id)
        if row is None:
            raise Http404
        return self.own_page(request, row)

    def row_of_page(self, request: HttpRequest, object_id: str) -> Any:
        return self.get_object(request, object_id)  # type: ignore[attr-defined]

    @abstractmethod
    def own_page(self, request: HttpRequest, row: Any) -> HttpResponse:
        """The page of a row that the operator may see."""
