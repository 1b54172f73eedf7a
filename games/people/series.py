"""The series of a person over rematches. The app that keeps them declares ``series_of`` on its
``AppConfig``: a function from the ids of an account and its reader to these, newest first.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from config.offers import offered


class Series(NamedTuple):
    """``own`` and ``other`` are matches won; ``match`` is the last one.

    ``opponent`` is the name that the reader may see.
    """

    game: str
    opponent: str
    own: int
    other: int
    match: UUID | None
    at: datetime


def series_of(account: UUID, reader: UUID | None) -> list[Series]:
    return [one for function in offered("series_of") for one in function(account, reader)]
