"""Answers that are a match: the body, the ``ETag`` that names it, the address of a new one."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from msgspec.structs import asdict, replace
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.signing_in.signed_in import signed_in
from config.api.json import body_of
from config.telemetry import work
from games.api.schemas.fields import Body
from games.api.schemas.match_answers import match_response
from games.api.schemas.matches import Match, RatingChangeJson
from games.language import tag_of_language
from games.matches.snapshot import MatchSnapshot
from games.ratings.people.changes import at_table, changes_of


def match_answer(
    match: MatchSnapshot, user: UUID | None, seat: int | None = None, *, status: int = 200
) -> Response:
    """The match for one reader, as ``match_response`` shows it; raises ``NotYourSeat``."""
    work.note(user=user, match=match.id, version=match.version)
    body = with_rating_changes(match_response(match, user, seat))
    return Response(body, status=status, headers=match_headers(body, user, status=status))


def answer_after(
    act: Callable[..., MatchSnapshot],
    request: Request,
    match_id: UUID,
    body: type[Body],
    *,
    status: int = 200,
) -> Response:
    """The match as the caller left it; ``act`` takes the fields of the body by name."""
    fields = asdict(body_of(request, body))
    user = signed_in(request)
    return match_answer(act(match_id=match_id, user=user, **fields), user.pk, status=status)


def with_rating_changes(body: Match) -> Match:
    """The match with what it made of the ratings; the move that ends it does not wait for that."""
    if body.status != "finished" or not body.rated:
        return body
    made = at_table(changes_of(body.id), body.seats)
    changes = [RatingChangeJson(*one) for one in made]
    return replace(body, rating_changes=changes or None)


def match_headers(
    body: Match, user: UUID | None, language: str | None = None, *, status: int
) -> dict[str, str]:
    """201 also has ``Location``: of the new match, or of the match in which the move was played.

    ``language`` is the ``tag_of_language`` of the reader, if that is known.
    """
    tag = {"ETag": etag(body, user, language)}
    return tag | {"Location": body.links["self"]} if status == 201 else tag


def etag(body: Match, user: UUID | None, language: str | None = None) -> str:
    """Names what one reader sees of a match: any change of it changes the tag.

    The seed may be shown long after the match is over, once another match with its cards is over;
    the changes of ratings a moment after.
    """
    kept = "-kept" if body.outcome and body.seed is None else ""
    kept += "-rated" if body.rating_changes else ""
    language = tag_of_language() if language is None else language
    return _tag(body.version, body.updated_at, user, body.acting_seat, kept + language)


def etag_of_running(
    match: MatchSnapshot, user: UUID | None, seat: int | None, language: str
) -> str:
    """The same of a match that is not over, without the body."""
    acting = match.acting_seat(user) if seat is None else seat
    return _tag(match.version, match.updated_at, user, acting, language)


def _tag(
    version: int, updated_at: datetime, user: UUID | None, seat: int | None, variant: str
) -> str:
    changed = int(updated_at.timestamp() * 1_000_000)
    return f'"{version}-{changed:x}-{user.hex[-8:] if user else ""}-{seat}{variant}"'


def is_known(tag: str, if_none_match: str) -> bool:
    """Whether the caller has this already (RFC 9110 §13.1.2)."""
    tags = if_none_match.split(",")
    return any(one.strip().removeprefix("W/") in (tag, "*") for one in tags)
