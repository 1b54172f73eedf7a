"""Going on from the opening of an earlier round, dealt again (FORMAT.md §2, Rolled back).

What no spectator could know at the opening is dealt again with the match's next shuffles. Nothing
is deleted: the history that was undone stays in the log and in the record.
"""

import re
from collections.abc import Sequence
from typing import Any

from cardroom.rules.game import AnyGame
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import Shuffle
from cardroom.rules.values import Event, HistoryStep, Move, Redealt

_MOVE = re.compile(r"rollback ([1-9][0-9]{0,8})")


def move_of(number: int) -> Move:
    """The ply of a roll-back, as it is recorded; no seat makes it."""
    return f"rollback {number}"


def target_of(move: Move) -> int | None:
    """The round that a ply without a seat rolled back to."""
    match = _MOVE.fullmatch(move)
    return int(match[1]) if match else None


def deal_again(
    game: AnyGame, opening: Any, past: Sequence[HistoryStep], shuffle: Shuffle
) -> Redealt[Any]:
    """The opening of the round in which ``past`` ends, as it is dealt again."""
    redealt: Redealt[Any] = game.redeal(opening, past, frozenset(), shuffle)
    return redealt


def reopening_events(game: AnyGame, redealt: Redealt[Any]) -> tuple[Event, ...]:
    """The events of the round's opening as they read now."""
    events = redealt.events[-1]
    first = next((at for at, event in enumerate(events) if type(event) is game.opening), 0)
    return events[first:]


class DeckPlaces:
    """Where a record lists each deck of the history that stands.

    A roll-back lists the decks of the round's opening again, and beside them those of earlier
    rounds that were dealt again, all in the order of their numbers. They are dealt again from how
    they lay at that opening, whatever a roll-back to a later round made of them.
    """

    def __init__(self) -> None:
        self._places: list[int] = []
        self._listed = 0
        self._openings: dict[int, tuple[int, tuple[int, ...]]] = {}  # its first deck, all places

    def dealt(self, count: int) -> None:
        """Decks dealt in the middle of a round."""
        self._places += range(self._listed, self._listed + count)
        self._listed += count

    def opened(self, number: int, count: int) -> None:
        begin = len(self._places)
        self.dealt(count)
        self._openings[number] = begin, tuple(self._places)

    def reopened(
        self, number: int, moved: RedealtPositions
    ) -> tuple[RedealtPositions, tuple[int, ...]]:
        """What was dealt again by its places in the record, and the decks that are listed again.

        The latter are numbered as in the history that stands.
        """
        begin, lay = self._openings[number]
        self._places = list(lay)
        again = relisted(moved, begin, len(lay))
        where = tuple((self._places[deck], positions) for deck, positions in moved)
        for deck in again:
            self._places[deck] = self._listed
            self._listed += 1
        self._openings = {n: was for n, was in self._openings.items() if n < number}
        self._openings[number] = begin, tuple(self._places)
        return where, again


def relisted(moved: RedealtPositions, begin: int, end: int) -> tuple[int, ...]:
    """The decks that a roll-back lists again; the round's opening has those from begin to end."""
    return tuple(sorted({deck for deck, _ in moved} | set(range(begin, end))))
