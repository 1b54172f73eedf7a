"""Settings without a restart, announcements, maintenance, read-only: stored, and sent to everybody.

Every process holds all of it in its memory: a thread learns of a change through Valkey, or looks
each second while Valkey is away. So a reader asks neither server, and the path of a move costs a
look into a dictionary. What ends at a time ends by itself.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import formataddr, parseaddr
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

import structlog
from celery.signals import worker_init
from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from redis.exceptions import RedisError

from config import version
from config.api.errors import ProblemResponse, Unavailable
from config.counting import PATIENCE
from config.models import Announcement, SettingChange
from config.offers import offered
from config.pictures import drawn_logo
from config.refusals import NotAllowed, Refusal
from config.settings.club import SERVICE, WHO, Setting, every_setting
from config.settings.limits import Changeable
from config.tasks import after_commit
from config.valkey import valkey_client

CHANNEL: Final = "club:changed"
SECONDS_TO_LOOK_ANYWAY: Final = 60.0
CLOSED: Final = "closed-announcements"  # the cookie of a browser
CLOSED_AT_MOST: Final = 20
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
STILL_WRITES: Final = ("/admin/", "/accounts/login/", "/accounts/logout/", "/accounts/2fa/")
"""The paths on which operators end what they began, and the way there."""

log = structlog.get_logger(__name__)


class BadSetting(Refusal, status=422):
    """A setting cannot have this value."""


class Maintenance(Unavailable):
    """No match begins during maintenance."""


class OnlyReading(Unavailable):
    """The service can only be read at the moment."""


# --- Settings

REGISTRY: Final[Mapping[str, Setting]] = {
    one.name: one for one in every_setting(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"])
}


def groups() -> dict[str, dict[str, Any]]:
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    return {
        "club": settings.CLUB,
        "limits": settings.LIMITS,
        "rates": rates,
        "retention": settings.RETENTION,
    }


def value(name: str) -> Any:
    one = REGISTRY[name]
    return groups()[one.group][one.key]


def default(name: str) -> Any:
    """The value of the environment."""
    one = REGISTRY[name]
    values = groups()[one.group]
    return (values.usual if isinstance(values, Changeable) else values)[one.key]


def check(name: str, given: Any) -> Any:
    """The value as it is stored; raises ``BadSetting`` with what is allowed."""
    one = REGISTRY.get(name)
    if one is None:
        raise BadSetting(f"There is no setting {name}.")
    try:
        parsed = one.kind.parse(drawn_logo(given) if isinstance(given, bytes) else given)
    except (ValueError, TypeError, OverflowError):
        raise BadSetting(f"{one.title}: {one.kind.allowed}.") from None
    if one.kind.known:
        known = [slug for slugs in offered(one.kind.known) for slug in slugs()]
        if strange := [slug for slug in parsed if slug not in known]:
            raise BadSetting(f"{one.title}: there is no {', '.join(strange)}; {', '.join(known)}.")
    if (name, parsed) == ("club.registration", "confirmed") and not settings.MAIL_IS_SET_UP:
        raise BadSetting(f"{one.title}: mail is not set up (EMAIL_URL); open, invited or closed.")
    return parsed


def change(*, name: str, given: Any, by: str) -> tuple[Any, Any]:
    """Sets it for every process; what it was before, and is now. Raises ``BadSetting``."""
    parsed = check(name, given)
    return _write(name, parsed, by)


def put_back(*, name: str, by: str) -> tuple[Any, Any]:
    """As it is in the environment."""
    return _write(name, None, by)


def _write(name: str, stored: Any, by: str) -> tuple[Any, Any]:
    """A time that is emptied is that of the environment, which has none."""
    with transaction.atomic():
        newest = SettingChange.objects.select_for_update().filter(name=name).first()
        before = default(name) if newest is None or newest.value is None else newest.value
        now = default(name) if stored is None else stored
        is_of_environment = newest is None or newest.value is None
        if now == before and (stored is None) == is_of_environment:
            raise BadSetting(f"{REGISTRY[name].title}: it is so already.")
        if newest is not None or stored is not None:
            SettingChange.objects.create(name=name, value=stored, by=by)
        if name == "club.read_only_until" and stored:
            pause = moment(stored) - max(timezone.now(), moment(before))
            for extend in offered("clocks_stand_still"):
                extend(max(pause, timedelta()))
        tell()
    return before, now


def put_back_to(*, name: str, row: str, by: str) -> tuple[Any, Any]:
    """As it was by this row of its history."""
    chosen = next((one for one in history(name) if str(one.pk) == row), None)
    if chosen is None:
        raise BadSetting(f"{name}: this is none of its last changes.")
    return _write(name, None if chosen.value is None else check(name, chosen.value), by)


def history(name: str, most: int = 10) -> list[SettingChange]:
    return list(SettingChange.objects.filter(name=name)[:most])


# --- What every process knows

_announcements: tuple[Announcement, ...] = ()
_loading: Final = threading.Lock()  # of two that read, the one that read last has the last word


def load() -> None:
    """Reads all of it into the memory of this process."""
    global _announcements  # noqa: PLW0603 - one a process
    now = timezone.now()
    with _loading:
        newest = SettingChange.objects.order_by("name", "-id").distinct("name")
        changed: dict[str, dict[str, Any]] = {group: {} for group in groups()}
        for row in newest:
            one = REGISTRY.get(row.name)
            if one is not None and row.value is not None:  # another release may know others
                with suppress(ValueError, TypeError):
                    changed[one.group][one.key] = one.kind.parse(row.value)
        lasting = Announcement.objects.filter(Q(shown_until=None) | Q(shown_until__gt=now))
        _announcements = tuple(lasting.order_by("shown_from"))
        _apply(changed)


def forget() -> None:
    """As if nothing had been set; a process that watches learns it again with the next change."""
    global _announcements  # noqa: PLW0603 - one a process
    _announcements = ()
    _apply({})


def _apply(changed: Mapping[str, Mapping[str, Any]]) -> None:
    for group, values in groups().items():
        if isinstance(values, Changeable):
            values.change(changed.get(group, {}))


def tell() -> None:
    """After the commit: this process knows at once, the others hear of it."""
    after_commit.when_committed(_tell)


def _tell() -> None:
    load()
    valkey_client(settings.VALKEY_URL, **PATIENCE).publish(CHANNEL, b"")


@worker_init.connect
def watch(**_: Any) -> None:
    """From now on this process hears of every change. To be called after the fork."""
    threading.Thread(target=_watch, name="club", daemon=True).start()


def _watch() -> None:
    while True:
        try:
            valkey: Any = valkey_client(settings.VALKEY_URL, **PATIENCE)
            messages = valkey.pubsub()
            messages.subscribe(CHANNEL)
            while True:  # that it listens is a message too: it may have missed one
                if messages.get_message(timeout=SECONDS_TO_LOOK_ANYWAY):
                    _load_here()
        except (RedisError, OSError):
            time.sleep(1)
            with suppress(OSError):
                _load_here()


def _load_here() -> None:
    try:
        load()
    except Error as error:
        log.warning("club_not_read", cause=type(error).__name__)
        raise OSError from error  # tried again in a second
    finally:
        connection.close()


# --- The place: what it is called and how it looks

PAGES: Final = ("imprint", "privacy", "terms")


class Place:
    """The place as pages, mails and pictures know it, with each of its settings. No query."""

    name: str

    def __getattr__(self, name: str) -> Any:
        try:
            return settings.CLUB[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def icon(self) -> str:
        """The address of the logo; empty where the service's own stands."""
        return _address("club_logo", self.logo)

    @property
    def sheet(self) -> str:
        """The address of the style sheet of its colours; empty where none were chosen."""
        return _address("club_colours", self.felt, self.accent)

    @property
    def preview(self) -> str:
        """The address of the picture of links; empty where that of the service shows the place."""
        own = "" if self.name == SERVICE else self.name
        return _address("club_preview", own, self.logo, self.felt)

    @property
    def titles(self) -> dict[str, str]:
        words = (gettext("Imprint"), gettext("Privacy"), gettext("Terms"))
        return dict(zip(PAGES, words, strict=True))

    @property
    def pages(self) -> list[tuple[str, str]]:
        """The titles and addresses of pages that are written, and the way to who runs the place."""
        ways = [(title, page(name)) for name, title in self.titles.items() if getattr(self, name)]
        if to := self.contact:
            ways.append((gettext("Contact"), to if "://" in to else f"mailto:{to}"))
        return ways

    @property
    def service(self) -> str:
        """The line about the service; empty where it is switched off."""
        line = gettext("Runs on {service}").format(service=f"{SERVICE} {version.written()}")
        return line if self.says_service else ""

    @property
    def sender(self) -> str:
        """The header ``From`` of mail."""
        shown, usual = parseaddr(settings.DEFAULT_FROM_EMAIL)
        name = shown if shown and self.name == SERVICE else self.name
        return formataddr((name, settings.CLUB["sender"] or usual))


@lru_cache(maxsize=8)
def _address(name: str, *seen: str) -> str:
    """It changes with what is seen there, so a browser may keep that; empty without any."""
    digest = hashlib.sha256("".join(seen).encode()).hexdigest()[:12]
    return reverse(name, args=[digest]) if any(seen) else ""


def page(name: str) -> str:
    return reverse("club_page", args=[name])


PLACE: Final = Place()


def of_pages(_request: HttpRequest | None = None) -> dict[str, Any]:
    """A context processor, and the same for what is rendered without a request."""
    return {"club": PLACE}


def zone() -> ZoneInfo:
    """Of what the house plans, and of readers who have chosen none."""
    return ZoneInfo(settings.CLUB["time_zone"])


# --- Announcements


def announcements(user: Any = None) -> list[Announcement]:
    """The announcements that this reader is shown now; no query."""
    now = timezone.now()
    return [one for one in _announcements if one.is_shown(now) and one.is_for(user)]


def announced_since(since: datetime) -> list[Announcement]:
    """Announcements to all and to people who are signed in that began to be shown since then."""
    now = timezone.now()
    everybodys = (one for one in _announcements if one.audience != Announcement.Audience.STAFF)
    return [one for one in everybodys if one.is_shown(now) and one.shown_from > since]


# --- Maintenance and read-only


def moment(stored: Any) -> datetime:
    """A stored time; one that is not set is long ago."""
    return datetime.fromisoformat(stored) if stored else datetime.min.replace(tzinfo=UTC)


def maintenance() -> tuple[datetime, datetime | None] | None:
    """From when until when, where it is planned or goes on."""
    begins = settings.CLUB["maintenance_from"]
    if not begins:
        return None
    ends = settings.CLUB["maintenance_until"]
    until = moment(ends) if ends and moment(ends) > moment(begins) else None
    return None if until and until <= timezone.now() else (moment(begins), until)


def is_in_maintenance() -> bool:
    planned = maintenance()
    return planned is not None and planned[0] <= timezone.now()


def read_only_until() -> datetime | None:
    stored = settings.CLUB["read_only_until"]
    return until if stored and (until := moment(stored)) > timezone.now() else None


def check_new_matches(game: str = "") -> None:
    """Raises ``Maintenance``, or ``NotAllowed`` where the game is off."""
    if is_in_maintenance():
        raise Maintenance(maintenance_sentence())
    if game in settings.CLUB["games_off"]:
        raise NotAllowed(gettext("This game is not played here at the moment."))


def maintenance_sentence() -> str:
    """In the reader's language; empty where none is planned."""
    planned = maintenance()
    if planned is None:
        return ""
    begins, ends = (at and shown_time(at) for at in planned)
    if ends:
        sentence = gettext(
            "Maintenance from {begins} until {ends}: no match begins then, those that run go on."
        )
        return sentence.format(begins=begins, ends=ends)
    sentence = gettext(
        "Maintenance from {begins}: no match begins from then on, those that run go on."
    )
    return sentence.format(begins=begins)


def read_only_sentence() -> str:
    until = read_only_until()
    if until is None:
        return ""
    sentence = gettext(
        "Until {until} everything can be read, and nothing is written; clocks stand still."
    )
    return sentence.format(until=shown_time(until))


def shown_time(at: datetime) -> str:
    """In the time zone of the place, which is named."""
    return f"{at.astimezone(zone()):%Y-%m-%d %H:%M} {settings.CLUB['time_zone']}"


def check_who(key: str, user: Any) -> None:
    """Whether a person may do what a setting leaves to some; raises ``NotAllowed``."""
    if not may(key, user):
        who = settings.CLUB[key]
        raise NotAllowed(
            gettext("This is for staff only.") if who == "staff" else gettext("Sign up for this.")
        )


def may(key: str, user: Any) -> bool:
    who = settings.CLUB[key]
    if who == "staff":
        return bool(user.is_staff)
    return who not in WHO or who == "everybody" or not user.is_guest


class ReadsOnly:
    """Middleware: while the service is read-only, what would write is answered with 503."""

    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE or (until := read_only_until()) is None:
            return self._get_response(request)
        if request.path_info.startswith(STILL_WRITES):
            return self._get_response(request)
        refusal = OnlyReading(read_only_sentence())
        seconds = {"Retry-After": str(max(1, round((until - timezone.now()).total_seconds())))}
        answer: HttpResponse = ProblemResponse(refusal, seconds)
        if not request.path_info.startswith("/api/"):
            context = {"sentences": [refusal.detail]}
            answer = render(request, "refused.html", context, status=503)
            answer["Retry-After"] = seconds["Retry-After"]
        answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001  # it is meant
        return answer
