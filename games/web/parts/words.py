"""Names in a row, as the reader reads them."""

from collections.abc import Sequence

from games.language import reader
from games.rules import text


def joined(names: Sequence[str]) -> str:
    """``Ada, Ben and Cleo``."""
    return text.joined(names).render(reader())
