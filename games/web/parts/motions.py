"""Events as a script shows them, move by move: cards that fly, moments that are called out.

A motion leads from one spot of the felt to another: ``seat-2``, ``stock``, ``pile``. The page holds
those of the last plies as its reader may know them; a script plays what is new and leaves the
felt as the server drew it. Without a script nothing is missing.

A template marks its spots: ``data-spot="stock"``; ``data-seat="2"`` for ``seat-2``, whose cards are
its ``data-spot="hand"``, else its face; ``data-lay="a-0"`` for ``lay-a-0``, a place of one card.
What lies at ``lay-`` spots is swept with ``data-spot="trick"``; a card flies there, too, whose
place is not drawn yet.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import msgspec

from cardroom.rules.values import Event, Seat

Kind = Literal["move", "deal", "sweep", "call", "rest", "lay", "clear"]
Effect = Literal["", "burst", "double", "burn", "bust", "twenty", "dispute"]
MOST_DEALT: Final = 60  # cards of a deal that are seen to fly; a phone shows no more smoothly


@dataclass(frozen=True)
class Motion:
    """``move``: ``count`` cards, or the one named, fly from one spot to another and stay there.

    ``deal``: a card flies from ``start`` to each of the spots in ``to``, in that order, or
    ``count`` times to every seat. ``sweep``: all that lies at ``start`` flies to ``to``. ``call``:
    ``word`` is called out, in a ``tone`` and with an ``effect`` at ``start``; what follows does not
    wait for its end. ``rest``: nothing moves for ``milliseconds`` of the calm pace. ``lay`` and
    ``clear``: the card lies at ``to``, nothing lies at ``start`` any more, and nothing flies.
    """

    kind: Kind
    start: str = ""
    to: str = ""
    card: str | None = None
    count: int = 1
    word: str = ""
    tone: str = ""
    effect: Effect = ""
    milliseconds: int = 0
    version: int = 0


def seat_spot(seat: Seat) -> str:
    return f"seat-{seat}"


def fly(start: str, to: str, card: str | None = None, count: int = 1) -> Motion:
    return Motion("move", start, to, card, count)


def deal_everybody(count: int) -> Motion:
    return Motion("deal", "stock", "everybody", count=count)


def sweep(start: str, to: str) -> Motion:
    return Motion("sweep", start, to)


def call(word: str, tone: str = "gold", *, effect: Effect = "", at: str = "") -> Motion:
    return Motion("call", at, word=word, tone=tone, effect=effect)


def lay(to: str, card: str | None = None) -> Motion:
    return Motion("lay", to=to, card=card)


def clear(start: str) -> Motion:
    return Motion("clear", start)


def rest(milliseconds: int) -> Motion:
    return Motion("rest", milliseconds=milliseconds)


def hands_together(motions: Iterable[Motion]) -> list[Motion]:
    """Hands that are dealt one after the other are dealt around the table, card by card."""
    together: list[Motion] = []
    hands: list[Motion] = []
    for motion in motions:
        if motion.kind == "move" and motion.count > 1 and motion.to.startswith("seat-"):
            hands.append(motion)
            continue
        together += [_around(hands), motion] if hands else [motion]
        hands = []
    return [*together, _around(hands)] if hands else together


def _around(hands: list[Motion]) -> Motion:
    rounds = max(1, min(max(hand.count for hand in hands), MOST_DEALT // len(hands)))
    spots = [hand.to for dealt in range(rounds) for hand in hands if hand.count > dealt]
    return replace(hands[0], kind="deal", to=" ".join(spots), count=1)


# The best moment of a match as a small picture that moves: some cards lie there, others fly in.

MOST_LYING: Final = 4

Ply: TypeAlias = tuple[int, Sequence[Event]]  # a version and what everybody knows of its ply


class Clip(msgspec.Struct, frozen=True):
    """``version``: the ply to replay. A number may go from ``before`` to ``after``.

    ``are_faces``: the cards are playing cards; others are drawn by the game's ``card.html``.
    """

    version: int
    seat: Seat
    lying: tuple[str, ...] = ()
    flying: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    effect: Effect = ""
    sentence: str = ""
    are_faces: bool = True


@dataclass(frozen=True)
class Candidate:
    """``weight`` says how good the moment is, ``event`` tells it."""

    weight: tuple[int, ...]
    event: Event
    clip: Clip


BestOf: TypeAlias = Callable[[Iterable[Ply]], Iterable[Candidate]]


def best(candidates: Iterable[Candidate]) -> Candidate | None:
    """The first of the best."""
    return max(candidates, key=lambda each: each.weight, default=None)


def clip_of(kept: Any) -> Clip | None:
    return msgspec.convert(kept, Clip) if kept else None


@dataclass(frozen=True)
class Specimens:
    """Moments that are called out and clips, one of each kind, for the design page.

    ``ending``: the sides of a scored round, as the game's ``ending.html`` draws them.
    """

    moments: Callable[[], Sequence[Motion]]
    clips: Sequence[Clip] = ()
    ending: Callable[[], object] | None = None
