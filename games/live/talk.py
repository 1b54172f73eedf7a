"""What is said at a table, as a stream sends it: read when somebody spoke, once for all readers.

No part of the match's log: nothing of it is sent again to a client that resumes.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec
from django.utils.translation import get_language, override

from games.absent import rules_of
from games.language import words
from games.live.listener import Hub, Message
from games.phrases.models import Saying
from games.phrases.selectors import Wanted, matches_with_sayings, said_since
from games.phrases.sentences import find


class SaidMessage(msgspec.Struct, frozen=True):
    """Somebody said something at the table; ``text`` is it in the reader's language.

    ``picture`` is a sign, whose name is the text; empty for a sentence.
    """

    type: Literal["said"]
    seat: int
    phrase: str
    text: str
    picture: str
    at: datetime


class Talk:
    """The phrases of one match for one reader. Made in the thread of the request."""

    def __init__(self, match_id: UUID, game: str, version: int, reader: UUID | None) -> None:
        self._match_id, self._reader = match_id, reader
        self._rules = rules_of(game, version)
        self._language = get_language() or "en"
        self._last = 0
        self.is_due = True  # what was said a moment ago

    async def messages(self, hub: Hub) -> list[Message]:
        if not self.is_due:
            return []
        self.is_due = False
        wanted = Wanted(self._match_id, self._reader, self._last)
        try:
            rows: list[Saying] = await hub.feed.read(said_since, wanted)
        except BaseException:
            self.is_due = True
            raise
        if rows:
            self._last = rows[-1].id
        with override(self._language):
            sent = [message for row in rows if (message := self.message(row))]
        return [Message("said", "", encode(message)) for message in sent]

    def message(self, row: Saying) -> SaidMessage | None:
        """In the active language; None for a phrase that the game has no more."""
        offered = find(self._rules, row.phrase)
        if offered is None:
            return None
        text = words(offered.words)
        return SaidMessage("said", row.seat, row.phrase, text, offered.picture, row.at)


encode = msgspec.json.Encoder().encode


def read_talkative(queries: Sequence[None]) -> list[set[UUID]]:
    """The matches at which something was said a moment ago."""
    return [matches_with_sayings()] * len(queries)
