"""The page for a refusal that the view does not show itself: the reason, and a way back."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from config.api.errors import SECONDS_UNTIL_RETRY
from config.refusals import Refusal
from config.telemetry import requests
from config.words import sentences


class RefusedPage:
    """Middleware for pages; the API answers with problem documents before this sees anything."""

    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refusal):
            return None
        requests.refused(error)
        context = {"sentences": sentences(error)}
        page = render(request, "refused.html", context, status=error.status)
        if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
            page["Retry-After"] = str(SECONDS_UNTIL_RETRY)
        return page
