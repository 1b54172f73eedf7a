"""Pages of other sites that call the API with a key or a token; ``CORS_ORIGINS`` names them.

They never act with a cookie: browsers are not allowed to send one along (there are no credentials
in the answers), and one that arrives all the same is taken off the request.
"""

from urllib.parse import urlsplit

from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import is_same_domain


class OtherSites(CorsMiddleware):
    """For requests that browsers mark as another site's; all others pass by unchanged."""

    async_capable = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "Origin" not in request.headers:
            response: HttpResponseBase = self.get_response(request)  # type: ignore[assignment]
            if "public" in response.get("Cache-Control", "") and self.is_enabled(request):
                patch_vary_headers(response, ("origin",))  # as the same answer to another site has
            return response
        if self.is_enabled(request) and not _is_own(request):
            request.COOKIES = {}
            request.META.pop("HTTP_COOKIE", None)
        return super().__call__(request)  # type: ignore[return-value]


def headers_for(origin: str, path: str) -> dict[str, str]:
    """Those of an answer that is given in front of Django, so that the page can read it."""
    request, answer = HttpRequest(), HttpResponse()
    request.path_info, request.META["HTTP_ORIGIN"] = path, origin
    del answer["Content-Type"]
    OtherSites(lambda _request: answer).add_response_headers(request, answer)
    return dict(answer.items())


def _is_own(request: HttpRequest) -> bool:
    """Whether the page is one of this service; the check of forms looks more closely."""
    try:
        origin = urlsplit(request.headers["Origin"])
    except ValueError:
        return False
    trusted = [urlsplit(one) for one in settings.CSRF_TRUSTED_ORIGINS]
    return origin.netloc == request.get_host() or any(
        origin.scheme == one.scheme and is_same_domain(origin.netloc, one.netloc.lstrip("*"))
        for one in trusted
    )
