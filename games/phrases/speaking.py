"""Saying something at a table, not reading somebody, and taking the phrases from a person."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.models import User
from accounts.services.locking import locked_accounts
from accounts.suspensions import refusal_of
from config.refusals import NotAllowed, Refusal
from config.tasks import after_commit
from config.tasks.duties import Duty
from games.matches.refusals import NoSuchMatch
from games.matches.selectors.access import Caller, find_match
from games.matches.snapshot import MatchSnapshot
from games.phrases.announcements import announce_saying
from games.phrases.models import Mute, Saying, Silence
from games.phrases.refusals import (
    NobodyListens,
    NobodyToMute,
    NoSuchPhrase,
    Silenced,
    TableIsLeft,
    TooManyPhrases,
)
from games.phrases.selectors import MINUTE, may_speak, silence_of
from games.phrases.sentences import find

SHOWN: Final = timedelta(seconds=4)  # the same again while it is shown is the same
AFTERWARDS: Final = timedelta(minutes=10)
KEPT: Final = timedelta(days=1)


class AlreadySilenced(Refusal, status=409):
    """This person is silenced already."""


def speak(*, match_id: UUID, user: User, phrase: str) -> Saying:
    """Says a phrase at the user's seat. The same once more within four seconds is one saying."""
    match = visible(match_id, user.pk)
    _judge(match, user, phrase)
    with locked_accounts(user.pk) as active:
        if user.pk not in active:
            raise refusal_of(user.pk)
        now = timezone.now()
        lately = list(Saying.objects.filter(account=user, at__gt=now - MINUTE).order_by("-id"))
        for row in lately:
            if (row.match_id, row.phrase) == (match_id, phrase) and row.at > now - SHOWN:
                return row
        if len(lately) >= (most := settings.LIMITS["phrases"]):
            raise TooManyPhrases(limit=most)
        seat = match.seats_of(user.pk)[0]
        row = Saying.objects.create(
            match_id=match_id, seat=seat, account=user, phrase=phrase, at=now
        )
        after_commit.when_committed(lambda: announce_saying(match_id))
    return row


def visible(match_id: UUID, user: UUID | None) -> MatchSnapshot:
    """Raises NoSuchMatch."""
    access = find_match(match_id, Caller(user=user))
    if access is None or not access.match.is_visible_to(user):
        raise NoSuchMatch
    return access.match


def _judge(match: MatchSnapshot, user: User, phrase: str) -> None:
    if not match.seats_of(user.pk):
        raise NotAllowed("Only the players speak at a table.")
    if not settings.CLUB["phrases"]:
        raise NotAllowed("Nobody says anything at tables here at the moment.")
    if not may_speak(match, user.pk):
        raise NobodyListens
    if match.finished_at is not None and match.finished_at < timezone.now() - AFTERWARDS:
        raise TableIsLeft
    if find(match.rules, phrase) is None:
        raise NoSuchPhrase
    if silence := silence_of(user.pk):
        raise Silenced(until=silence.until)


def mute(*, match_id: UUID, user: User, seat: int | None) -> None:
    """The user reads nothing more of the person on a seat; without one, of anybody. Again too."""
    Mute.objects.get_or_create(owner=user, muted_id=_person(match_id, user, seat))


def unmute(*, match_id: UUID, user: User, seat: int | None) -> None:
    """The user reads them again; it is no error if they were not muted."""
    Mute.objects.filter(owner=user, muted=_person(match_id, user, seat)).delete()


def _person(match_id: UUID, user: User, seat: int | None) -> UUID | None:
    match = visible(match_id, user.pk)
    if seat is None:
        return None
    person = match.seats[seat].user_id if seat < len(match.seats) else None
    if person is None or person == user.pk:
        raise NobodyToMute
    return person


def silence(*, user_id: UUID, by: Actor, until: datetime | None) -> str:
    """Takes the phrases from a person until a time or for good."""
    user = User.objects.get(pk=user_id)
    with locked_accounts(user_id):
        now = timezone.now()
        Silence.objects.filter(account=user, lifted_at=None, until__lte=now).update(lifted_at=now)
        if Silence.objects.filter(account=user, lifted_at=None).exists():
            raise AlreadySilenced
        row = Silence.objects.create(account=user, until=until, reason=by.reason, by=by.name)
        log.record(by, "silence", "person", user_id, user.username, until=str(row))
    return f"Silenced {row}."


def lift_silence(*, user_id: UUID, by: Actor) -> str:
    user = User.objects.get(pk=user_id)
    with locked_accounts(user_id):
        running = Silence.objects.filter(account=user, lifted_at=None)
        if not running.update(lifted_at=timezone.now()):
            raise AlreadySilenced("This person is not silenced.")
        log.record(by, "lift_silence", "person", user_id, user.username)
    return "The person may speak again."


def forget() -> int:
    """Forgets what was said a day ago."""
    return Saying.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]


FORGOTTEN: Final = Duty(name="old phrases", piece=forget, every=600)
