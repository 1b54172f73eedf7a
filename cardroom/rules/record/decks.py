"""The shuffles of a record as the rules ask for them: dealt as listed, checked with the seeds.

Repeating or checking the re-deal with which a loaded match began (FORMAT.md §2, Loaded matches).

The record names the seats of the loading player. An older one does not; but it lists the positions
that were unknown, and what several seats know is what one of them knows. So the seats to whom all
these positions are unknown know together no less than the loading player did.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import (
    MAX_LOADS,
    MAX_SHUFFLES,
    LoadedFrom,
    Record,
    RecordedSeat,
    deck_cards,
    deck_text,
    refuse,
)
from cardroom.rules.redeal import RedealtPositions, undo_redeal
from cardroom.rules.shuffles import Sealed, Shuffle, Stacked, UnexpectedShuffle, commitment
from cardroom.rules.values import Deck, HistoryStep, Redealt, Seat

# Where each shuffle of a record comes from, through all the matches it was loaded from.
#
# A chain of matches, the record's own first, each loaded from the next. A match that was loaded
# with reshuffled cards dealt the decks in use again, so each match of the chain saw its own decks.


class Ancestor(msgspec.Struct, frozen=True):
    """One match of the chain: its seed (``None``: still secret) and how it was loaded."""

    seed: bytes | None
    loaded: LoadedFrom | None

    @property
    def inherited(self) -> int:
        """How many shuffles were there when this match began."""
        return self.loaded.shuffles if self.loaded else 0

    @property
    def loaded_at(self) -> int:
        """The version at which this match went on from its parent."""
        return self.loaded.version if self.loaded else 0

    @property
    def reshuffled(self) -> bool:
        return self.loaded is not None and self.loaded.cards == "reshuffled"

    @property
    def redealt(self) -> RedealtPositions:
        """The positions that this match dealt again when it began."""
        again = (self.loaded.reshuffled if self.loaded else None) or ()
        return tuple((one.shuffle, one.positions) for one in again)


def ancestry(record: Record) -> tuple[Ancestor, ...]:
    """The record's own match, its parent, and so on, with every commitment checked."""
    chain = [Ancestor(_seed(record.seed, record.commitment), record.loaded_from)]
    while loaded := chain[-1].loaded:
        if len(chain) > MAX_LOADS:
            refuse(f"A match can be loaded over at most {MAX_LOADS} generations.")
        _check_loader(loaded, record)
        chain.append(Ancestor(_seed(loaded.seed, loaded.commitment), loaded.loaded_from))
    return tuple(chain)


def _check_loader(loaded: LoadedFrom, record: Record) -> None:
    people = [seat for seat, line in enumerate(record.seats) if line.kind != "bot"]
    if loaded.seats and not (_ascending(loaded.seats) and set(loaded.seats) <= set(people)):
        refuse("loaded_from.seats lists seats of one person, ascending, each once.")


def _seed(seed: str | None, sealed: str) -> bytes | None:
    if seed is None:
        return None
    if commitment(bytes.fromhex(seed)) != sealed:
        refuse("The commitment is not the SHA-256 of the seed.")
    return bytes.fromhex(seed)


def sealed_shuffle(
    chain: Sequence[Ancestor], shuffle: int, *, follow: bool, extra: int = 0
) -> Sealed | None:
    """The sealed shuffle that dealt this one, ready to deal it again; ``None``: nobody can say.

    ``extra``: how many more shuffles its match had used than the record lists (roll-backs).
    """
    dealer = next(match for match in chain if shuffle >= match.inherited)
    if dealer.seed is None or any(_hides(later, shuffle, follow) for later in chain):
        return None
    return Sealed(dealer.seed, shuffle - dealer.inherited + len(dealer.redealt) + extra)


def _hides(match: Ancestor, shuffle: int, follow: bool) -> bool:  # noqa: FBT001
    """Whether a re-deal under a seed that is still secret changed this deck."""
    if match.seed is not None or not match.redealt or shuffle >= match.inherited:
        return False
    first, _ = match.redealt[0]
    return shuffle >= first if follow else shuffle in dict(match.redealt)


def decks_by_ancestor(
    game: AnyGame, record: Record, chain: Sequence[Ancestor]
) -> tuple[list[Deck], ...]:
    """The decks as they lay in each match, the record's own first (as it lists them)."""
    if sum(len(line.shuffles) for line in record.rounds) > MAX_SHUFFLES:
        refuse(f"A record lists at most {MAX_SHUFFLES} shuffles.")
    decks = [deck_cards(text) for line in record.rounds for text in line.shuffles]
    lay = [decks]
    for match in chain[:-1]:
        _check_redealt(match, decks)
        if match.seed is not None and match.redealt:
            shuffle = Sealed(match.seed)
            before = undo_redeal(
                decks[: match.inherited], match.redealt, shuffle, follow=game.distinct_cards
            )
            decks = [*before, *decks[match.inherited :]]
        lay.append(decks)
    return tuple(lay)


def _check_redealt(match: Ancestor, decks: Sequence[Deck]) -> None:
    loaded = match.loaded
    if loaded is None or loaded.shuffles > len(decks):
        refuse("The record lists fewer shuffles than the match it was loaded from had used.")
    if (loaded.cards == "reshuffled") != (loaded.reshuffled is not None):
        refuse("loaded_from lists 'reshuffled' decks when, and only when, cards is 'reshuffled'.")
    if not _ascending([shuffle for shuffle, _ in match.redealt]):
        refuse("loaded_from lists the reshuffled decks in the order of their numbers, each once.")
    for shuffle, positions in match.redealt:
        if shuffle >= loaded.shuffles or not positions or not _ascending(positions):
            refuse(f"loaded_from: shuffle {shuffle} cannot have been dealt again like this.")
        if positions[-1] >= len(decks[shuffle]):
            refuse(f"loaded_from: shuffle {shuffle} has no position {positions[-1]}.")


def _ascending(numbers: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def loads_played(chain: Sequence[Ancestor]) -> Iterator[tuple[int, Ancestor]]:
    """The loadings this history went through, oldest first, as (index in the chain, match).

    A point before the parent's own load belongs to the match that the parent was loaded from, and
    a load of it names that one. Records of version 0.1 did not; there the load of the parent is
    not part of the history.
    """
    reached: list[tuple[int, Ancestor]] = []
    for number, match in enumerate(chain[:-1]):
        if not reached or match.loaded_at <= reached[-1][1].loaded_at:
            reached.append((number, match))
        elif match.reshuffled or _names_seats(chain[number - 1]):
            refuse("A match cannot be loaded from before its parent began.")
    return reversed(reached)


def _names_seats(match: Ancestor) -> bool:
    return match.loaded is not None and match.loaded.seats is not None


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
