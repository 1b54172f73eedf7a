"""What is said at a table, as a stream sends it: read when somebody spoke, once for all readers.

No part of the match's log: nothing of it is sent again to a client that resumes.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

from games.live.listener import Hub, Message
from games.phrases.models import Saying
from games.phrases.selectors import Wanted, matches_with_sayings, said_since


class Talk:
    """The phrases of one match for one reader, in whose words the door renders them."""

    def __init__(
        self,
        match_id: UUID,
        reader: UUID | None,
        render: Callable[[Sequence[Saying]], list[bytes]],
    ) -> None:
        self._match_id, self._reader, self._render = match_id, reader, render
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
        return [Message("said", "", text) for text in self._render(rows)]


def read_talkative(queries: Sequence[None]) -> list[set[UUID]]:
    """The matches at which something was said a moment ago."""
    return [matches_with_sayings()] * len(queries)
