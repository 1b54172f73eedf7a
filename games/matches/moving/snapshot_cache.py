"""Decoded matches that a process keeps, so that a move need not read what its write checks anyway.

A kept match may be old and a kept key may be revoked, so neither is ever an answer by itself: what
is judged by them is written, or read, only where the database still has the same version and time
of change and the key still has the same owner. What they would refuse is judged again by what the
database has. Finished matches and open ones are not kept: their seats, their secrets and who
may learn them change without a new version.
"""

from collections import OrderedDict
from threading import Lock
from typing import Any
from uuid import UUID

from games.matches.selectors.access import MatchAccess, Wanted
from games.matches.snapshot import MatchSnapshot


class SnapshotCache:
    """The ``most`` matches that were used last, and as many keys with their owners."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._matches: OrderedDict[UUID, MatchSnapshot] = OrderedDict()
        self._owners: OrderedDict[tuple[str, str | None], UUID] = OrderedDict()
        self._lock = Lock()

    def find(self, wanted: Wanted) -> MatchAccess | None:
        """The match and the owner of the caller's key, if both are kept."""
        digest, scope = wanted.caller.digest, wanted.caller.scope
        with self._lock:
            match = self._matches.get(wanted.match_id)
            owner = self._owners.get((digest, scope)) if digest else None
            if match is None or owner is None:
                return None
            self._matches.move_to_end(match.id)
            return MatchAccess(match, owner)

    def keep(self, wanted: Wanted, access: MatchAccess) -> None:
        """Keeps what was just read, unless something newer is kept."""
        digest, scope = wanted.caller.digest, wanted.caller.scope
        with self._lock:
            if digest and access.user:
                self._put(self._owners, (digest, scope), access.user)
            kept = self._matches.get(access.match.id)
            if kept is None or _age(kept) <= _age(access.match):
                self._put(self._matches, access.match.id, access.match)
            if access.match.status != "active":
                self._matches.pop(access.match.id, None)

    def _put(self, into: "OrderedDict[Any, Any]", name: Any, value: Any) -> None:
        into[name] = value
        into.move_to_end(name)
        if len(into) > self._most:
            into.popitem(last=False)


def _age(match: MatchSnapshot) -> tuple[Any, ...]:
    return match.version, match.updated_at
