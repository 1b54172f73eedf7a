"""Exceptions behind the API become problem responses here, and only here.

Services refuse with ``config.refusals.Refusal``; an app adds a translator with ``@translates``.
Any other exception is a bug: Django logs it and answers 500.
"""

import logging
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

import msgspec
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from psycopg.errors import DiskFull
from rest_framework import exceptions

from config.api.scopes import MissingScope
from config.postgres.connections import ReadOnly
from config.refusals import NotAllowed, NotFound, NotSignedIn, Refusal, TooManyRequests
from config.telemetry import requests, work
from config.words import in_words, sentence_of

MEDIA_TYPE: Final = "application/problem+json"
SECONDS_UNTIL_RETRY: Final = 2  # after an outage


def problem_document(refusal: Refusal, **extras: Any) -> dict[str, Any]:
    """The members of the document; ``extras`` are added to those of the refusal."""
    return {
        "type": f"urn:cardroom:problem:{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "code": refusal.code,
        "detail": sentence_of(refusal),
        **in_words(refusal.extras),
        **({"request_id": known} if (known := work.request_id()) else {}),
        **extras,
    }


class ProblemResponse(HttpResponse):
    """The answer for a refusal; a 401 says how to sign in (RFC 9110 §15.5.2), a 503 when."""

    def __init__(
        self, refusal: Refusal, headers: Mapping[str, str] | None = None, **extras: Any
    ) -> None:
        requests.refused(refusal)
        challenge = {"WWW-Authenticate": "Token"} if refusal.status == 401 else {}
        if refusal.status == 503:
            challenge["Retry-After"] = str(SECONDS_UNTIL_RETRY)
        super().__init__(
            msgspec.json.encode(problem_document(refusal, **extras)),
            MEDIA_TYPE,
            refusal.status,
            headers=challenge | dict(headers or {}),
        )


TEXT: Final = "text/plain"
OF_EVERY_PROBLEM: Final = ("type", "title", "status", "code", "detail", "request_id")


def prefers_text(request: HttpRequest) -> bool:
    """Whether the caller would rather read text than JSON; of equals JSON goes first."""
    if TEXT not in request.headers.get("Accept", ""):
        return False  # nearly every program
    return request.get_preferred_type(["application/json", TEXT]) == TEXT


def rewrite_as_text(response: ProblemResponse) -> None:
    problem = msgspec.json.decode(response.content)
    response.content = "\n".join((*_lines(problem), "")).encode()
    response["Content-Type"] = f"{TEXT}; charset=utf-8"


def _lines(problem: Mapping[str, Any]) -> Iterator[str]:
    yield f"{problem['title']} ({problem['status']} {problem['code']})"
    yield problem["detail"]
    for name, value in problem.items():
        if name not in OF_EVERY_PROBLEM:
            yield from _member(name, value)
    if "request_id" in problem:
        yield f"request: {problem['request_id']}"


def _member(name: str, value: Any) -> Iterator[str]:
    """A further member: a plain value in one line, a list line by line; nothing deeper."""
    match value:
        case str() | int() | float():
            yield f"{name}: {value}"
        case [*each]:
            yield f"{name}:"
            for one in each:
                yield "  " + (_row(one) if isinstance(one, dict) else str(one))


def _row(facts: Mapping[str, Any]) -> str:
    """``7H           Play 7♥``, as in the text of a match."""
    first, *others = map(str, facts.values())
    return " ".join((f"{first:<12}", *others))


class Malformed(Refusal, status=400, title="Malformed request", members={"field": str | None}):
    """The request cannot be read."""


class BadKey(Refusal, status=401):
    """The key is not valid."""


class MethodNotAllowed(Refusal, status=405):
    """This address does not know the method."""


class NotAcceptable(Refusal, status=406):
    """The answer is JSON; accept application/json."""


class BodyTooSlow(Refusal, status=408):
    """The body did not arrive in time. Send it again."""


class BodyTooLarge(Refusal, status=413, members={"limit": int}):
    """The body is larger than 64 KiB."""


class UnsupportedMediaType(Refusal, status=415):
    """Send the body as Content-Type: application/json."""


class KeyReused(Refusal, status=422):
    """This idempotency key belongs to another request; use a new key for each request."""


class Internal(Refusal, status=500, title="Internal error"):
    """Something broke here, not with you."""


class Unavailable(Refusal, status=503):
    """The database is away for a moment; nothing was changed."""


class Overloaded(Unavailable):
    """There is more to do here than can be done. Try again soon."""


class TakesNoWrites(Unavailable):
    """Everything can be read, nothing changed: the disk is full or the database takes no writes."""


def takes_no_writes(error: BaseException) -> bool:
    """It ends as soon as the database takes a write again."""
    return isinstance(error, ReadOnly) or isinstance(error.__cause__, DiskFull)


E = TypeVar("E", bound=Exception)
Translator = Callable[[Any], ProblemResponse]

logger = logging.getLogger(__name__)


def problem_handler(error: Exception, _context: dict[str, Any]) -> HttpResponse | None:
    """REST_FRAMEWORK["EXCEPTION_HANDLER"]; for ``None``, a bug, the framework raises again."""
    return problem_for(error)


def problem_for(error: Exception) -> ProblemResponse | None:
    """The answer for an exception; ``None`` for a bug."""
    cause = next((cause for cause in type(error).__mro__ if cause in TRANSLATORS), None)
    return TRANSLATORS[cause](error) if cause else None


def translates(
    *causes: type[E],
) -> Callable[[Callable[[E], ProblemResponse]], Callable[[E], ProblemResponse]]:
    """Registers the function that answers for such an exception and its subclasses."""

    def register(translator: Callable[[E], ProblemResponse]) -> Callable[[E], ProblemResponse]:
        TRANSLATORS.update(dict.fromkeys(causes, translator))
        return translator

    return register


@csrf_exempt  # there is nothing to forge
def no_such_call(request: HttpRequest, **_: Any) -> HttpResponse:
    """Mounted below the last path of an API: an unknown address there is a problem, not a page."""
    return ProblemResponse(NotFound(gettext("There is no {path} here.").format(path=request.path)))


def server_failed(request: HttpRequest) -> HttpResponse:
    """``handler500``: errors that no view has caught, such as a database lost in a middleware.

    The answer does not say what happened; the log does.
    """
    error = sys.exception()
    problem = problem_for(error) if isinstance(error, Exception) else None
    if request.path.startswith("/api/"):
        return problem or ProblemResponse(Internal())
    if problem is None or problem.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
        return server_error(request)
    page = server_error(request, "503.html")
    page.status_code, page["Retry-After"] = problem.status_code, problem["Retry-After"]
    page._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # by ``problem_for``
    return page


def _as_it_says(refusal: type[Refusal]) -> Translator:
    return lambda error: ProblemResponse(refusal(str(getattr(error, "detail", error))))


def _always(refusal: type[Refusal]) -> Translator:
    return lambda _error: ProblemResponse(refusal())


TRANSLATORS: dict[type[BaseException], Translator] = {
    Refusal: ProblemResponse,
    exceptions.ParseError: _as_it_says(Malformed),
    exceptions.PermissionDenied: _as_it_says(NotAllowed),
    exceptions.MethodNotAllowed: _as_it_says(MethodNotAllowed),
    exceptions.NotAcceptable: _as_it_says(NotAcceptable),
    exceptions.NotFound: _always(NotFound),
    exceptions.UnsupportedMediaType: _always(UnsupportedMediaType),
    Http404: _always(NotFound),
    PermissionDenied: _always(NotAllowed),
    RequestDataTooBig: _always(BodyTooLarge),
    BadRequest: _always(Malformed),
    SuspiciousOperation: _always(Malformed),
}


@translates(exceptions.NotAuthenticated)
def _not_authenticated(error: exceptions.NotAuthenticated) -> ProblemResponse:
    refusal = NotSignedIn("Sign in, or send a key: Authorization: Token <key>.")
    return ProblemResponse(refusal, _challenge(error))


@translates(exceptions.AuthenticationFailed)
def _bad_key(error: exceptions.AuthenticationFailed) -> ProblemResponse:
    return ProblemResponse(BadKey(str(error.detail)), _challenge(error))


@translates(MissingScope)
def _missing_scope(refusal: MissingScope) -> ProblemResponse:
    return ProblemResponse(refusal, refusal.headers)


@translates(exceptions.Throttled)
def _throttled(error: exceptions.Throttled) -> ProblemResponse:
    seconds = math.ceil(getattr(error, "wait", None) or 1)
    refusal = TooManyRequests(gettext("Too many requests. Try again in {n} s.").format(n=seconds))
    return ProblemResponse(refusal, {"Retry-After": str(seconds)})


@translates(DataError)
def _out_of_range(error: DataError) -> ProblemResponse:
    logger.warning("A value reached the database that it cannot hold", exc_info=error)
    return ProblemResponse(Malformed("A value of the request is out of range."))


@translates(InterfaceError, OperationalError)
def _database_is_away(error: Exception) -> ProblemResponse:
    logger.error("The database is away", exc_info=error)
    answer = ProblemResponse(TakesNoWrites() if takes_no_writes(error) else Unavailable())
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # just now
    return answer


def _challenge(error: exceptions.APIException) -> dict[str, str]:
    return {"WWW-Authenticate": getattr(error, "auth_header", "") or "Token"}
