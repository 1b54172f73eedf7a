"""The question to addresses that are not confirmed. Rows say who is to be asked."""

from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.notifications.mail.sending import question, send
from accounts.notifications.models import Choices
from config.tasks.rows import each

MOST_AT_ONCE: Final = 20


def ask_all() -> int:
    """Asks those who are due. One that cannot be sent is asked when the choices are saved again.

    Noted before it is sent: an address of a stranger is asked at most once for one press.
    """
    return sum(each("deliveries", _taken(), _ask, key=lambda row: f"question {row.pk}", whole=True))


@transaction.atomic
def _taken() -> list[Choices]:
    due = Choices.objects.filter(ask_at__lte=timezone.now(), account__is_active=True)
    rows = list(
        due.select_related("account").select_for_update(skip_locked=True, of=("self",))[
            :MOST_AT_ONCE
        ]
    )
    Choices.objects.filter(pk__in=[row.pk for row in rows]).update(
        ask_at=None, asked_at=timezone.now()
    )
    return rows


def _ask(row: Choices) -> bool:
    return bool(row.account.email) and send(question(row.account)).is_good
