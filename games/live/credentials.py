"""The credential of a listener, and whether it is still valid.

A stream may stay open for days, so keys, sessions and accounts are looked up again meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.selectors import valid_keys
from config.api.scopes import Scope

SCOPE: Scope = "read"


@dataclass(frozen=True)
class Credential:
    """A key by its digest, or a browser's session with the hash that it remembers; or nobody."""

    user: UUID | None = None
    digest: str | None = None
    session: str | None = None
    session_hash: str = ""
    address: str = ""

    @property
    def who(self) -> UUID | str:
        """The account or address that a stream is counted for."""
        return self.user or self.address


def session_credential(request: HttpRequest, address: str) -> Credential:
    """The credential of a page's visitor, who may be nobody."""
    user = request.user
    if not isinstance(user, User):
        return Credential(address=address)
    session, hashed = request.session.session_key, user.get_session_auth_hash()
    return Credential(user.pk, session=session, session_hash=hashed, address=address)


def still_valid(credentials: Sequence[Credential]) -> list[bool]:
    """Whether each would be let in now. Three queries at most, whatever their number."""
    keys = _keys([one.digest for one in credentials if one.digest])
    sessions = _sessions([one.session for one in credentials if one.session])
    users = _session_hashes([one.user for one in credentials if one.session and one.user])

    def holds(one: Credential) -> bool:
        if one.digest:
            return (one.digest, one.user) in keys
        if one.session:
            return one.session in sessions and users.get(one.user) == one.session_hash
        return one.user is None

    return [holds(one) for one in credentials]


def _keys(digests: list[str]) -> set[tuple[str, UUID]]:
    if not digests:
        return set()
    keys = valid_keys().filter(digest__in=digests, scopes__contains=[SCOPE])
    return set(keys.values_list("digest", "user_id"))


def _sessions(keys: list[str]) -> set[str]:
    if not keys:
        return set()
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(sessions.values_list("session_key", flat=True))


def _session_hashes(ids: list[UUID]) -> dict[UUID | None, str]:
    if not ids:
        return {}
    users = User.objects.filter(id__in=ids, is_active=True).only("id", "password")
    return {user.pk: user.get_session_auth_hash() for user in users}
