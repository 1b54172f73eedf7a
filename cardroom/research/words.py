"""What happened in a match, in words."""

from collections.abc import Sequence

from cardroom.research.lineup import Lineup
from cardroom.rules.values import Event


def in_words(lineup: Lineup, events: Sequence[Event]) -> str:
    """The events as a spectator sees them, a line each."""
    names = [setup.name.capitalize() for setup in lineup.setups]
    return "\n".join(str(lineup.game.sentence(event.seen_by(None), names)) for event in events)
