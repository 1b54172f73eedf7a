"""What happened, move by move, as a script shows it: cards that fly, words that are called out.

A motion leads from one spot of the felt to another: ``seat-2``, ``stock``, ``pile``. The page holds
those of the last plies as its reader may know them; a script plays what is new and leaves the
felt as the server drew it. Without a script nothing is missing.
"""

from dataclasses import dataclass
from typing import Literal

from games.rules.values import Seat

Kind = Literal["move", "sweep", "call", "rest", "lay", "clear"]


@dataclass(frozen=True)
class Motion:
    """``move``: ``count`` cards, or the one named, fly from one spot to another and stay there.

    ``sweep``: all that lies at ``start`` flies to ``to``. ``call``: ``word`` is called out, in a
    ``tone``. ``rest``: nothing moves for ``milliseconds`` of the calm pace. ``lay`` and ``clear``:
    the card lies at ``to``, nothing lies at ``start`` any more, and nothing flies.
    """

    kind: Kind
    start: str = ""
    to: str = ""
    card: str | None = None
    count: int = 1
    word: str = ""
    tone: str = ""
    milliseconds: int = 0
    version: int = 0


def seat_spot(seat: Seat) -> str:
    return f"seat-{seat}"


def fly(start: str, to: str, card: str | None = None, count: int = 1) -> Motion:
    return Motion("move", start, to, card, count)


def sweep(start: str, to: str) -> Motion:
    return Motion("sweep", start, to)


def call(word: str, tone: str = "gold") -> Motion:
    return Motion("call", word=word, tone=tone)


def lay(to: str, card: str | None = None) -> Motion:
    return Motion("lay", to=to, card=card)


def clear(start: str) -> Motion:
    return Motion("clear", start)


def rest(milliseconds: int) -> Motion:
    return Motion("rest", milliseconds=milliseconds)
