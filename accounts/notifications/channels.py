"""A cause in the reader's language, and how mail, browsers and programs are sent it.

``FIELDS`` are what a payload may hold. Whatever is not there leaves its sentence out.
"""

import smtplib
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop, ngettext, override

from accounts.audit.models import PersonNotice
from accounts.models import User
from accounts.notifications.choices import CALLS_SHOWN, confirm_token, unsubscribe_token
from accounts.notifications.endpoints import headers_of, vapid
from accounts.notifications.models import Cause, Choices, Delivery, Endpoint, Subscription
from accounts.notifications.outward import Answer, post
from config.club import PLACE, of_pages
from config.offers import offered_by_name
from config.tasks.rows import each

FIELDS: Final = {
    "url": "the path of the page to open",
    "game": "the slug of a game",
    "game_name": "what it is called",
    "match": "the id of a match",
    "version": "its version then",
    "after": "the version that a webhook of a match was told of before",
    "seat": "the seat of the account",
    "deadline_at": "until when it has to act",
    "what": "which of several sentences of a kind is meant",
    "person": "the id of the account that did it; its name is looked up when it is said",
    "challenge": "the id of a challenge",
    "tournament": "the id of a tournament",
    "tournament_name": "its name",
    "round": "its round",
    "notice": "the id of a notice of operators, whose text is looked up",
    "table_notice": "the number of their notice at the table of the match, whose text is too",
}
PATHS: Final = {"friend": "/people", "operator": "/"}

_TITLES: Final = {
    "your_turn": gettext_noop("Your turn in {game_name}"),
    "invitation": gettext_noop("{person} invites you to {game_name}"),
    "challenge": gettext_noop("{person} challenges you to {game_name}"),
    "result won": gettext_noop("You have won at {game_name}"),
    "result lost": gettext_noop("You have lost at {game_name}"),
    "result drawn": gettext_noop("A draw at {game_name}"),
    "result": gettext_noop("Your match of {game_name} is over"),
    "friend asked": gettext_noop("{person} wants to be your friend"),
    "friend accepted": gettext_noop("You and {person} are friends"),
    "tournament": gettext_noop("Round {round} of {tournament_name} has begun"),
    "league up": gettext_noop("You go up in the {game_name} league"),
    "league down": gettext_noop("You go down in the {game_name} league"),
    "league": gettext_noop("The week of the {game_name} league is over"),
    "operator": gettext_noop("The operators have written to you"),
    "operator match": gettext_noop("The operators have written to the players of {game_name}"),
}
_UNTIL: Final = gettext_noop("You have until {time}.")
_NO_LIMIT: Final = gettext_noop("There is no time limit, but somebody waits for you.")


class Message(NamedTuple):
    """``url`` is a path; ``tag`` names what a newer message of the same subject replaces."""

    title: str
    body: str
    url: str
    tag: str


def message_of(cause: Cause, zone: str = "UTC") -> Message:
    """In the language of the account; times in its time zone."""
    with override(cause.account.language), timezone.override(ZoneInfo(zone)):
        values = {"person": _name(cause.payload), **_texts(cause.payload)}
        title = gettext(_title(cause)).format_map(values)
        return Message(title, _body(cause), _path(cause), _tag(cause))


def facts_of(cause: Cause) -> dict[str, Any]:
    """The payload with a person as username and an address that can be opened."""
    facts = {name: value for name, value in cause.payload.items() if name in FIELDS}
    person = _person(cause.payload)
    if "person" in facts:
        facts["person"] = person.username if person else None
    if facts.pop("notice", None) or facts.pop("table_notice", None):
        facts["text"] = _text_of(cause)
    return facts | {"url": absolute(_path(cause))}


def absolute(path: str) -> str:
    return settings.SITE_URL + path


def _title(cause: Cause) -> str:
    own = f"{cause.kind} {cause.payload.get('what', '')}"
    return _TITLES.get(own) or _TITLES[cause.kind]


def _body(cause: Cause) -> str:
    if cause.kind == "operator":
        return _text_of(cause)
    if cause.kind != "your_turn":
        return ""
    deadline = cause.payload.get("deadline_at")
    if deadline is None:
        return gettext(_NO_LIMIT)
    at = timezone.localtime(datetime.fromisoformat(deadline))
    return gettext(_UNTIL).format(time=date_format(at, "DATETIME_FORMAT"))


def _path(cause: Cause) -> str:
    path = str(cause.payload.get("url", "")) or PATHS.get(cause.kind, "/")
    return path if path.startswith("/") and not path.startswith("//") else "/"


def _tag(cause: Cause) -> str:
    names = ("table_notice", "match", "challenge", "tournament", "person", "notice")
    subject = next((cause.payload[name] for name in names if name in cause.payload), cause.pk)
    return f"{cause.kind}-{subject}"


def _texts(payload: Mapping[str, Any]) -> dict[str, str]:
    names = ("game_name", "round", "tournament_name")
    return {name: str(payload.get(name, "")) for name in names}


def _name(payload: Mapping[str, Any]) -> str:
    person = _person(payload)
    return person.display_name if person else gettext("Somebody")


def _person(payload: Mapping[str, Any]) -> User | None:
    named = payload.get("person")
    return User.objects.filter(pk=UUID(named)).first() if named else None


def _text_of(cause: Cause) -> str:
    """Of a notice to this person, or of one that an app above knows."""
    own = PersonNotice.objects.filter(pk=cause.payload.get("notice"), user=cause.account_id)
    for row in own:
        return row.text
    above = offered_by_name("cause_text").get(cause.kind)
    return "" if above is None else str(above(cause.account_id, cause.payload))


# Composing mail in the reader's language, plain and HTML, and sending it.
#
# The name of a message (``Message-ID``) follows from its delivery, so that a mail server that
# gets one twice, because a worker died before it could note the first, can see that it is the
# same.

PERMANENT: Final = range(500, 600)


def mail_call(deliveries: Sequence[Delivery], choices: Choices) -> Callable[[], Answer]:
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
        return _mail(user, gettext("Mail from {club}?").format(club=PLACE.name), "confirm", context)


def _mail(user: User, subject: str, name: str, context: dict[str, Any]) -> EmailMultiAlternatives:
    context |= of_pages()
    text = render_to_string(f"notifications/{name}.txt", context)
    mail = EmailMultiAlternatives(" ".join(subject.split()), text, PLACE.sender, [user.email])
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


# The question to addresses that are not confirmed. Rows say who is to be asked.

MOST_AT_ONCE: Final = 20


def ask_addresses() -> int:
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


# One message to one browser: encrypted for it alone, signed with the key of the service.
#
# A newer message of the same subject replaces one that the push service still holds (``Topic``)
# and one that the browser still shows (``tag``), so a message that is sent twice is seen once.

KEPT: Final = 24 * 3600  # seconds, by the push service while the browser is away
SIGNED_FOR: Final = 3600
LONGEST: Final = 1000  # letters of the body: services take 4096 bytes


def push_call(delivery: Delivery, subscription: Subscription, zone: str) -> Callable[[], Answer]:
    from pywebpush import WebPusher  # here: it brings an HTTP client of ten megabytes

    message = message_of(delivery.cause, zone)
    shown = message._replace(body=message.body[:LONGEST])
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    pusher = WebPusher({"endpoint": subscription.endpoint, "keys": keys})
    encoded = pusher.encode(msgspec.json.encode(shown._asdict()), content_encoding="aes128gcm")
    headers = {
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(KEPT),
        "topic": urlsafe_b64encode(sha256(message.tag.encode()).digest())[:32].decode(),
        "urgency": "normal",
        **_signature(subscription.endpoint),
    }
    body, url = bytes(encoded["body"]), subscription.endpoint
    return lambda: post(url, body, headers)._replace(text="")


def _signature(endpoint: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": settings.VAPID_CONTACT,
        "exp": int(time.time()) + SIGNED_FOR,
    }
    signed: dict[str, str] = vapid(settings.VAPID_PRIVATE_KEY).sign(claims)
    return signed


# The message to a program: the facts of a cause as JSON, signed.


def _more(cause: Cause) -> dict[str, Any]:
    """The facts that are read at the moment of the call, as the account may know it then."""
    more = offered_by_name("cause_facts").get(cause.kind)
    return {} if more is None else more(cause.account_id, cause.payload)


def body_of(cause: Cause, delivery_id: UUID) -> bytes:
    """As the ``webhooks`` of the OpenAPI document describe it."""
    return _encoded(cause, delivery_id, _more(cause))


def _encoded(cause: Cause, delivery_id: UUID, more: Mapping[str, Any]) -> bytes:
    own = f"{cause.kind} {cause.payload.get('what', '')}"
    return msgspec.json.encode(
        {
            "type": cause.kind,
            "event": EVENTS.get(own) or EVENTS.get(cause.kind, cause.kind),
            "id": str(delivery_id),
            "at": cause.created_at,
            "account": cause.account.username,
            "data": {**facts_of(cause), **more},
        }
    )


def shown_call(delivery: Delivery) -> str:
    """The body of a call for the owner of the webhook, a week long: as it would be sent now.

    Of a match without its events, which are read when they are sent, as the account may know them.
    """
    if delivery.created_at < timezone.now() - CALLS_SHOWN:
        return ""
    return _encoded(delivery.cause, delivery.pk, {}).decode()


EVENTS: Final = {
    "invitation": "invited",
    "invitation rematch": "rematch",
    "result": "finished",
    "friend asked": "friend_request",
    "friend accepted": "friend_accepted",
}
"""By kind, and by what it is about, the name of the same news in the stream of an account."""


def event_names(kind: str) -> list[str]:
    """Of a kind; one that stands nowhere is called alike in both."""
    return [name for own, name in EVENTS.items() if own.split(" ")[0] == kind] or [kind]


def webhook_call(delivery: Delivery, endpoint: Endpoint) -> Callable[[], Answer]:
    """The call, ready to be made in a thread that has no database."""
    body = body_of(delivery.cause, delivery.pk)
    url, headers = endpoint.url, headers_of(endpoint, delivery.pk, body)
    return lambda: post(url, body, headers)
