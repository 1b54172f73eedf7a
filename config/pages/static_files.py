"""Static files under names made from their content, with compressed versions beside them."""

from collections.abc import Iterator
from typing import Any, Final

from csp.decorators import csp_update
from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe
from django.views.static import serve
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.settings.addresses import DOCUMENTATION_ALSO

_IMPORT: Final = (r'(?P<matched>from "(?P<url>\.[^"]+\.js)";)', 'from "%(url)s";')


class NamedByContent(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our modules import each other by these names too: a module with two names runs twice.

    What may name others is read and written up to six times, so only style sheets and our scripts
    are. Other scripts find their source maps, which are for developers, by the names they had.
    """

    patterns = (CompressedManifestStaticFilesStorage.patterns[0], ("games/*.js", (_IMPORT,)))

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        """Of each file the copy that pages name."""
        yield from super().compress_files(paths - self.hashed_files.keys())


class QuicklyCompressed(NamedByContent):
    """With gzip alone: brotli saves a sixth more, and takes half a minute of the first start."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)


# The built documentation, where `make docs` or the image put it (DOCS_ROOT).
#
# Its pages are the same for everybody and hold no secret. Where nothing was built a page says
# how.

INDEX: Final = "index.html"


@require_safe
@csp_update(DOCUMENTATION_ALSO)
def documentation(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """A page by the address of its folder; what it loads by its name."""
    if not (settings.DOCS_ROOT / INDEX).is_file():
        return render(request, "no_documentation.html", status=404)
    try:
        response = _read(request, path)
    except (OSError, SuspiciousFileOperation) as error:  # a name that is too long; one of above
        raise Http404 from error
    patch_cache_control(response, public=True, max_age=300)
    return response


def _read(request: HttpRequest, path: str) -> HttpResponseBase:
    if not path or path.endswith("/"):
        path += INDEX
    elif (settings.DOCS_ROOT / path / INDEX).is_file():
        return HttpResponseRedirect(f"{request.path_info}/")  # its links start from there
    response = serve(request, path, document_root=str(settings.DOCS_ROOT))
    if isinstance(response, FileResponse):  # as a whole it is compressed on its way
        return HttpResponse(response.getvalue(), headers=response.headers)
    return response
