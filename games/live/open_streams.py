"""How many streams are open in this process: of an account, of an address, in all.

Watchers may not take the last places, neither of the process nor of an address: these are kept for
the players of the running match that a stream is about.
"""

from collections import Counter
from typing import Final
from uuid import UUID

from django.conf import settings

from config.api.errors import Unavailable
from games.live.credentials import Credential
from games.live.refusals import TooManyStreams, TooManyStreamsHere

FOR_WATCHERS: Final = 0.75  # of all places


class OpenStreams:
    """Changed in the thread of the event loop, judged in any."""

    def __init__(self) -> None:
        self._of: Counter[UUID | str] = Counter()
        self._at: Counter[str] = Counter()
        self._watching_at: Counter[str] = Counter()

    def judge(self, credential: Credential, *, plays: bool) -> None:
        """Raises a refusal where there are too many."""
        address = credential.address
        if self._of[credential.who] >= (most := settings.LIMITS["streams"]):
            raise TooManyStreams(limit=most)
        most = settings.LIMITS["streams_of_address"]
        if not _is_room(self._at[address], self._watching_at[address], most, plays=plays):
            raise TooManyStreamsHere(limit=most)
        all_, watching = self._at.total(), self._watching_at.total()
        if not _is_room(all_, watching, settings.STREAMS_PER_PROCESS, plays=plays):
            raise Unavailable("There are too many open streams here. Try again in a minute.")

    def add(self, credential: Credential, *, plays: bool) -> None:
        self._of[credential.who] += 1
        self._at[credential.address] += 1
        if not plays:
            self._watching_at[credential.address] += 1

    def remove(self, credential: Credential, *, plays: bool) -> None:
        self._of -= Counter([credential.who])
        self._at -= Counter([credential.address])
        if not plays:
            self._watching_at -= Counter([credential.address])


def _is_room(all_: int, watching: int, most: int, *, plays: bool) -> bool:
    return all_ < most and (plays or watching < max(1, int(most * FOR_WATCHERS)))
