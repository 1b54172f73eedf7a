"""Every listed deck can be dealt again from seeds and packs alone, without the rules."""

import json
from collections.abc import Sequence

from cardroom.rules import record
from cardroom.rules.record import DeckOrigin, LoadedFrom, Record
from cardroom.rules.shuffles import Sealed
from tests.rules.test_record_fixtures import FOLDER


def seeds_of(read: Record) -> list[str | None]:
    """The record's own seed, its parent's, and so on."""
    seeds: list[str | None] = [read.seed]
    loaded: LoadedFrom | None = read.loaded_from
    while loaded:
        seeds.append(loaded.seed)
        loaded = loaded.loaded_from
    return seeds


def dealt(deal: DeckOrigin, seeds: Sequence[str | None]) -> list[str]:
    deck = Sealed(bytes.fromhex(seeds[deal.seed]), deal.k)(deal.pack.split(" "))
    for again in deal.again:
        cards = [deck[at] for at in again.positions]
        for at, card in zip(
            again.positions, Sealed(bytes.fromhex(seeds[again.seed]), again.k)(cards), strict=True
        ):
            deck[at] = card
    return deck


def test_decks_follow_from_seeds_and_packs():
    """The first of each fixture file, and all that were loaded."""
    checked = dealt_again = 0
    for file in sorted(FOLDER.glob("*.jsonl")):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        for line in [lines[0], *[one for one in lines[1:] if one.get("loaded_from")][:2]]:
            read = record.read(line)
            listed = [deck for each in read.rounds for deck in each.shuffles]
            steps = record.deals(read)
            assert len(steps) == len(listed)
            for deal, deck in zip(steps, listed, strict=True):
                if deal.seed is None:
                    continue
                assert " ".join(dealt(deal, seeds_of(read))) == deck
                checked += 1
                dealt_again += bool(deal.again)
    assert checked > 50
    assert dealt_again
