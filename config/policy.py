"""What a page may load. Only the admin's own theme needs more than our files."""

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

ADMIN = {"script-src": [UNSAFE_EVAL, UNSAFE_INLINE], "style-src": [UNSAFE_INLINE]}


class ContentSecurityPolicy(CSPMiddleware):
    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path_info.startswith("/admin/"):
            response._csp_update = ADMIN  # type: ignore[attr-defined]
        return super().process_response(request, response)
