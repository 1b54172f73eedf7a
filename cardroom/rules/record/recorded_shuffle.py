"""The shuffles of a record as the rules ask for them: dealt as listed, checked with the seeds."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from cardroom.rules.game import AnyGame
from cardroom.rules.record.ancestry import Ancestor, sealed_shuffle
from cardroom.rules.record.format import Record, deck_text, refuse
from cardroom.rules.shuffles import Sealed, Stacked, UnexpectedShuffle
from cardroom.rules.values import Deck

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
