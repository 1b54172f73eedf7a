"""The record of a match that is over, from what is stored of it (record.md §2)."""

from collections.abc import Iterator
from typing import Any

from games.matches.models import Round
from games.matches.refusals import MatchNotOver
from games.matches.selectors.access import get_match
from games.matches.selectors.log import decks_of, log_entries
from games.matches.snapshot import SeatRow, Table
from games.rules import record, resigning
from games.rules.record import LoadedFrom, Record, Reshuffled, RoundLine, SeatLine
from games.rules.values import Deck


def of(table: Table) -> Record:
    """The record; raises ``MatchNotOver`` while the match runs, since it holds every card."""
    if not table.is_over or table.finished_at is None:
        raise MatchNotOver("The record holds every card; it is there when the match is over.")
    return record.build(
        table.game,
        match=str(table.id),
        options=table.options,
        seats=[_seat(table, row) for row in table.seats],
        seed=table.seed,
        started_at=table.started_at or (table.created_at if _has_a_past(table) else None),
        finished_at=table.finished_at,
        rounds=list(_rounds(table)),
        outcome=table.outcome or resigning.aborted(table.sides, ()),
        loaded_from=_loaded_from(table),
    )


def _has_a_past(table: Table) -> bool:
    """Cards were dealt: here, or before in the match that this one was loaded from."""
    return table.state_json is not None


def _seat(table: Table, row: SeatRow) -> SeatLine:
    kind: Any = "user" if row.kind == "open" and _has_a_past(table) else row.kind
    return SeatLine(row.name, kind, row.bot or None, row.side_deck)


def _rounds(table: Table) -> Iterator[RoundLine]:
    """Each round with the moves from its opening up to the next one's."""
    entries = list(log_entries(table))
    rounds = list(Round.objects.filter(match_id=table.id).order_by("number"))
    ends = [following.opening_version for following in rounds[1:]] + [table.version]
    for round_, end in zip(rounds, ends, strict=False):  # no round, no end
        played = entries[round_.opening_version + 1 : end + 1]
        decks = [*decks_of(bytes(round_.decks)), *(d for e in played for d in e.decks)]
        yield RoundLine(
            number=round_.number,
            shuffles=tuple(_text(table, deck) for deck in decks),
            moves=tuple(record.entry(e.seat or 0, e.move) for e in played),
            scores=None if round_.scores is None else tuple(round_.scores),
        )


def _text(table: Table, deck: Deck) -> str:
    return record.deck_text(table.game, deck)


def _loaded_from(table: Table) -> LoadedFrom | None:
    """The parent and, inside it, the parent's own; a parent that still runs keeps its seed."""
    if table.parent_id is None or table.loaded is None:
        return None
    parent = get_match(table.parent_id)
    moved = [Reshuffled(deck, positions) for deck, positions in table.loaded.moved]
    return LoadedFrom(
        match=str(parent.id),
        version=table.parent_version or 0,
        cards=table.loaded.cards,
        shuffles=table.loaded.shuffles,
        commitment=parent.commitment,
        seed=parent.seed.hex() if parent.is_over else None,
        reshuffled=tuple(moved) if table.loaded.reshuffled else None,
        loaded_from=_loaded_from(parent),
    )
