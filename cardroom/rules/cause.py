"""What a result is made of, as the recap of a game counts it from events that everybody saw."""

from dataclasses import dataclass

from cardroom.rules.text import Words


@dataclass(frozen=True)
class Cause:
    """So many points of a result, or cards, or piles; fewer than none where they were lost."""

    what: Words
    points: int
