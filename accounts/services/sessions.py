"""Browsers in which a person is signed in: what the account page lists, and what ends one.

Django's sessions name no account and no last use, so each has a row beside it, written when a
session is used and once an hour after that. A session that is over leaves its row to the night.
"""

import time
from collections.abc import Mapping
from datetime import datetime
from hmac import compare_digest
from typing import Final
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import DEVICE_LENGTH, BrowserSession, User
from accounts.services.keys import RECORDED_EVERY

REMEMBERED: Final = 10_000  # sessions of which this process knows that they are recorded
BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("YaBrowser/", "Yandex Browser"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)

_recorded: dict[str, float] = {}


def record_use(session: SessionBase, agent: str) -> None:
    """Records that a signed-in browser is in use, once an hour instead of once a request."""
    key, now = session.session_key, time.monotonic()
    if key is None or now - _recorded.get(key, -1e9) < RECORDED_EVERY.total_seconds():
        return
    if len(_recorded) >= REMEMBERED:
        _recorded.clear()
    _recorded[key] = now
    row = BrowserSession(
        session_key=key, user_id=UUID(session[SESSION_KEY]), device=device_of(agent)
    )
    BrowserSession.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["session_key"],
        update_fields=["user", "device", "last_used_at"],
    )


def sessions_of(user: User) -> list[BrowserSession]:
    """Those that still sign the person in, the last used one first."""
    rows = BrowserSession.objects.filter(user=user)
    living = Session.objects.filter(
        session_key__in=rows.values("session_key"), expire_date__gt=timezone.now()
    )
    facts = {session.session_key: session.get_decoded() for session in living}
    return [row for row in rows if _signs_in(user, facts.get(row.session_key, {}))]


def end(*, user: User, session_id: UUID) -> None:
    """Signs one browser out; again is no error."""
    for row in BrowserSession.objects.filter(user=user, pk=session_id):
        Session.objects.filter(session_key=row.session_key).delete()
        row.delete()


def forget_sessions(user: User) -> None:
    """Signs every browser out."""
    rows = BrowserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=rows.values("session_key")).delete()
    rows.delete()


def forget_ended(before: datetime) -> int:
    """Sessions that expired, and rows of those that are over. Called every night."""
    gone = Session.objects.filter(expire_date__lt=before).delete()[0]
    theirs = Session.objects.filter(session_key=OuterRef("session_key"))
    BrowserSession.objects.filter(~Exists(theirs), last_used_at__lt=before).delete()
    return gone


def device_of(agent: str) -> str:
    """Browser and system in the words of people: `Firefox, Linux`. Empty where it says neither."""
    named = (
        next((name for sign, name in known if sign in agent), "") for known in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))[:DEVICE_LENGTH]


def _signs_in(user: User, facts: Mapping[str, str]) -> bool:
    """Whether Django takes the session for this person's: a new password ends all others."""
    given = facts.get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return facts.get(SESSION_KEY) == str(user.pk) and any(
        compare_digest(given, known) for known in hashes
    )
