"""Exceptions behind the API become problem responses here, and only here.

Services refuse with ``config.refusals.Refusal``; an app adds a translator with ``@translates``.
Any other exception is a bug: Django logs it and answers 500.
"""

import logging
import math
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

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
from rest_framework import exceptions

from config.api import refusals
from config.api.problems import ProblemResponse
from config.api.scopes import MissingScope
from config.refusals import NotAllowed, NotFound, NotSignedIn, Refusal, TooManyRequests

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
        return problem or ProblemResponse(refusals.Internal())
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
    exceptions.ParseError: _as_it_says(refusals.Malformed),
    exceptions.PermissionDenied: _as_it_says(NotAllowed),
    exceptions.MethodNotAllowed: _as_it_says(refusals.MethodNotAllowed),
    exceptions.NotAcceptable: _as_it_says(refusals.NotAcceptable),
    exceptions.NotFound: _always(NotFound),
    exceptions.UnsupportedMediaType: _always(refusals.UnsupportedMediaType),
    Http404: _always(NotFound),
    PermissionDenied: _always(NotAllowed),
    RequestDataTooBig: _always(refusals.BodyTooLarge),
    BadRequest: _always(refusals.Malformed),
    SuspiciousOperation: _always(refusals.Malformed),
}


@translates(exceptions.NotAuthenticated)
def _not_authenticated(error: exceptions.NotAuthenticated) -> ProblemResponse:
    refusal = NotSignedIn("Sign in, or send a key: Authorization: Token <key>.")
    return ProblemResponse(refusal, _challenge(error))


@translates(exceptions.AuthenticationFailed)
def _bad_key(error: exceptions.AuthenticationFailed) -> ProblemResponse:
    return ProblemResponse(refusals.BadKey(str(error.detail)), _challenge(error))


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
    return ProblemResponse(refusals.Malformed("A value of the request is out of range."))


@translates(InterfaceError, OperationalError)
def _database_is_away(error: Exception) -> ProblemResponse:
    logger.error("The database is away", exc_info=error)
    answer = ProblemResponse(refusals.Unavailable())
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # just now
    return answer


def _challenge(error: exceptions.APIException) -> dict[str, str]:
    return {"WWW-Authenticate": getattr(error, "auth_header", "") or "Token"}
