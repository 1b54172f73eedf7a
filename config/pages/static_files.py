"""Static files under names made from their content, with compressed versions beside them."""

from typing import Any, Final

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT: Final = (r'(?P<matched>from "(?P<url>\.[^"]+\.js)";)', 'from "%(url)s";')


class NamedByContent(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Our modules import each other by these names too: a module with two names runs twice."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("games/*.js", (_IMPORT,)))


class QuicklyCompressed(NamedByContent):
    """With gzip alone: brotli saves a sixth more, and takes half a minute of the first start."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
