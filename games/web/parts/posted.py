"""What the forms of a table send: who moves for which seat, at which version of the match."""

from typing import Final, TypedDict

from django.http import HttpRequest

from games.matches.selectors.access import Caller
from games.web.parts.visitor import user_id

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
