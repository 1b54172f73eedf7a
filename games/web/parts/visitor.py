"""The visitor of a page, what they sent with a form, and the letters on their cards."""

from collections.abc import Callable
from typing import Final, TypedDict
from uuid import UUID

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from accounts.visitors import current_or_guest_user, once, wants_local_letters
from games.language import local_letters
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot

__all__ = ["current_or_guest_user", "once", "reader_name", "user_id"]


def user_id(request: HttpRequest) -> UUID | None:
    return request.user.pk if request.user.is_authenticated else None


def reader_name(request: HttpRequest) -> str:
    """The name of the reader; a visitor has no name yet."""
    return request.user.display_name if request.user.is_authenticated else ""


def match_or_404(request: HttpRequest, match_id: UUID) -> MatchSnapshot:
    """A match that the reader may see."""
    user = user_id(request)
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise Http404("There is no such match, or it is not yours to see.")
    return access.match


# Fields of the forms of a table: who moves for which seat, at which version of the match.

BEFORE_ALL: Final = -1  # the version of a form that names none: it is stale


class Mover(TypedDict):
    """The arguments that every move of a form needs beside the match and the move itself."""

    caller: Caller
    version: int
    seat: int | None


def mover(request: HttpRequest) -> Mover:
    version = number(request, "version")
    return Mover(
        caller=Caller(user=user_id(request)),
        version=BEFORE_ALL if version is None else version,
        seat=number(request, "seat"),
    )


def number(request: HttpRequest, name: str) -> int | None:
    """A number that a form sends; ``None`` for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


# The letters on cards of a page: those of the reader's language, unless the cookie says
# otherwise.
#
# The API names cards by their codes, so the letters in its sentences are those of the codes.


class Letters:
    """Middleware: the reader's letters on cards, until the answer is made."""

    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_page = not request.path_info.startswith("/api/")
        with local_letters(wanted=is_page and wants_local_letters(request)):
            return self._get_response(request)
