"""Where each shuffle of a record comes from, through all the matches it was loaded from.

A chain of matches, the record's own first, each loaded from the next. A match that was loaded with
reshuffled cards dealt the decks in use again, so each match of the chain saw its own set of decks.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from cardroom.rules.game import AnyGame
from cardroom.rules.record.format import (
    MAX_LOADS,
    MAX_SHUFFLES,
    LoadedFrom,
    Record,
    deck_cards,
    refuse,
)
from cardroom.rules.redeal import RedealtPositions, undo_redeal
from cardroom.rules.shuffles import Sealed, commitment
from cardroom.rules.values import Deck


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
        """What this match dealt again when it began."""
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
