"""How many days things are kept that nobody needs any more; 0 keeps them for ever.

The values come from the environment.
"""

from typing import Final

import environ

RETENTION: Final = {
    "guests": ("KEEP_GUESTS_DAYS", 30),  # without any match
    "unstarted": ("KEEP_UNSTARTED_DAYS", 14),  # matches that wait for players
    "loads": ("KEEP_UNPLAYED_LOADS_DAYS", 1),  # called off before a move of their own
    "keys": ("KEEP_EXPIRED_KEYS_DAYS", 30),  # after their end
    "lockouts": ("KEEP_LOCKOUTS_DAYS", 30),  # wrong passwords
    "sessions": ("KEEP_EXPIRED_SESSIONS_DAYS", 1),  # after their end
    "answers": ("KEEP_ANSWERS_DAYS", 1),  # to requests with an idempotency key
    "notifications": ("KEEP_NOTIFICATIONS_DAYS", 30),  # what people were told, and the calls
    "mistakes": ("KEEP_OWN_MISTAKES_DAYS", 400),  # exercises nobody has repeated for so long
    "archive": ("ARCHIVE_AFTER_DAYS", 90),  # matches that are over, before they are folded
}


def retention(env: environ.Env) -> dict[str, int]:
    """RETENTION: each name with its number of days."""
    return {name: env.int(variable, default=usual) for name, (variable, usual) in RETENTION.items()}
