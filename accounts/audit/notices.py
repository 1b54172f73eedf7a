"""Messages of operators to one person: sent in the admin, shown until they are read."""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.audit import log
from accounts.audit.log import Actor
from accounts.audit.models import PersonNotice
from accounts.models import User
from accounts.refusals import NoSuchNotice
from config.refusals import Refusal

NOTICE_LENGTH: Final = 500
SHOWN: Final = 50


class NothingToSay(Refusal, status=422):
    """Write what the person is to read, in at most 500 characters."""


def send(*, user: User, by: Actor, text: str) -> PersonNotice:
    text = text.strip()
    if not 0 < len(text) <= NOTICE_LENGTH:
        raise NothingToSay
    with transaction.atomic():
        log.record(by, "message_person", "person", user.pk, user.username, text=text)
        return PersonNotice.objects.create(user=user, text=text)


def notices_of(user: User) -> QuerySet[PersonNotice]:
    """Read ones too, newest first."""
    return PersonNotice.objects.filter(user=user)[:SHOWN]


def unread_by(user: User) -> QuerySet[PersonNotice]:
    return PersonNotice.objects.filter(user=user, read_at=None)[:SHOWN]


def mark_read(*, user_id: UUID, notice_id: UUID) -> None:
    """Raises ``NoSuchNotice``; a notice that was read before stays as it is."""
    own = PersonNotice.objects.filter(pk=notice_id, user_id=user_id)
    if not own.filter(read_at=None).update(read_at=timezone.now()) and not own.exists():
        raise NoSuchNotice
