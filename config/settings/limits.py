"""Limits, retention, backups, mail and notifications.

The values come from the environment; operators may change them (`config.settings.club`).

Guests at one address have together what one account may have, times GUESTS_PER_ADDRESS: an account
costs them nothing (`accounts.locking`).
"""

import shlex
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config.host import sizes

Value = TypeVar("Value")


class Changeable(dict[str, Value]):
    """Values by name: those of the environment (``usual``), until operators change them."""

    version = 1  # another one after each change

    def __init__(self, usual: Mapping[str, Value]) -> None:
        super().__init__(usual)
        self.usual, self._changed = dict(usual), dict[str, Value]()

    def change(self, changed: Mapping[str, Value]) -> None:
        """To these; all others are the environment's again."""
        if changed != self._changed:
            self._changed = dict(changed)
            self.update(self.usual | self._changed)
            self.version += 1


LIMITS: Final = {
    "open_matches": ("OPEN_MATCHES_PER_ACCOUNT", 50),
    "active_matches": ("ACTIVE_MATCHES_PER_ACCOUNT", 200),
    "bot_matches": ("BOT_MATCHES_PER_ACCOUNT", 2),  # running ones without a person
    "invitations": ("INVITATIONS_PER_ACCOUNT", 50),  # sent and not answered
    "invitations_received": ("INVITATIONS_RECEIVED", 50),  # and not answered
    "invitations_by_strangers": ("INVITATIONS_BY_STRANGERS", 10),  # received and not answered
    "blocks": ("BLOCKS_PER_ACCOUNT", 500),
    "friends": ("FRIENDS_PER_ACCOUNT", 500),  # those that were only asked included
    "phrases": ("PHRASES_PER_MINUTE", 5),  # that a person says at tables
    "simulations": ("SIMULATIONS_PER_ACCOUNT", 3),  # running
    "streams": ("STREAMS_PER_ACCOUNT", 20),  # open ones, in each web process
    "streams_of_address": ("STREAMS_PER_ADDRESS", 200),  # of all who come from there, as above
    "lobby_tables": ("LOBBY_TABLES_PER_HOST", 2),  # open and public, of one host or address
    "guests": ("GUESTS_PER_ADDRESS", 1),  # how many accounts all guests there count as
    "tournaments": ("TOURNAMENTS_PER_ACCOUNT", 2),  # that are not over
    "exports": ("EXPORTS_PER_ACCOUNT", 3),  # that have not expired
    "export_hours": ("EXPORT_HOURS", 48),  # until one expires
    "programs": ("BOT_ACCOUNTS_PER_PERSON", 3),
    "program_matches": ("BOT_ACCOUNT_MATCHES", 50),  # that one may say it plays at once
    "program_openings": ("BOT_ACCOUNT_OPENINGS_PER_HOUR", 120),  # challenges included
    "webhooks": ("WEBHOOKS_PER_ACCOUNT", 5),
    "browsers": ("BROWSERS_PER_ACCOUNT", 10),  # that show messages
    "analyses": ("ANALYSES_PER_ACCOUNT", 3),  # running
    "measurements": ("MEASUREMENTS_PER_ACCOUNT", 3),  # running
}


def wait_seconds(env: environ.Env) -> float:
    """WAIT_SECONDS: how long a request waits in all for a thread, the database or a lock of it.

    Half of it for a thread. After that it is answered with 503 and a Retry-After, within five
    seconds in all. On one core sixty people who come at once are no more than a burst, which takes
    it some seconds.
    """
    return float(env.float("WAIT_SECONDS", default=4.5 if sizes.machine().cores > 1 else 10.0))


def limits(env: environ.Env) -> Changeable[int]:
    """LIMITS: each name with its number."""
    values = LIMITS.items()
    return Changeable(
        {name: env.int(variable, default=usual) for name, (variable, usual) in values}
    )


# How many days things are kept that nobody needs any more; 0 keeps them for ever.

RETENTION: Final = {
    "guests": ("KEEP_GUESTS_DAYS", 30, "Guests without any match"),
    "unstarted": ("KEEP_UNSTARTED_DAYS", 14, "Matches that wait for players"),
    "loads": ("KEEP_UNPLAYED_LOADS_DAYS", 1, "Loads, called off before a move of their own"),
    "keys": ("KEEP_EXPIRED_KEYS_DAYS", 30, "Keys, after their end"),
    "lockouts": ("KEEP_LOCKOUTS_DAYS", 30, "Wrong passwords"),
    "sessions": ("KEEP_EXPIRED_SESSIONS_DAYS", 1, "Sessions of browsers, after their end"),
    "answers": ("KEEP_ANSWERS_DAYS", 1, "Answers to requests with an idempotency key"),
    "notifications": ("KEEP_NOTIFICATIONS_DAYS", 30, "What people were told, and the calls"),
    "mistakes": ("KEEP_OWN_MISTAKES_DAYS", 400, "Exercises that nobody repeated"),
    "archive": ("ARCHIVE_AFTER_DAYS", 90, "Matches that are over, before they are folded"),
}


def retention(env: environ.Env) -> Changeable[int]:
    """RETENTION: each name with its number of days."""
    values = RETENTION.items()
    return Changeable(
        {name: env.int(variable, default=usual) for name, (variable, usual, _) in values}
    )


# Backups: where they lie, how many are kept, and the programs that take them elsewhere.


def backups(env: environ.Env, state: Path) -> dict[str, Any]:
    """BACKUPS. In a command, {path} is a backup's file here and {name} its name."""
    numbers = env.list("BACKUP_KEEP", default=["7", "4", "6"])
    is_read = len(numbers) == 3 and all(number.isdigit() for number in numbers)
    if not is_read or not any(map(int, numbers)):
        raise ImproperlyConfigured(
            f"BACKUP_KEEP={','.join(numbers)} is not three whole numbers, such as 7,4,6: daily, "
            "weekly and monthly backups. One of them is more than 0."
        )
    recipient = env.str("BACKUP_RECIPIENT", default="")
    if recipient and not recipient.startswith(("age1", "ssh-")):
        raise ImproperlyConfigured(
            "BACKUP_RECIPIENT is not a public key of age, which begins with age1 (or ssh-)."
        )
    return {
        "nightly": env.bool("BACKUPS", default=True),
        "folder": Path(env.str("BACKUP_FOLDER", default="") or state / "backups"),
        "keep": dict(zip(("daily", "weekly", "monthly"), map(int, numbers), strict=True)),
        "recipient": recipient,
        "put": _command("BACKUP_PUT", env.str("BACKUP_PUT", default=""), "{path}"),
        "get": _command("BACKUP_GET", env.str("BACKUP_GET", default=""), "{path}"),
        "drop": _command("BACKUP_DROP", env.str("BACKUP_DROP", default=""), "{name}"),
    }


def _command(variable: str, text: str, needs: str) -> list[str]:
    try:
        words = shlex.split(text)
        filled = [word.format(path="a/path", name="a name") for word in words]
    except (IndexError, KeyError, ValueError):
        filled = []
    if text and (not filled or needs not in text):
        raise ImproperlyConfigured(
            f"{variable} is not a command with {needs} in it (and {{path}} or {{name}} where they "
            "belong)."
        )
    return words if text else []


# Messages that leave: mail, messages to browsers, webhooks. Everything is off until it is set.
#
# `manage.py push_keys` makes the key of messages to browsers.


def outward(env: environ.Env) -> dict[str, Any]:
    """OUTWARD: which addresses of strangers are called; no port at all: every one.

    ``refused`` are networks that nobody reaches through this service, also where ``private`` ones
    are allowed.
    """
    return {
        "private": env.bool("WEBHOOK_PRIVATE_ADDRESSES", default=False),
        "http": env.bool("WEBHOOK_HTTP", default=False),
        "ports": [int(port) for port in env.list("WEBHOOK_PORTS", default=["443"]) if port != "*"],
        "refused": [_network(one) for one in env.list("WEBHOOK_REFUSED_NETWORKS", default=[])],
    }


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip())
    except ValueError as error:
        raise ImproperlyConfigured(f"WEBHOOK_REFUSED_NETWORKS: {error}.") from None


def site_url(env: environ.Env, hosts: Sequence[str], *, https: bool) -> str:
    """The address of pages in a mail: SITE_URL, or the first name of ALLOWED_HOSTS."""
    named = str(env.str("SITE_URL", default="")).rstrip("/")
    host = next((host for host in hosts if host.strip("*.")), "localhost")
    return named or f"{'https' if https else 'http'}://{host.lstrip('.')}"


# Where mail goes: one address, such as smtp+tls://name:password@mail.example.org:587.

CONSOLE: Final = "consolemail://"


def mail(env: environ.Env, url: str) -> dict[str, Any]:
    """Django's EMAIL_… settings by name; those that the address leaves out have their defaults."""
    defaults = {"EMAIL_USE_TLS": False, "EMAIL_USE_SSL": False}
    try:
        if urlsplit(url).fragment:  # a password was cut there
            raise ValueError
        return {**defaults, **env.email_url_config(url or CONSOLE)}
    except (ImproperlyConfigured, ValueError):
        raise ImproperlyConfigured(
            "EMAIL_URL is not an address such as smtp+tls://user:password@host:587; a / ? or # in "
            "a password is written %2F %3F or %23."
        ) from None
