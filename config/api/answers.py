"""Answers that every part of the API gives in one way."""

from typing import Any, Final

from rest_framework.response import Response

ROOT: Final = "/api/v1/"


def accepted(body: Any, path: str) -> Response:
    """202 with the address at which one sees how far it is."""
    return Response(body, status=202, headers={"Location": ROOT + path})


def created(body: Any, path: str) -> Response:
    """201 with the address, below the API's, at which the new thing is read."""
    return Response(body, status=201, headers={"Location": ROOT + path})
