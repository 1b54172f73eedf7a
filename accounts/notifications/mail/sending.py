"""Composing mail in the reader's language, plain and HTML, and sending it.

The name of a message (``Message-ID``) follows from its delivery, so that a mail server that gets
one twice, because a worker died before it could note the first, can see that it is the same.
"""

import smtplib
import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from accounts.models import User
from accounts.notifications.choices import confirm_token, unsubscribe_token
from accounts.notifications.models import Choices, Delivery
from accounts.notifications.outward.calling import Answer
from accounts.notifications.wording import absolute, message_of

PERMANENT: Final = range(500, 600)


def call_of(deliveries: Sequence[Delivery], choices: Choices) -> Callable[[], Answer]:
    """One mail for these, all of one account, ready to be sent in a thread."""
    user = deliveries[0].cause.account
    messages = [message_of(one.cause, choices.time_zone) for one in deliveries]
    with override(user.language):
        subject = messages[0].title
        if len(messages) > 1:
            subject = ngettext("{count} message", "{count} messages", len(messages)).format(
                count=len(messages)
            )
        lines = [one._replace(url=absolute(one.url)) for one in messages]
        stop = absolute(reverse("unsubscribe", args=[unsubscribe_token(user.pk)]))
        context = {"messages": lines, "user": user, "stop": stop, "language": user.language}
        context["choose"] = absolute(reverse("notifications"))
        mail = _mail(user, subject, "mail", context)
    mail.extra_headers |= {
        "Message-ID": f"<{deliveries[0].pk}@{urlsplit(settings.SITE_URL).hostname}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return lambda: send(mail)


def question(user: User) -> EmailMultiAlternatives:
    """Asks the owner of an address whether they want mail of this account."""
    with override(user.language):
        link = absolute(reverse("confirm_address", args=[confirm_token(user)]))
        context = {"user": user, "link": link, "language": user.language}
        return _mail(user, gettext("Mail from Cardroom?"), "confirm", context)


def _mail(user: User, subject: str, name: str, context: dict[str, Any]) -> EmailMultiAlternatives:
    text = render_to_string(f"notifications/{name}.txt", context)
    mail = EmailMultiAlternatives(" ".join(subject.split()), text, to=[user.email])
    mail.attach_alternative(render_to_string(f"notifications/{name}.html", context), "text/html")
    mail.extra_headers = {"Auto-Submitted": "auto-generated"}
    return mail


def send(mail: EmailMultiAlternatives) -> Answer:
    """Never raises. ``status`` is that of SMTP, 250 where it was taken."""
    begun = time.monotonic()
    status, why = _send(mail)
    return Answer(status, why, int((time.monotonic() - begun) * 1000))


def _send(mail: EmailMultiAlternatives) -> tuple[int | None, str]:
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused as refused:
        return next((code for code, _ in refused.recipients.values()), 550), "refused"
    except smtplib.SMTPResponseException as refused:
        return refused.smtp_code, "refused"
    except (OSError, smtplib.SMTPException):
        return None, "no_connection"
    return 250, ""
