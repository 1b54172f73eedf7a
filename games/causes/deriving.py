"""All causes that follow from rows, as the beat asks for them."""

from accounts.notifications.outbox import owe_all
from games.causes import invitations, matches, results, rounds, turns


def derive() -> int:
    """How many causes were new."""
    new = owe_all([*turns.owed(), *invitations.owed(), *rounds.owed()])
    return new + results.owe_new() + matches.owe_new()
