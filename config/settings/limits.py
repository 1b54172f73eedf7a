"""How much one account or address may have at a time, and how long a request waits for anything.

The values come from the environment; operators may change them (`config.settings.club`).

Guests at one address have together what one account may have, times GUESTS_PER_ADDRESS: an account
costs them nothing (`accounts.services.neighbours`).
"""

from collections.abc import Mapping
from typing import Final, TypeVar

import environ

Value = TypeVar("Value")


class Changeable(dict[str, Value]):
    """The values of the environment by name, under those that operators have set since."""

    changed: Mapping[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        changed = self.changed
        return changed[name] if name in changed else super().__getitem__(name)


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

    Half of it for a thread. After that it is answered with 503 and a Retry-After.
    """
    return float(env.float("WAIT_SECONDS", default=5.0))


def limits(env: environ.Env) -> Changeable[int]:
    """LIMITS: each name with its number."""
    values = LIMITS.items()
    return Changeable(
        {name: env.int(variable, default=usual) for name, (variable, usual) in values}
    )
