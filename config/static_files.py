"""Static files under names made from their content, with compressed versions beside them."""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class QuicklyCompressed(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """With gzip alone: brotli saves a sixth more, and takes half a minute of the first start."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
