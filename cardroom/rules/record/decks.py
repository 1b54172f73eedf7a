"""The shuffles of a record as the rules ask for them: dealt as listed, checked with the seeds.

Repeating or checking the re-deal with which a loaded match began (FORMAT.md §2, Loaded matches).

The record names the seats of the loading player. An older one does not; but it lists the positions
that were unknown, and what several seats know is what one of them knows. So the seats to whom all
these positions are unknown know together no less than the loading player did.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from cardroom.rules.game import AnyGame
from cardroom.rules.record.ancestry import Ancestor, sealed_shuffle
from cardroom.rules.record.format import Record, RecordedSeat, deck_text, refuse
from cardroom.rules.redeal import RedealtPositions
from cardroom.rules.shuffles import Sealed, Shuffle, Stacked, UnexpectedShuffle
from cardroom.rules.values import Deck, HistoryStep, Redealt, Seat

C = TypeVar("C")


class NotedPack(NamedTuple):
    """A pack as the rules asked for its shuffle, and ``RecordedShuffle.extra`` by then."""

    pack: str
    extra: int


class RecordedShuffle:
    """A shuffle that deals ``decks`` one after the other and refuses what cannot have been dealt.

    A playback keeps ``round`` (the round that is played, 0 before the first) and ``asking``
    (the round a missing deck would be missing from) up to date.
    """

    def __init__(
        self, game: AnyGame, record: Record, chain: Sequence[Ancestor], *, sealed: bool
    ) -> None:
        self._game = game
        self._chain = chain
        self._sealed = sealed
        self._ends = list(accumulate(len(line.shuffles) for line in record.rounds))
        self.decks: Sequence[Deck] = ()
        self.round = 0
        self.asking = 1
        self.used = 0
        self.extra = 0  # shuffles that roll-backs used beyond those they list
        self.packs: dict[int, NotedPack] | None = None  # by number, if they are to be noted

    def own(self) -> Sealed:
        """The next shuffles of the record's own match."""
        own = self._chain[0]
        return Sealed(own.seed or b"", self.used - own.inherited + len(own.redealt) + self.extra)

    def list_again(self, count: int, shuffles: int) -> list[Deck]:
        """The next listed decks, which a roll-back laid with so many shuffles."""
        listed = list(self.decks[self.used : self.used + count])
        self.used += count
        self.extra += shuffles - count
        return listed

    def __call__(self, pack: Sequence[C], /) -> list[C]:
        number = bisect_right(self._ends, self.used) + 1
        if number > min(self.round + 1, len(self._ends)):
            refuse("The round lists fewer shuffles than the rules asked for.", self.asking)
        deck = self._stacked(pack, number)
        self._check_seed(pack, deck, number)
        if self.packs is not None:
            self.packs[self.used] = NotedPack(deck_text(self._game, pack), self.extra)
        self.used += 1
        return deck

    def left(self, number: int) -> int:
        """How many shuffles up to this round were not asked for yet; negative: too many were."""
        return self._ends[number - 1] - self.used

    def _stacked(self, pack: Sequence[C], number: int) -> list[C]:
        text: Any = self._game.card_text
        decks: Any = [self.decks[self.used]]
        try:
            return Stacked(decks, text)(pack)
        except UnexpectedShuffle:
            refuse(f"Shuffle {self.used} is not made of the cards of its pack.", number)

    def _check_seed(self, pack: Sequence[C], deck: Sequence[C], number: int) -> None:
        if not self._sealed:
            return
        follow = self._game.distinct_cards
        deal = sealed_shuffle(self._chain, self.used, follow=follow, extra=self.extra)
        if deal and deck_text(self._game, deal(pack)) != deck_text(self._game, deck):
            refuse(f"Shuffle {self.used} is not the one that its seed gives.", number)


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
