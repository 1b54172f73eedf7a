"""The visitor of a page: nobody yet, a guest or a registered user."""

from uuid import UUID

from django.http import HttpRequest

from accounts.web.presses import once
from accounts.web.sessions import current_or_guest_user

__all__ = ["current_or_guest_user", "once", "reader_name", "user_id"]


def user_id(request: HttpRequest) -> UUID | None:
    return request.user.pk if request.user.is_authenticated else None


def reader_name(request: HttpRequest) -> str:
    """What the reader is called; a visitor has no name yet."""
    return request.user.display_name if request.user.is_authenticated else ""
