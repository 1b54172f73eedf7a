"""Problems as text, for people with a terminal or a screen reader: ``Accept: text/plain``."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.api.problems import ProblemResponse

Handler = Callable[[HttpRequest], HttpResponseBase]
TEXT: Final = "text/plain"
OF_EVERY_PROBLEM: Final = ("type", "title", "status", "code", "detail", "request_id")


def prefers_text(request: HttpRequest) -> bool:
    """Whether the caller would rather read text than JSON; of equals JSON goes first."""
    if TEXT not in request.headers.get("Accept", ""):
        return False  # nearly every program
    return request.get_preferred_type(["application/json", TEXT]) == TEXT


def problems_as_text(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, ProblemResponse) and prefers_text(request):
            problem = msgspec.json.decode(response.content)
            response.content = "\n".join((*_lines(problem), "")).encode()
            response["Content-Type"] = f"{TEXT}; charset=utf-8"
        return response

    return middleware


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
