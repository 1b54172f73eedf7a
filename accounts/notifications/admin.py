"""The queue in the admin: what is due, what failed, and once more by hand. No payload is shown.

What a person is told is theirs: operators see of which kind it is, for whom, and what became of it.
"""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.paginator import InfinitePaginator

from accounts.notifications.hooks.endpoints import again
from accounts.notifications.models import Cause, Delivery, Endpoint
from accounts.staff_pages import StaffPages, Subject
from config.pages.admin_pages import ReadOnly


class _Listed(ReadOnly, StaffPages):
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
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
    fields = readonly_fields = (*list_display, "next_at", "done_at", "endpoint", "tried")
    list_select_related = ("cause__account",)
    ordering = ("-id",)
    actions = ("retry",)
    entry_names: ClassVar = {"change": "retry_delivery"}

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("notifications.change_delivery")

    def subject_of(self, delivery: Delivery) -> Subject:
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
        """What was sent is not sent again here: its receiver has it."""
        rows = list(deliveries.exclude(state="sent").filter(endpoint__disabled__in=["", None]))
        rows += list(deliveries.exclude(state="sent").filter(endpoint=None))
        for row in rows:
            again(row)
            self.write_entry(request, "change", row, {"delivery": str(row.pk)})
        self.message_user(request, f"{len(rows)} deliveries are due now.")


@admin.register(Cause)
class CauseAdmin(_Listed):
    list_display = ("created_at", "kind", "account", "due_at", "routed_at")
    list_filter = ("kind", ("created_at", admin.DateFieldListFilter))
    search_fields = ("=account__username",)
    fields = readonly_fields = list_display
    list_select_related = ("account",)
    ordering = ("-id",)


@admin.register(Endpoint)
class EndpointAdmin(_Listed):
    """The host of a webhook, not its path: that may be a secret of its owner."""

    list_display = ("created_at", "account", "host", "failures", "disabled")
    list_filter = ("disabled",)
    search_fields = ("=account__username",)
    fields = readonly_fields = list_display
    list_select_related = ("account",)
    ordering = ("-id",)

    @admin.display(description="host")
    def host(self, endpoint: Endpoint) -> str:
        return endpoint.url.split("/")[2] if endpoint.url.count("/") > 1 else ""
