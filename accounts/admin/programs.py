"""Programs of third parties: read, and deleted when one does harm. Its secret is not shown."""

from typing import Any, ClassVar

from allauth.idp.oidc.models import Client
from django.contrib import admin
from django.http import HttpRequest

from accounts.admin.security import ReadOnly
from accounts.staff_pages import Subject


@admin.register(Client)
class ProgramAdmin(ReadOnly):
    """Deleting one ends everybody's connection with it at once."""

    entry_names: ClassVar = {"delete": "delete_program"}
    list_display = ("name", "owner", "type", "created_at")
    fields = readonly_fields = ("name", "owner", "type", "redirect_uris", "created_at")
    list_filter = ("type", "created_at")
    search_fields = ("name", "owner__username", "owner__display_name")
    list_select_related = ("owner",)

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def subject_of(self, client: Client) -> Subject:
        return "program", client.pk, client.name

    def details_of_deletion(self, client: Client) -> dict[str, Any]:
        return {"program": client.name, "owner": str(client.owner_id)}
