"""What happened in a match, in words."""

from collections.abc import Sequence

from games.research.table import Table
from games.rules.values import Event


def in_words(table: Table, events: Sequence[Event]) -> str:
    """The events as a spectator sees them, a line each."""
    names = [setup.name.capitalize() for setup in table.setups]
    return "\n".join(str(table.game.sentence(event.seen_by(None), names)) for event in events)
