"""Takes the name of an erased person out of the audit log; the entries stay, with the id.

The only change that the log allows (migration 0004): a name in a subject becomes ``ERASED_NAME``.
"""

import re
from typing import Final

from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet

from accounts.audit.models import Entry
from accounts.models import User

ERASED_NAME: Final = "Deleted player"
SUBJECT_LENGTH: Final = 120


def forget(user: User) -> None:
    """In the entries about the person, and in Django's own log from before there was this one."""
    Entry.objects.filter(subject_type="person", subject_id=str(user.pk)).update(subject=ERASED_NAME)
    LogEntry.objects.filter(object_id=str(user.pk)).update(
        object_repr=ERASED_NAME, change_message=""
    )


def forget_name(name: str, entries: QuerySet[Entry]) -> None:
    """In the subjects of entries about matches: the game, a colon and the names of the seats."""
    whole = re.compile(rf"(?<=[:,] ){re.escape(name)}(?=, |$)")
    for pk, subject in entries.filter(subject__contains=name).values_list("pk", "subject"):
        if whole.search(subject):
            Entry.objects.filter(pk=pk).update(subject=_shortened(whole.sub(ERASED_NAME, subject)))


def _shortened(subject: str) -> str:
    """Cut to the length of the column; the end still says that a name was erased."""
    if len(subject) <= SUBJECT_LENGTH:
        return subject
    return f"{subject[: SUBJECT_LENGTH - len(ERASED_NAME) - 2]}, {ERASED_NAME}"
