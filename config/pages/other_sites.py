"""Pages of other sites that call the API with a key, where ``CORS_ORIGINS`` names them."""

from corsheaders.middleware import CorsMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OtherSites(CorsMiddleware):
    """For requests that browsers mark as another site's; all others pass by unchanged."""

    async_capable = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "Origin" not in request.headers:
            return self.get_response(request)  # type: ignore[return-value]
        return super().__call__(request)  # type: ignore[return-value]
