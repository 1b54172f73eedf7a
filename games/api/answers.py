"""Answers that are a match: the body, the ``ETag`` that names it, the address of a new one."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.schemas.matches import Match, match_response
from games.matches.snapshot import MatchSnapshot


def match_answer(
    match: MatchSnapshot, user: UUID | None, seat: int | None = None, *, status: int = 200
) -> Response:
    """The match for one reader, as ``match_response`` shows it; raises ``NotYourSeat``."""
    body = match_response(match, user, seat)
    return Response(body, status=status, headers=match_headers(body, user, status=status))


def match_headers(body: Match, user: UUID | None, *, status: int) -> dict[str, str]:
    """201 also has ``Location``: of a new match or, after a move, of the match that has moved."""
    tag = {"ETag": etag(body, user)}
    return tag | {"Location": body.links["self"]} if status == 201 else tag


def etag(body: Match, user: UUID | None) -> str:
    """Names what one reader sees of a match: any change of it changes the tag.

    The seed may be told long after the match is over, when another one is.
    """
    changed = int(body.updated_at.timestamp() * 1_000_000)
    kept = "-kept" if body.outcome and body.seed is None else ""
    reader = user.hex[-8:] if user else ""
    return f'"{body.version}-{changed:x}-{reader}-{body.acting_seat}{kept}"'


def is_known(tag: str, request: Request) -> bool:
    """Whether the caller says that it has this already (RFC 9110 §13.1.2)."""
    said = request.headers.get("If-None-Match", "").split(",")
    return any(one.strip().removeprefix("W/") in (tag, "*") for one in said)
