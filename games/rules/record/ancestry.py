"""Where each shuffle of a record comes from, through all the matches it was loaded from.

A chain of *eras*, the record's own match first, each loaded from the next. The decks in use were
dealt anew wherever an era was loaded with new cards, so every era saw its own set of decks.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from games.rules.game import AnyGame
from games.rules.record.format import (
    MAX_LOADS,
    MAX_SHUFFLES,
    LoadedFrom,
    Record,
    deck_cards,
    refuse,
)
from games.rules.redeal import RedealtPositions, undo_redeal
from games.rules.shuffles import Sealed, commitment
from games.rules.values import Deck


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
    def dealt_anew(self) -> bool:
        return self.loaded is not None and self.loaded.cards == "reshuffled"

    @property
    def moved(self) -> RedealtPositions:
        """What this match dealt anew when it began."""
        again = (self.loaded.reshuffled if self.loaded else None) or ()
        return tuple((one.shuffle, one.positions) for one in again)


def eras(record: Record) -> tuple[Ancestor, ...]:
    """The record's own match, its parent, and so on, with every commitment checked."""
    chain = [Ancestor(_seed(record.seed, record.commitment), record.loaded_from)]
    while loaded := chain[-1].loaded:
        if len(chain) > MAX_LOADS:
            refuse(f"A match can be loaded over at most {MAX_LOADS} generations.")
        chain.append(Ancestor(_seed(loaded.seed, loaded.commitment), loaded.loaded_from))
    return tuple(chain)


def _seed(seed: str | None, sealed: str) -> bytes | None:
    if seed is None:
        return None
    if commitment(bytes.fromhex(seed)) != sealed:
        refuse("The commitment is not the SHA-256 of the seed.")
    return bytes.fromhex(seed)


def origin(chain: Sequence[Ancestor], shuffle: int, *, follow: bool) -> Sealed | None:
    """The sealed shuffle that dealt this one, ready to deal it again; ``None``: nobody can say."""
    era = next(era for era in chain if shuffle >= era.inherited)
    if era.seed is None or any(_hides(later, shuffle, follow) for later in chain):
        return None
    return Sealed(era.seed, shuffle - era.inherited + len(era.moved))


def _hides(era: Ancestor, shuffle: int, follow: bool) -> bool:  # noqa: FBT001
    """Whether a re-deal under a seed that is still secret changed this deck."""
    if era.seed is not None or not era.moved or shuffle >= era.inherited:
        return False
    first, _ = era.moved[0]
    return shuffle >= first if follow else shuffle in dict(era.moved)


def decks_by_era(
    game: AnyGame, record: Record, chain: Sequence[Ancestor]
) -> tuple[list[Deck], ...]:
    """The decks as they lay in each era, the record's own first (as it lists them)."""
    if sum(len(line.shuffles) for line in record.rounds) > MAX_SHUFFLES:
        refuse(f"A record lists at most {MAX_SHUFFLES} shuffles.")
    decks = [deck_cards(text) for line in record.rounds for text in line.shuffles]
    lay = [decks]
    for era in chain[:-1]:
        _check_moved(era, decks)
        if era.seed is not None and era.moved:
            shuffle = Sealed(era.seed)
            before = undo_redeal(
                decks[: era.inherited], era.moved, shuffle, follow=game.distinct_cards
            )
            decks = [*before, *decks[era.inherited :]]
        lay.append(decks)
    return tuple(lay)


def _check_moved(era: Ancestor, decks: Sequence[Deck]) -> None:
    loaded = era.loaded
    if loaded is None or loaded.shuffles > len(decks):
        refuse("The record lists fewer shuffles than the match it was loaded from had used.")
    if (loaded.cards == "reshuffled") != (loaded.reshuffled is not None):
        refuse("loaded_from lists 'reshuffled' decks when, and only when, cards is 'reshuffled'.")
    if not _ascending([shuffle for shuffle, _ in era.moved]):
        refuse("loaded_from lists the reshuffled decks in the order of their numbers, each once.")
    for shuffle, positions in era.moved:
        if shuffle >= loaded.shuffles or not positions or not _ascending(positions):
            refuse(f"loaded_from: shuffle {shuffle} cannot have been dealt anew like this.")
        if positions[-1] >= len(decks[shuffle]):
            refuse(f"loaded_from: shuffle {shuffle} has no position {positions[-1]}.")


def _ascending(numbers: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def loadings(chain: Sequence[Ancestor]) -> Iterator[tuple[int, Ancestor]]:
    """The loadings this history went through, oldest first, as (number of the era, era).

    A parent loaded at a *later* version than its child took over is not part of the history.
    """
    reached: list[tuple[int, Ancestor]] = []
    for number, era in enumerate(chain[:-1]):
        if not reached or era.loaded_at <= reached[-1][1].loaded_at:
            reached.append((number, era))
        elif era.dealt_anew:
            refuse("A match cannot be loaded from before its reshuffled parent began.")
    return reversed(reached)
