"""The page of the OpenAPI document."""

from drf_spectacular.views import SpectacularSwaggerSplitView


class DocsPage(SpectacularSwaggerSplitView):
    """The document to browse; every script and style comes from here (CSP allows no other)."""

    template_name = "games/api/docs.html"
    http_method_names = ("get", "head")  # it describes no page to OPTIONS
