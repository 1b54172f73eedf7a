"""Answers that are the same in every part of the API."""

from typing import Any, Final

from rest_framework.response import Response

ROOT: Final = "/api/v1/"


def accepted(body: Any, path: str) -> Response:
    """202 with the address, below the API's, at which the progress can be read."""
    return Response(body, status=202, headers={"Location": ROOT + path})


def created(body: Any, path: str) -> Response:
    """201 with the address, below the API's, at which the new thing can be read."""
    return Response(body, status=201, headers={"Location": ROOT + path})
