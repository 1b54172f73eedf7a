"""The record of a match that is over, from what is stored of it (FORMAT.md §2)."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from cardroom.rules import course, record
from cardroom.rules.course import DeckPlaces
from cardroom.rules.record import LoadedFrom, Record, RecordedRound, RecordedSeat, Reshuffled
from cardroom.rules.values import Deck
from games.matches.models import Round
from games.matches.refusals import DealIsSealed, MatchNotOver, ParentStillRunning
from games.matches.seat_snapshot import SeatSnapshot
from games.matches.selectors.access import get_match
from games.matches.selectors.history import reopened_with
from games.matches.selectors.log import decks_of, log_entries
from games.matches.selectors.rounds import rounds_of_match
from games.matches.selectors.secrecy import is_sealed, may_tell_all
from games.matches.snapshot import MatchSnapshot


def of(match: MatchSnapshot, reader: UUID | None = None) -> Record:
    """The record, which holds every card; without a reader as anybody may read it.

    Raises ``MatchNotOver`` while the match runs, ``ParentStillRunning`` while another match runs
    whose cards it would show this reader, ``DealIsSealed`` while others are dealt its cards.
    """
    if not match.is_over or match.finished_at is None:
        raise MatchNotOver("The record holds every card; it is there when the match is over.")
    if is_sealed(match):
        raise DealIsSealed
    if not may_tell_all(match, reader):
        raise ParentStillRunning(
            "The record shows cards of a match that still runs; it is there when that one is over."
        )
    return record.build(
        match.rules,
        match=str(match.id),
        options=match.options,
        seats=[_seat(match, row) for row in match.seats],
        seed=match.seed,
        started_at=match.started_at or (match.created_at if _has_a_past(match) else None),
        finished_at=match.finished_at,
        rounds=list(_rounds(match)),
        outcome=match.outcome or course.aborted(match.sides, ()),
        loaded_from=_loaded_from(match),
    )


def _has_a_past(match: MatchSnapshot) -> bool:
    """Whether cards were dealt: here, or in the match that this one was loaded from."""
    return match.state_json is not None


def _seat(match: MatchSnapshot, row: SeatSnapshot) -> RecordedSeat:
    """Of a computer that was replaced the other one: nobody could check a record of one unknown."""
    kind: Any = "user" if row.kind == "open" and _has_a_past(match) else row.kind
    bot = row.stand_in or row.bot if row.kind == "bot" else row.bot
    return RecordedSeat(row.name, kind, bot or None, row.side_deck)


def _rounds(match: MatchSnapshot) -> Iterator[RecordedRound]:
    """Each round with the moves from its opening up to the next one's."""
    entries, places = list(log_entries(match)), DeckPlaces()
    rounds = rounds_of_match(match)
    ends = [following.opening_version for following in rounds[1:]] + [match.version]
    for round_, end in zip(rounds, ends, strict=False):  # no round, no end
        played = entries[round_.opening_version + 1 : end + 1]
        opened, later = decks_of(bytes(round_.decks)), [d for e in played for d in e.decks]
        reshuffled = _reshuffled(round_, places, len(opened))
        places.dealt(len(later))
        yield RecordedRound(
            number=round_.number,
            shuffles=tuple(_text(match, deck) for deck in [*opened, *later]),
            moves=tuple(record.entry(e.seat, e.move) for e in played),
            scores=None if round_.scores is None else tuple(round_.scores),
            undone=round_.undone_at is not None,
            reshuffled=reshuffled,
        )


def _reshuffled(round_: Round, places: DeckPlaces, decks: int) -> tuple[Reshuffled, ...] | None:
    """The cards that a roll-back dealt again, by their places in the record."""
    if round_.reopened is None:
        places.opened(round_.number, decks)
        return None
    where, _ = places.reopened(round_.number, reopened_with(round_).moved)
    return tuple(Reshuffled(deck, positions) for deck, positions in where)


def _text(match: MatchSnapshot, deck: Deck) -> str:
    return record.deck_text(match.rules, deck)


def _loaded_from(match: MatchSnapshot) -> LoadedFrom | None:
    """The parent and, inside it, the parent's own; a parent that still runs keeps its seed."""
    if match.parent_id is None or match.loaded is None:
        return None
    parent = get_match(match.parent_id)
    moved = [Reshuffled(deck, positions) for deck, positions in match.loaded.moved]
    return LoadedFrom(
        match=str(parent.id),
        version=match.parent_version or 0,
        cards=match.loaded.cards,
        seats=match.loaded.seats,
        shuffles=match.loaded.shuffles,
        commitment=parent.commitment,
        seed=parent.seed.hex() if parent.is_over else None,
        reshuffled=tuple(moved) if match.loaded.reshuffled else None,
        loaded_from=_loaded_from(parent),
    )
