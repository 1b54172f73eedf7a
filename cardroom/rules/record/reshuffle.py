"""Repeating or checking the re-deal with which a loaded match began (FORMAT.md §2, Loaded matches).

The record names the seats of the loading player. An older one does not; but it lists the positions
that were unknown, and what several seats know is what one of them knows. So the seats to whom all
these positions are unknown know together no less than the loading player did.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from cardroom.rules.game import AnyGame
from cardroom.rules.record.ancestry import Ancestor
from cardroom.rules.record.format import RecordedSeat, refuse
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import Sealed, Shuffle
from cardroom.rules.values import Deck, HistoryStep, Redealt, Seat

History = Sequence[HistoryStep]
Covers = Callable[[RedealtPositions, RedealtPositions], bool]


class LoadRedeal:
    """The re-deal of one match, at the state and history in which it was loaded."""

    def __init__(
        self,
        game: AnyGame,
        seats: Sequence[RecordedSeat],
        match: Ancestor,
        state: Any,
        history: History,
    ) -> None:
        self._game, self._seats, self._match = game, seats, match
        self._state, self._history = state, history

    def repeat(self, seed: bytes, listed: Sequence[Deck]) -> tuple[Any, list[HistoryStep]]:
        """The state and the history after the re-deal, which must lay the decks as ``listed``."""
        redealt = self._by(self._loader(_covers), Sealed(seed))
        if redealt.moved != self._match.redealt:
            _refuse_positions()
        now = [tuple(map(self._game.card_text, deck)) for deck in redealt.decks]
        if now != list(listed):
            refuse("The decks were not dealt again as the seed gives them.")
        return redealt.state, redealt.history(self._history)

    def check(self) -> None:
        """The listed positions are unknown ones, as far as decks that are dealt again can tell.

        Where two cards of a deck are equal these decks do not tell which of them was played, so
        positions are compared by their cards.
        """
        unknown = self._by(self._loader(self._covers_cards), list).moved
        if self._cards(unknown) != self._cards(self._match.redealt):
            _refuse_positions()

    def _by(self, seats: frozenset[Seat], shuffle: Shuffle) -> Redealt[Any]:
        return self._game.redeal(self._state, self._history, seats, shuffle)

    def _loader(self, covers: Covers) -> frozenset[Seat]:
        """The loading player's seats, or those to whom all listed positions are unknown."""
        people = [seat for seat, line in enumerate(self._seats) if line.kind != "bot"]
        named = self._match.loaded and self._match.loaded.seats
        if named:
            return frozenset(named)
        blind = frozenset(
            seat
            for seat in people
            if covers(self._by(frozenset({seat}), list).moved, self._match.redealt)
        )
        if not blind:
            _refuse_positions()
        return blind

    def _covers_cards(self, unknown: RedealtPositions, listed: RedealtPositions) -> bool:
        of = self._cards(unknown)
        return all(cards <= of.get(deck, Counter()) for deck, cards in self._cards(listed).items())

    def _cards(self, positions: RedealtPositions) -> dict[int, Counter[Any]]:
        decks = [deck for step in self._history for deck in step.decks]
        return {index: Counter(decks[index][at] for at in places) for index, places in positions}


def _covers(unknown: RedealtPositions, listed: RedealtPositions) -> bool:
    """Whether all listed positions are among the unknown ones of this seat."""
    of = dict(unknown)
    return all(set(positions) <= set(of.get(index, ())) for index, positions in listed)


def _refuse_positions() -> None:
    refuse("loaded_from.reshuffled does not list what one of the seats could not know.")
