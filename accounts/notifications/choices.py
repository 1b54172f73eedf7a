"""Choices of an account: its notifications and channels, quiet hours, unsubscribing.

An address is written to only after its owner has confirmed it, so nobody can have another person
written to. Asking it is a row too (``ask_at``): a request waits for no mail server.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext

from accounts.locking import locked_accounts
from accounts.models import User
from accounts.notifications.models import (
    Attempt,
    Cause,
    Choices,
    Delivery,
    Endpoint,
    Subscription,
)
from accounts.notifications.refusals import BadChoices, ChannelIsOff, NoAddress
from config.tasks.duties import Duty

MORNING: Final = time(8)
ASKED_AGAIN_AFTER: Final = timedelta(hours=1)
LINK_HOLDS: Final = timedelta(days=3)
_CONFIRM: Final = "accounts.notifications.confirm"
_UNSUBSCRIBE: Final = "accounts.notifications.unsubscribe"


def choices_of(account: UUID) -> Choices:
    """Unsaved where nothing was ever chosen: then in the time zone of the place."""
    known = Choices.objects.filter(account=account).first()
    return known or Choices(account_id=account, time_zone=settings.CLUB["time_zone"])


def change(*, user: User, **changes: Any) -> Choices:
    """Keeps what is named. Raises ``BadChoices``, ``ChannelIsOff`` or ``NoAddress``."""
    with locked_accounts(user.pk):
        row = choices_of(user.pk)
        before = {*row.mail, *row.daily}, {*row.push}
        for name, value in changes.items():
            setattr(row, name, _plain(value) if isinstance(value, list | tuple) else value)
        _check(row)
        mail, push = {*row.mail, *row.daily}, {*row.push}
        _check_channels(user, wants_mail=bool(mail - before[0]), wants_push=bool(push - before[1]))
        if mail:
            _see_to_address(row, user)
        row.save()
    return row


def may_be_mailed(choices: Choices, user: User) -> bool:
    """Whether the account's present address is the one that was confirmed."""
    return bool(user.email) and choices.mail_address == user.email


def quiet_until(choices: Choices, now: datetime) -> datetime | None:
    """The end of the quiet hours that last now."""
    begin, end = choices.quiet_from, choices.quiet_until
    if begin is None or end is None or begin == end:
        return None
    here = timezone.localtime(now, ZoneInfo(choices.time_zone))
    clock = here.time()
    within = begin <= clock < end if begin < end else clock >= begin or clock < end
    return _next(choices, now, end) if within else None


def next_daily(choices: Choices, now: datetime) -> datetime:
    return _next(choices, now, choices.daily_at or MORNING)


def _next(choices: Choices, now: datetime, at: time) -> datetime:
    """The next moment of this time of day, where the account is."""
    here = timezone.localtime(now, ZoneInfo(choices.time_zone))
    then = here.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0, fold=0)
    return then if then > here else then + timedelta(days=1)


def confirm_token(user: User) -> str:
    return signing.dumps([str(user.pk), user.email], salt=_CONFIRM)


def confirm(token: str) -> bool:
    """The owner of an address agrees. False for a link that is too old or of another address."""
    try:
        account, email = signing.loads(token, salt=_CONFIRM, max_age=LINK_HOLDS)
    except signing.BadSignature:
        return False
    user = User.objects.filter(pk=account, email=email, is_active=True).first()
    if user is None or not email:
        return False
    return bool(Choices.objects.filter(account=user).update(mail_address=email))


def unsubscribe_token(account: UUID) -> str:
    return signing.dumps(str(account), salt=_UNSUBSCRIBE)


def account_of(token: str) -> UUID | None:
    """The account of a link in a mail; it holds for ever, and for this alone."""
    try:
        return UUID(signing.loads(token, salt=_UNSUBSCRIBE))
    except signing.BadSignature:
        return None


def end_mail(account: UUID) -> None:
    """No mail of any kind any more."""
    Choices.objects.filter(account=account).update(mail=[], daily=[], ask_at=None)


def _plain(kinds: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(kinds))


def _check(row: Choices) -> None:
    faults = []
    if row.time_zone not in available_timezones():
        faults.append(gettext("There is no such time zone."))
    if (row.quiet_from is None) is not (row.quiet_until is None):
        faults.append(gettext("Quiet hours have a beginning and an end."))
    if {*row.mail} & {*row.daily}:
        faults.append(gettext("Mail comes at once or once a day."))
    if faults:
        raise BadChoices(faults[0], faults=faults)


def _check_channels(user: User, *, wants_mail: bool, wants_push: bool) -> None:
    has_push = bool(settings.VAPID_PRIVATE_KEY)
    if (wants_mail and not settings.MAIL_IS_SET_UP) or (wants_push and not has_push):
        raise ChannelIsOff
    if wants_mail and not user.email:
        raise NoAddress


def _see_to_address(row: Choices, user: User) -> None:
    """Asks the owner of an address that is not confirmed, at most once an hour."""
    if may_be_mailed(row, user) or not user.email:
        return
    if EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists():
        row.mail_address = user.email
        return
    now, last = timezone.now(), row.asked_at
    row.ask_at = max(now, last + ASKED_AGAIN_AFTER) if last else now


# Data of an account that are kept here: handing them out, deleting them, also when too old.


def data_of(account: UUID) -> dict[str, Any]:
    """As plain values; the secrets of webhooks and browsers stay here."""
    row = choices_of(account)
    names = ("mail", "daily", "push", "mail_address", "time_zone")
    times = ("quiet_from", "quiet_until", "daily_at")
    causes = Cause.objects.filter(account=account).order_by("id")
    deliveries = Delivery.objects.filter(cause__account=account).order_by("id")
    return {
        "choices": {name: getattr(row, name) for name in names + times},
        "webhooks": list(
            Endpoint.objects.filter(account=account).values("id", "name", "url", "kinds", "topic")
        ),
        "browsers": list(
            Subscription.objects.filter(account=account).values("browser", "created_at")
        ),
        "messages": list(causes.values("kind", "created_at")),
        "deliveries": list(deliveries.values("channel", "state", "created_at", "done_at")),
    }


def forget(account: UUID) -> None:
    for model in (Cause, Choices, Endpoint, Subscription):
        model.objects.filter(account=account).delete()


CALLS_SHOWN: Final = timedelta(days=7)


def forget_old() -> int:
    """Deletes causes that nobody waits for any more; how many. Answers of webhooks go sooner."""
    answered = Attempt.objects.filter(at__lt=timezone.now() - CALLS_SHOWN).exclude(answer="")
    answered.update(answer="")
    days = settings.RETENTION["notifications"]
    if not days:
        return 0
    old = Cause.objects.filter(created_at__lt=timezone.now() - timedelta(days=days))
    waiting = Delivery.objects.filter(state="waiting").values("cause")
    return old.exclude(pk__in=waiting).exclude(routed_at=None).delete()[0]


FORGOTTEN: Final = Duty(name="old notifications", piece=forget_old, every=3600)
