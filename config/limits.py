"""How much one account may have at a time; the values come from the environment."""

from typing import Final

import environ

LIMITS: Final = {
    "open_matches": ("OPEN_MATCHES_PER_ACCOUNT", 50),
    "active_matches": ("ACTIVE_MATCHES_PER_ACCOUNT", 200),
    "bot_matches": ("BOT_MATCHES_PER_ACCOUNT", 2),  # running ones without a person
    "invitations": ("INVITATIONS_PER_ACCOUNT", 50),  # sent and not answered
    "invitations_received": ("INVITATIONS_RECEIVED", 50),  # and not answered
    "invitations_by_strangers": ("INVITATIONS_BY_STRANGERS", 10),  # received and not answered
    "blocks": ("BLOCKS_PER_ACCOUNT", 500),
    "simulations": ("SIMULATIONS_PER_ACCOUNT", 3),  # running
    "streams": ("STREAMS_PER_ACCOUNT", 20),  # open ones, in each web process
    "exports": ("EXPORTS_PER_ACCOUNT", 3),  # that have not expired
    "measurements": ("MEASUREMENTS_PER_ACCOUNT", 3),  # running
}


def limits(env: environ.Env) -> dict[str, int]:
    """LIMITS: each name with its number."""
    return {name: env.int(variable, default=usual) for name, (variable, usual) in LIMITS.items()}
