"""Names in a row and sentences, as the reader reads them."""

from collections.abc import Sequence

from cardroom.rules import text
from games.language import reader


def joined(names: Sequence[str]) -> str:
    """``Ada, Ben and Cleo``."""
    return text.joined(names).render(reader())


def sentence(clause: str) -> str:
    """With its full stop, as it is read aloud between others."""
    return clause if clause.endswith((".", "!", "?", "…")) else f"{clause}."
