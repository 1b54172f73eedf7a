"""Whatever goes wrong behind the API becomes a problem here, and only here.

Services refuse with `config.refusals.Refused`; an app teaches more with `@translates`. What
nobody has foreseen is a bug: it is logged by Django and answered with 500, never dressed up.
"""

import logging
import math
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from rest_framework import exceptions

from config.api.problems import Problem
from config.refusals import Refused

E = TypeVar("E", bound=Exception)
Translator = Callable[[Any], Problem]

logger = logging.getLogger(__name__)
SECONDS_TILL_RETRY = 2


def problem_handler(error: Exception, _context: dict[str, Any]) -> HttpResponse | None:
    """REST_FRAMEWORK["EXCEPTION_HANDLER"]; None, so a bug, is raised on by the framework."""
    problem = problem_for(error)
    return problem.as_response() if problem else None


def problem_for(error: Exception) -> Problem | None:
    """The problem an exception stands for; None for a bug."""
    cause = next((cause for cause in type(error).__mro__ if cause in TRANSLATORS), None)
    return TRANSLATORS[cause](error) if cause else None


def translates(*causes: type[E]) -> Callable[[Callable[[E], Problem]], Callable[[E], Problem]]:
    """Registers the function that makes a problem of such an exception and its subclasses."""

    def register(translator: Callable[[E], Problem]) -> Callable[[E], Problem]:
        TRANSLATORS.update(dict.fromkeys(causes, translator))
        return translator

    return register


@csrf_exempt  # there is nothing to forge
def no_such_call(request: HttpRequest, **_: Any) -> HttpResponse:
    """Mounted below the last path of an API: an unknown address there is a problem, not a page."""
    return Problem("not_found", f"There is no {request.path} here.").as_response()


def server_failed(request: HttpRequest) -> HttpResponse:
    """`handler500`: what no view has caught, such as a database that went away under a middleware.

    Says nothing of what happened; the log does.
    """
    if not request.path.startswith("/api/"):
        return server_error(request)
    error = sys.exception()
    problem = problem_for(error) if isinstance(error, Exception) else None
    return (problem or Problem("internal", "Something broke here, not with you.")).as_response()


def _as_it_says(code: str) -> Translator:
    return lambda error: Problem(code, str(getattr(error, "detail", error)))


def _always(code: str, sentence: str) -> Translator:
    return lambda _error: Problem(code, sentence)


def _itself(problem: Problem) -> Problem:
    return problem


TRANSLATORS: dict[type[BaseException], Translator] = {
    Problem: _itself,
    exceptions.ParseError: _as_it_says("malformed"),
    exceptions.PermissionDenied: _as_it_says("not_allowed"),
    exceptions.MethodNotAllowed: _as_it_says("method_not_allowed"),
    exceptions.NotAcceptable: _as_it_says("not_acceptable"),
    exceptions.NotFound: _always("not_found", "It is not there, or not yours to see."),
    exceptions.UnsupportedMediaType: _always(
        "unsupported_media_type", "Send the body as Content-Type: application/json."
    ),
    Http404: _always("not_found", "It is not there, or not yours to see."),
    PermissionDenied: _always("not_allowed", "You may not do this."),
    RequestDataTooBig: _always("body_too_large", "The body is larger than 64 KiB."),
    BadRequest: _always("malformed", "The request cannot be read."),
    SuspiciousOperation: _always("malformed", "The request cannot be read."),
}


@translates(Refused)
def _refused(refusal: Refused) -> Problem:
    return Problem(refusal.code, str(refusal), **refusal.extras)


@translates(exceptions.NotAuthenticated)
def _not_authenticated(error: exceptions.NotAuthenticated) -> Problem:
    sentence = "Sign in, or send a key: Authorization: Token <key>."
    return _challenge(Problem("not_authenticated", sentence), error)


@translates(exceptions.AuthenticationFailed)
def _bad_key(error: exceptions.AuthenticationFailed) -> Problem:
    return _challenge(Problem("bad_key", str(error.detail)), error)


@translates(exceptions.Throttled)
def _throttled(error: exceptions.Throttled) -> Problem:
    seconds = math.ceil(getattr(error, "wait", None) or 1)
    problem = Problem("throttled", f"Too many requests. Try again in {seconds} s.")
    return problem.with_headers(Retry_After=str(seconds))


@translates(DataError)
def _out_of_range(error: DataError) -> Problem:
    logger.warning("A value reached the database that it cannot hold", exc_info=error)
    return Problem("malformed", "A value of the request is out of range.")


@translates(InterfaceError, OperationalError)
def _database_is_away(error: Exception) -> Problem:
    logger.error("The database is away", exc_info=error)
    problem = Problem("unavailable", "The database is away for a moment; nothing was changed.")
    return problem.with_headers(Retry_After=str(SECONDS_TILL_RETRY))


def _challenge(problem: Problem, error: exceptions.APIException) -> Problem:
    return problem.with_headers(WWW_Authenticate=getattr(error, "auth_header", "") or "Token")
