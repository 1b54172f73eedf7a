"""Base classes of admin pages: rows that only services write, and pages instead of forms."""

from abc import abstractmethod
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse


class ReadOnly:
    """Nothing is added, changed or deleted by a form of the admin."""

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
        row = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if row is None:
            raise Http404
        return self.own_page(request, row)

    @abstractmethod
    def own_page(self, request: HttpRequest, row: Any) -> HttpResponse:
        """The page of a row that the operator may see."""
