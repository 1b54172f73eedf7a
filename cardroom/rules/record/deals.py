"""How each listed deck came about, step by step, for a reader who has the seeds and no rules.

A deck is what its seed makes of a pack. Where a match was loaded with new cards, the places that
the loading player could not know were dealt again from the new match's seed.
"""

import msgspec

from cardroom.rules.record.ancestry import Ancestor
from cardroom.rules.record.format import Record
from cardroom.rules.record.playback import Playback
from cardroom.rules.record.recorded_shuffle import NotedPack
from cardroom.rules.record.replay import play


class DealtAgain(msgspec.Struct, frozen=True):
    """These places of the deck were shuffled by the ``k``-th shuffle of this seed."""

    seed: int
    k: int
    positions: tuple[int, ...]


class DeckOrigin(msgspec.Struct, frozen=True):
    """One listed deck: the ``k``-th shuffle of ``pack`` by a seed, then what was dealt again.

    ``seed`` counts from 0, the record's own, to its parent's and on; ``None`` where the seed is
    still secret or an operator's roll-back laid the deck, so that only a replay can check it.
    """

    seed: int | None
    k: int = 0
    pack: str = ""
    again: tuple[DealtAgain, ...] = ()


def deals(record: Record) -> list[DeckOrigin]:
    """Every listed deck in the order of its number; ``BadRecord`` for what contradicts itself."""
    playback = Playback(record, sealed=True)
    packs = playback.note_packs()
    play(record, playback)
    count = sum(len(line.shuffles) for line in record.rounds)
    return [
        _deal(playback.chain, n, packs[n]) if n in packs else DeckOrigin(None) for n in range(count)
    ]


def _deal(chain: tuple[Ancestor, ...], number: int, noted: NotedPack) -> DeckOrigin:
    at = next(n for n, match in enumerate(chain) if number >= match.inherited)
    later = range(at - 1, -1, -1)  # the loads since, oldest first
    if chain[at].seed is None or any(chain[n].seed is None and chain[n].redealt for n in later):
        return DeckOrigin(None)
    again = [
        DealtAgain(n, k, positions)
        for n in later
        for k, (shuffle, positions) in enumerate(chain[n].redealt)
        if shuffle == number
    ]
    k = number - chain[at].inherited + len(chain[at].redealt) + noted.extra
    return DeckOrigin(at, k, noted.pack, tuple(again))
