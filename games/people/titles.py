"""What a person has achieved, in a few words. An app that gives titles declares ``titles_of`` on
its ``AppConfig``: a function from an account's id to these.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from accounts.social.selectors import privacy_of
from cardroom.rules.text import Words
from config.offers import offered


class Title(NamedTuple):
    """``slug`` is stored nowhere and sent: a kind of titles, each of a game."""

    slug: str
    game: str
    words: Words


def titles_for(reader: UUID | None, account: UUID) -> Sequence[Title]:
    """The titles of a person as the reader may see them; the person sees them always."""
    if reader != account and privacy_of(account).hides_titles:
        return ()
    return [title for function in offered("titles_of") for title in function(account)]
