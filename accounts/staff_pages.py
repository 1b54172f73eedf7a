"""The base of every page of the admin: which lookups a list allows, an entry for all it writes.

The site takes pages of this class only (`accounts.admin_site`), so nothing is open by accident: a
list can be searched by the columns of its filters and by no other, and whatever a form or an action
of the admin writes is recorded in the audit log.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, cast
from urllib.parse import urlencode

from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from accounts.audit import log
from accounts.models import User

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
        """An action and its entries are written together."""
        if request.method != "POST":
            return cast("HttpResponse", super().changelist_view(request, extra_context))
        with transaction.atomic():
            return cast("HttpResponse", super().changelist_view(request, extra_context))

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
        self.write_entry(request, "change", obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> None:
        for row in queryset:
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
